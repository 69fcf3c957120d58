import Foundation

/// The privacy of a value in the log.
public struct OSLogPrivacy: Sendable {
    /// The replacement for a hidden value.
    public struct Mask: Sendable {
        let isHash: Bool

        /// A number that identifies equal values.
        public static let hash = Mask(isHash: true)
        /// No trace of the value.
        public static let none = Mask(isHash: false)
    }

    private let isShown: Bool
    private let mask: Mask

    public static let `public` = Self(isShown: true, mask: .none)
    public static let `private` = Self(isShown: false, mask: .none)
    public static let sensitive = Self(isShown: false, mask: .none)
    /// The value is written, as under Xcode.
    public static let auto = Self(isShown: true, mask: .none)

    /// Hides the value behind a mask.
    public static func `private`(mask: Mask) -> Self {
        Self(isShown: false, mask: mask)
    }

    /// Hides the value behind a mask.
    public static func sensitive(mask: Mask) -> Self {
        Self(isShown: false, mask: mask)
    }

    /// Writes the value, as under Xcode.
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

/// The format of an integer.
public struct OSLogIntegerFormatting: Sendable {
    private let radix: Int
    private let minDigits: Int
    private let prefix: String
    private let isUppercase: Bool

    public static let decimal = decimal(minDigits: 1)
    /// Hexadecimal, without a prefix.
    public static let hex = hex(minDigits: 1)
    /// Octal, without a prefix.
    public static let octal = Self(radix: 8, minDigits: 1, prefix: "", isUppercase: false)

    /// Returns a decimal format with leading zeros up to a number of digits.
    public static func decimal(minDigits: Int) -> Self {
        Self(radix: 10, minDigits: minDigits, prefix: "", isUppercase: false)
    }

    /// Returns a hexadecimal format with leading zeros up to a number of digits.
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

/// The format of a floating-point number.
public struct OSLogFloatFormatting: Sendable {
    private let specifier: String
    private let precision: Int

    /// With six decimals.
    public static let fixed = fixed(precision: 6)
    /// With an exponent.
    public static let exponential = Self(specifier: "e", precision: 6)

    /// Returns a format with a number of decimals.
    public static func fixed(precision: Int) -> Self {
        Self(specifier: "f", precision: precision)
    }

    func write(_ number: Double) -> String {
        String(format: "%.\(precision)\(specifier)", number)
    }
}

/// The alignment of a value in its column.
public struct OSLogStringAlignment: Sendable {
    private let columns: Int
    private let isRight: Bool

    /// No column.
    public static let none = Self(columns: 0, isRight: true)

    /// Aligns right in a column of this width.
    public static func right(columns: Int) -> Self {
        Self(columns: columns, isRight: true)
    }

    /// Aligns left in a column of this width.
    public static func left(columns: Int) -> Self {
        Self(columns: columns, isRight: false)
    }

    func pad(_ text: String) -> String {
        let blanks = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? blanks + text : text + blanks
    }
}
