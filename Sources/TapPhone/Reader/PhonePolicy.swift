import TapField
import TapScenario
import TapWire

/// Behaviour of phones that public sources leave open or disagree about.
///
/// Marks: [S] stated in headers of the SDK, [F] reported from devices, [?] unsettled.
public struct PhonePolicy: Hashable, Sendable {
    /// The capacity that queryNDEFStatus reports for a Type 2 tag; not verified on a device [?].
    public enum Capacity: Hashable, Sendable {
        /// The longest message, as in the documentation: 492 bytes on NTAG215.
        case longestMessage
        /// The data area that the capability container announces: 496 bytes on NTAG215.
        case dataArea
    }

    /// The form in which an app gets a NAK: as an error [F], or as one byte, which some published apps expect [F].
    ///
    /// The tag has lost its selection either way [F].
    public var nak: PhoneSpec.NAKDelivery
    /// The error for a NAK: 100 is reported for a wrong password, for reading past the end and for a second CRC [F]; the
    /// headers say 102 [S].
    public var nakError: PhoneError.Code
    /// The error of readNDEF if pages need a password, even after a raw PWD_AUTH.
    ///
    /// The failure is reported [F], but its number is not [?].
    public var protectedRead: PhoneError.Code
    /// The error of queryNDEFStatus if even the capability container needs a password, with the text `Stack Error` [F].
    public var protectedContainer: PhoneError.Code
    /// The maximum number of bytes in an answer to a raw MIFARE command: 67 pages of FAST_READ arrive, 68 do not [F].
    public var longestMiFareAnswer: Int
    /// The treatment of a session that begins while another is open: it gets error 203, as on devices [F], or waits for the
    /// end of the first, as documented for the class [S].
    public var secondSession: PhoneSpec.SecondSession
    /// The capacity that queryNDEFStatus reports [?].
    public var capacity: Capacity

    public init(
        nak: PhoneSpec.NAKDelivery = .default, nakError: PhoneError.Code = .tagConnectionLost,
        protectedRead: PhoneError.Code = .tagResponseError, protectedContainer: PhoneError.Code = .tagNotConnected,
        longestMiFareAnswer: Int = 268, secondSession: PhoneSpec.SecondSession = .default,
        capacity: Capacity = .longestMessage
    ) {
        self.nak = nak
        self.nakError = nakError
        self.protectedRead = protectedRead
        self.protectedContainer = protectedContainer
        self.longestMiFareAnswer = longestMiFareAnswer
        self.secondSession = secondSession
        self.capacity = capacity
    }

    public static let `default` = PhonePolicy()
    public static let refusalsAsBytes = PhonePolicy(nak: .byte)
    /// The policy according to headers and documentation, where reports from devices differ.
    public static let documented = PhonePolicy(nakError: .tagResponseError, secondSession: .queue)
}

/// The declarations in an app's Info.plist, as far as a phone checks them.
///
/// Source: Core NFC; Information Property List, `com.apple.developer.nfc.readersession.felica.systemcodes` and
/// `…iso7816.select-identifiers`, `NFCReaderUsageDescription`.
public struct PhoneDeclarations: Hashable, Sendable {
    /// The FeliCa system codes as written, in order: four hexadecimal digits each.
    public let feliCaSystemCodes: [String]
    /// The sentence that explains to the user why the app reads tags.
    public let usageDescription: String?
    /// A Boolean value that indicates whether there are declarations.
    ///
    /// If not, the system codes of the cards present count as declared.
    public let isGiven: Bool
    /// The system codes that a session selects from the declared ones, as written; empty for all of them.
    private(set) var chosenEntries: [String] = []

    /// - Parameter usageDescription: The description; `nil` if the key is missing.
    public init(feliCaSystemCodes: [String], usageDescription: String?) {
        self.init(feliCaSystemCodes, usageDescription, isGiven: true)
    }

    private init(_ codes: [String], _ usageDescription: String?, isGiven: Bool) {
        feliCaSystemCodes = codes
        self.usageDescription = usageDescription
        self.isGiven = isGiven
    }

    /// No Info.plist; the systems of the cards present count as declared.
    public static let notGiven = PhoneDeclarations([], nil, isGiven: false)

    /// The declarations for an NDEF session, which looks for system 12FC of Type 3 tags, whatever the app declares.
    public var forNDEF: PhoneDeclarations {
        PhoneDeclarations(
            feliCaSystemCodes: [SystemCode.ndef.description],
            usageDescription: isGiven ? usageDescription : "No Info.plist was given.")
    }

    /// Returns the declarations for a session that looks for some of the declared system codes.
    ///
    /// Source: Core NFC, NFCTagReaderSession.Configuration.
    ///
    /// - Parameter entries: The codes as the app writes them, in polling order; an empty list selects all declared codes.
    public func choosing(_ entries: [String]) -> PhoneDeclarations {
        var copy = self
        copy.chosenEntries = entries
        return copy
    }

    /// The valid system codes, in order, without duplicates.
    public var systemCodes: [SystemCode] { Self.validCodes(feliCaSystemCodes) }

    /// The valid codes that the session selects, declared or not.
    var chosenCodes: [SystemCode] { Self.validCodes(chosenEntries) }

    /// Returns the codes that a session polls for, among those that count as declared.
    func polledCodes(among declared: [SystemCode]) -> [SystemCode] {
        chosenEntries.isEmpty ? declared : chosenCodes.filter(declared.contains)
    }

    private static func validCodes(_ entries: [String]) -> [SystemCode] {
        var codes: [SystemCode] = []
        for code in entries.compactMap(systemCode) where !codes.contains(code) { codes.append(code) }
        return codes
    }

    /// Remarks on invalid entries, as a device logs them, and on selected entries that are not declared.
    public var complaints: [String] {
        let invalid = (feliCaSystemCodes + chosenEntries).filter { Self.systemCode($0) == nil }
        let dropped = isGiven ? chosenCodes.filter { !systemCodes.contains($0) } : []
        return invalid.map { "Invalid system code entry: \($0)" }
            + dropped.map {
                "The configuration lists system code \($0), but Info.plist does not, so a device ignores it"
            }
    }

    /// Checks the requirements of a tag session.
    ///
    /// - Throws: The ``PhoneError`` that ends the session before it begins.
    public func check(_ technologies: PhoneTechnologies) throws(PhoneError) {
        guard isGiven else { return }
        if usageDescription?.isEmpty ?? true {
            throw PhoneError(
                .securityViolation,
                reason:
                    "Info.plist has no NFCReaderUsageDescription; a device would end the app here; add the key with a "
                    + "sentence that explains why the app reads tags")
        }
        if technologies.contains(.iso18092), polledCodes(among: systemCodes).isEmpty {
            let complaint = complaints.first.map { "\($0); " } ?? ""
            let lack =
                chosenEntries.isEmpty
                ? "Info.plist lists no valid FeliCa system code"
                : "Info.plist lists none of the system codes of the configuration"
            throw PhoneError(
                .securityViolation,
                reason:
                    "\(complaint)\(lack), but the session polls for FeliCa; list codes of four hexadecimal digits "
                    + "without FF under com.apple.developer.nfc.readersession.felica.systemcodes")
        }
    }

    /// Returns the code in an entry, or `nil` unless it has four hexadecimal digits and no byte is FF.
    private static func systemCode(_ entry: String) -> SystemCode? {
        SystemCode(digits: entry).flatMap { $0.hasWildcard ? nil : $0 }
    }
}

extension SystemCode {
    /// A Boolean value that indicates whether a byte is FF, which matches any byte in a Polling.
    var hasWildcard: Bool { rawValue >> 8 == 0xFF || rawValue & 0xFF == 0xFF }
}
