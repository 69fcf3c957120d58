import TapField
import TapScenario
import TapWire

/// Behaviour of phones that public sources leave open or dispute.
///
/// Marks: [S] headers of the SDK, [F] reported from devices, [?] not settled.
public struct PhonePolicy: Hashable, Sendable {
    /// The capacity that queryNDEFStatus gives for a Type 2 tag; not verified on a device [?].
    public enum Capacity: Hashable, Sendable {
        /// The longest message, as the documentation names it: 492 bytes on NTAG215.
        case longestMessage
        /// The data area that the capability container announces: 496 bytes on NTAG215.
        case dataArea
    }

    /// How an app gets a NAK: as an error [F], or as one byte, which some published apps expect [F]; the tag has lost
    /// its selection either way [F].
    public var nak: PhoneSpec.NAKDelivery
    /// The error for a NAK: 100 is reported for a wrong password, reading past the end and a second CRC [F]; by the
    /// headers it is 102 [S].
    public var nakError: PhoneError.Code
    /// The error of readNDEF where pages need a password, also after a raw PWD_AUTH: the failure is reported [F], its
    /// number is not [?].
    public var protectedRead: PhoneError.Code
    /// The error of queryNDEFStatus where even the capability container needs a password, with the text `Stack Error`
    /// [F].
    public var protectedContainer: PhoneError.Code
    /// Most bytes of an answer to a raw MIFARE command: 67 pages of FAST_READ arrive, 68 do not [F].
    public var longestMiFareAnswer: Int
    /// A session that begins while another is open gets error 203, as on devices [F], or waits for the end of the
    /// first, as the class documents it [S].
    public var secondSession: PhoneSpec.SecondSession
    /// The capacity that queryNDEFStatus gives [?].
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
    /// By headers and documentation, where reports from devices differ.
    public static let documented = PhonePolicy(nakError: .tagResponseError, secondSession: .queue)
}

/// What an app declares in its Info.plist, as far as a phone checks it.
///
/// Source: Core NFC; Information Property List, `com.apple.developer.nfc.readersession.felica.systemcodes` and
/// `…iso7816.select-identifiers`, `NFCReaderUsageDescription`.
public struct PhoneDeclarations: Hashable, Sendable {
    /// As written, in order: four hexadecimal digits each.
    public let feliCaSystemCodes: [String]
    /// As written, for ISO/IEC 7816 cards.
    public let iso7816SelectIdentifiers: [String]
    /// The sentence that tells the user why the app reads tags.
    public let usageDescription: String?
    /// Whether anything was declared; if not, the system codes of the cards present count as declared.
    public let isGiven: Bool
    /// The system codes that a session chooses from the declared ones, as written; empty for all of them.
    private(set) var chosenEntries: [String] = []

    /// - Parameter usageDescription: `nil` where the key is missing.
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

    /// No Info.plist: the systems of the cards present count as declared.
    public static let notGiven = PhoneDeclarations([], [], nil, isGiven: false)

    /// The declarations for an NDEF session, which looks for system 12FC, of Type 3 tags, whatever the app declares.
    public var forNDEF: PhoneDeclarations {
        PhoneDeclarations(
            feliCaSystemCodes: [SystemCode.ndef.description],
            usageDescription: isGiven ? usageDescription : "No Info.plist was given.")
    }

    /// Returns the declarations for a session that looks for some of the declared system codes.
    ///
    /// Source: Core NFC, NFCTagReaderSession.Configuration.
    ///
    /// - Parameter entries: As the app writes them, in polling order; an empty list chooses all declared codes.
    public func choosing(_ entries: [String]) -> PhoneDeclarations {
        var copy = self
        copy.chosenEntries = entries
        return copy
    }

    /// The valid system codes, in order, without duplicates.
    public var systemCodes: [SystemCode] { Self.validCodes(feliCaSystemCodes) }

    /// The valid codes that the session chooses, declared or not.
    var chosenCodes: [SystemCode] { Self.validCodes(chosenEntries) }

    /// Returns the codes that a session polls for, out of those that count as declared.
    func polledCodes(among declared: [SystemCode]) -> [SystemCode] {
        chosenEntries.isEmpty ? declared : chosenCodes.filter(declared.contains)
    }

    private static func validCodes(_ entries: [String]) -> [SystemCode] {
        var codes: [SystemCode] = []
        for code in entries.compactMap(systemCode) where !codes.contains(code) { codes.append(code) }
        return codes
    }

    /// Remarks on invalid entries, as a device logs them, and on chosen entries that are not declared.
    public var complaints: [String] {
        let invalid = (feliCaSystemCodes + chosenEntries).filter { Self.systemCode($0) == nil }
        let dropped = isGiven ? chosenCodes.filter { !systemCodes.contains($0) } : []
        return invalid.map { "Invalid system code entry: \($0)" }
            + dropped.map { "The configuration lists system code \($0) and Info.plist does not, so a device drops it" }
    }

    /// Checks what a tag session needs; throws the ``PhoneError`` that ends it before it begins.
    public func check(_ technologies: PhoneTechnologies) throws(PhoneError) {
        guard isGiven else { return }
        if usageDescription?.isEmpty ?? true {
            throw PhoneError(
                .securityViolation,
                reason:
                    "Info.plist has no NFCReaderUsageDescription; a device would end the app here; add the key with a "
                    + "sentence that tells why the app reads tags")
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
                    "\(complaint)\(lack), and the session polls for FeliCa; list codes of four hexadecimal digits "
                    + "without FF under com.apple.developer.nfc.readersession.felica.systemcodes")
        }
    }

    /// The code an entry spells, or `nil` unless it has four hexadecimal digits and no byte is FF.
    private static func systemCode(_ entry: String) -> SystemCode? {
        SystemCode(digits: entry).flatMap { $0.hasWildcard ? nil : $0 }
    }
}

extension SystemCode {
    /// Whether a byte is FF, which matches any in a Polling.
    var hasWildcard: Bool { rawValue >> 8 == 0xFF || rawValue & 0xFF == 0xFF }
}
