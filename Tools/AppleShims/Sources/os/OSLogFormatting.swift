import Foundation

/// Who may read a value in the log.
public struct OSLogPrivacy: Sendable {
    /// What is written in the place of a value that is kept back.
    public struct Mask: Sendable {
        let isHash: Bool

        /// A number by which equal values can be told.
        public static let hash = Mask(isHash: true)
        /// Nothing of the value.
        public static let none = Mask(isHash: false)
    }

    private let isShown: Bool
    private let mask: Mask

    public static let `public` = Self(isShown: true, mask: .none)
    public static let `private` = Self(isShown: false, mask: .none)
    public static let sensitive = Self(isShown: false, mask: .none)
    /// The value is written, as under Xcode.
    public static let auto = Self(isShown: true, mask: .none)

    /// The value is kept back behind a mask.
    public static func `private`(mask: Mask) -> Self {
        Self(isShown: false, mask: mask)
    }

    /// The value is kept back behind a mask.
    public static func sensitive(mask: Mask) -> Self {
        Self(isShown: false, mask: mask)
    }

    /// The value is written, as under Xcode.
    public static func auto(mask: Mask) -> Self {
        .auto
    }

    func show(_ text: String) -> String {
        if isShown { return text }
        guard mask.isHash else { return "<private>" }
        // FNV-1a: the same value has the same mask in every run.
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return "<mask.hash: '\(String(hash, radix: 16))'>"
    }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let minDigits: Int
    private let prefix: String
    private let isUppercase: Bool

    public static let decimal = decimal(minDigits: 1)
    /// To the base of sixteen, without a prefix.
    public static let hex = hex(minDigits: 1)
    /// To the base of eight, without a prefix.
    public static let octal = Self(radix: 8, minDigits: 1, prefix: "", isUppercase: false)

    /// To the base of ten, with leading zeros up to a number of digits.
    public static func decimal(minDigits: Int) -> Self {
        Self(radix: 10, minDigits: minDigits, prefix: "", isUppercase: false)
    }

    /// To the base of sixteen, with leading zeros up to a number of digits.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: Int = 1
    ) -> Self {
        Self(radix: 16, minDigits: minDigits, prefix: includePrefix ? "0x" : "", isUppercase: uppercase)
    }

    func write(_ number: some FixedWidthInteger) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minDigits - digits.count))
        return (number < 0 ? "-" : "") + prefix + zeros + digits
    }
}

/// How a number is written.
public struct OSLogFloatFormatting: Sendable {
    private let specifier: String
    private let precision: Int

    /// With six places.
    public static let fixed = fixed(precision: 6)
    /// With an exponent.
    public static let exponential = Self(specifier: "e", precision: 6)

    /// With a number of places.
    public static func fixed(precision: Int) -> Self {
        Self(specifier: "f", precision: precision)
    }

    func write(_ number: Double) -> String {
        String(format: "%.\(precision)\(specifier)", number)
    }
}

/// On which side of its column a value stands.
public struct OSLogStringAlignment: Sendable {
    private let columns: Int
    private let isRight: Bool

    /// No column.
    public static let none = Self(columns: 0, isRight: true)

    /// To the right of a column so wide.
    public static func right(columns: Int) -> Self {
        Self(columns: columns, isRight: true)
    }

    /// To the left of a column so wide.
    public static func left(columns: Int) -> Self {
        Self(columns: columns, isRight: false)
    }

    func pad(_ text: String) -> String {
        let blanks = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? blanks + text : text + blanks
    }
}
