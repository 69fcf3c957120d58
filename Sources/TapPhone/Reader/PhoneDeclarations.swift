import TapField
import TapWire

/// What an app declares in its Info.plist, as far as a phone looks at it.
///
/// Source: Core NFC; Information Property List, `com.apple.developer.nfc.readersession.felica.systemcodes` and
/// `…iso7816.select-identifiers`, `NFCReaderUsageDescription`.
public struct PhoneDeclarations: Hashable, Sendable {
    /// The FeliCa system codes as they are written, in their order: each four hexadecimal digits.
    public let feliCaSystemCodes: [String]
    /// The application identifiers for ISO/IEC 7816 cards as they are written.
    public let iso7816SelectIdentifiers: [String]
    /// The sentence that tells the user why the app reads tags.
    public let usageDescription: String?
    /// Whether the app has declared anything; without that the system codes of the cards present count as declared.
    public let isGiven: Bool

    /// Takes what stands in an Info.plist.
    ///
    /// - Parameters:
    ///   - feliCaSystemCodes: The FeliCa system codes, in their order.
    ///   - iso7816SelectIdentifiers: The application identifiers.
    ///   - usageDescription: The sentence for the user, or nothing where the key is missing.
    public init(
        feliCaSystemCodes: [String], iso7816SelectIdentifiers: [String] = [], usageDescription: String?
    ) {
        self.init(feliCaSystemCodes, iso7816SelectIdentifiers, usageDescription, isGiven: true)
    }

    private init(_ codes: [String], _ identifiers: [String], _ usageDescription: String?, isGiven: Bool) {
        feliCaSystemCodes = codes
        iso7816SelectIdentifiers = identifiers
        self.usageDescription = usageDescription
        self.isGiven = isGiven
    }

    /// No Info.plist at all: whatever the cards present have counts as declared.
    public static let notGiven = PhoneDeclarations([], [], nil, isGiven: false)

    /// What a session for NDEF alone looks for, whatever the app declares: Type 3 tags have system 12FC.
    public static let ndef = PhoneDeclarations(
        feliCaSystemCodes: [SystemCode.ndef.description], usageDescription: "NDEF")

    /// The system codes that are valid, in their order, each once.
    public var systemCodes: [SystemCode] {
        var codes: [SystemCode] = []
        for code in feliCaSystemCodes.compactMap(Self.systemCode) where !codes.contains(code) { codes.append(code) }
        return codes
    }

    /// What a device writes into its log about entries it does not take, one line for each.
    public var complaints: [String] {
        feliCaSystemCodes.filter { Self.systemCode($0) == nil }.map { "Invalid system code entry: \($0)" }
    }

    /// Checks what a session needs that looks for tags.
    ///
    /// - Throws: ``PhoneError`` with which the session ends before it begins.
    public func check(_ technologies: PhoneTechnologies) throws(PhoneError) {
        guard isGiven else { return }
        if usageDescription?.isEmpty ?? true {
            throw PhoneError(
                .securityViolation,
                reason:
                    "Info.plist has no NFCReaderUsageDescription; a device would end the app here; add the key with a "
                    + "sentence that tells why the app reads tags")
        }
        if technologies.contains(.iso18092), systemCodes.isEmpty {
            let complaint = complaints.first.map { "\($0); " } ?? ""
            throw PhoneError(
                .securityViolation,
                reason:
                    "\(complaint)Info.plist lists no valid FeliCa system code and the session polls for FeliCa; list "
                    + "codes of four hexadecimal digits without FF under "
                    + "com.apple.developer.nfc.readersession.felica.systemcodes")
        }
    }

    /// The code an entry spells, or nothing unless it has four hexadecimal digits and no byte is FF.
    private static func systemCode(_ entry: String) -> SystemCode? {
        SystemCode(digits: entry).flatMap { $0.hasWildcard ? nil : $0 }
    }
}

extension SystemCode {
    /// Whether a byte is FF, which in a Polling matches any.
    var hasWildcard: Bool { rawValue >> 8 == 0xFF || rawValue & 0xFF == 0xFF }
}
