import TapField
import TapWire

/// The iPhone of a case, on which an app reads the cards with Core NFC.
///
/// Every value is nothing where the file says nothing about it, so that a case can change some of them.
public struct PhoneSpec: Hashable, Sendable {
    /// How an app hears of a NAK of a tag that it sent a command to.
    public enum NAKDelivery: String, Hashable, Sendable, CaseIterable {
        /// The command fails.
        case error
        /// The command returns the four bits as one byte.
        case byte
    }

    /// What becomes of a session that begins while another is open.
    public enum SecondSession: String, Hashable, Sendable, CaseIterable {
        /// It ends at once with error 203.
        case busy
        /// It begins when the other has ended.
        case queue
    }

    /// Whether the phone can read cards.
    public enum Radio: String, Hashable, Sendable, CaseIterable {
        /// It can.
        case on
        /// NFC is switched off; stands for `phone.radio_off` at each beginning of a session.
        case off
        /// It has no NFC; stands for `phone.unsupported`.
        case none
    }

    /// The longest session of a phone where nothing is stated.
    ///
    /// Source: Core NFC, NFCReaderSession: 60 seconds.
    public static let usualTimeLimit = Duration.seconds(60)

    /// The Info.plist of the app, if the file names one; what it declares is in ``systemCodes`` and ``usage`` where
    /// the file could be read.
    public internal(set) var infoPlist: InfoPlistPath?
    /// The FeliCa system codes that the app declares, in the order in which the phone polls them; nothing where no
    /// declaration is known, and those of the cards count.
    public var systemCodes: [SystemCode]?
    /// What the app says it reads cards for, empty where its Info.plist does not say it; nothing where none is known.
    public var usage: String?
    /// Whether the app has the entitlement to read tags; without it the fault `phone.missing_entitlement` strikes.
    public var hasEntitlement: Bool?
    /// How the app hears of a NAK.
    public var nak: NAKDelivery?
    /// What becomes of a session that begins while another is open.
    public var secondSession: SecondSession?
    /// How long a session may be open.
    public var timeLimit: Duration?
    /// Whether the phone can read cards.
    public var radio: Radio?
    /// When a person ends a session; stands for `phone.user_cancel`.
    public var cancel: EventTrigger?
    /// The line that states each shortcut for a fault, by its key.
    var sources: [String: SourceReference] = [:]

    /// A phone of which nothing is stated.
    public init() {}

    /// The phone with what another says in place of its own.
    func changed(by other: PhoneSpec) -> PhoneSpec {
        var copy = self
        if other.infoPlist != nil || other.systemCodes != nil { copy.infoPlist = other.infoPlist }
        copy.systemCodes = other.systemCodes ?? systemCodes
        copy.usage = other.usage ?? usage
        copy.hasEntitlement = other.hasEntitlement ?? hasEntitlement
        copy.nak = other.nak ?? nak
        copy.secondSession = other.secondSession ?? secondSession
        copy.timeLimit = other.timeLimit ?? timeLimit
        copy.radio = other.radio ?? radio
        copy.cancel = other.cancel ?? cancel
        copy.sources.merge(other.sources) { $1 }
        return copy
    }
}

/// An Info.plist that a scenario names.
public struct InfoPlistPath: Hashable, Sendable {
    /// The path as it is written.
    public let path: String
    /// The name of the file that names it, at whose folder the path begins.
    public let file: String

    public init(path: String, file: String) {
        self.path = path
        self.file = file
    }
}

extension PhoneSpec {
    /// The faults for which its shortcuts stand, in the order of its keys.
    var faults: [FaultPlan.Entry] {
        var entries: [FaultPlan.Entry] = []
        let add = {
            (key: String, name: String, trigger: EventTrigger, times: IntegerRange, all: inout [FaultPlan.Entry]) in
            guard let kind = FaultCatalogue.named(name) else { preconditionFailure("\(name) is in the catalogue") }
            all.append(
                FaultPlan.Entry(Fault(kind), when: trigger, times: times, id: "phone.\(key)", source: sources[key]))
        }
        if hasEntitlement == false {
            add("entitlement", "phone.missing_entitlement", EventTrigger(.phone(.began)), .always, &entries)
        }
        switch radio {
        case .off?: add("radio", "phone.radio_off", EventTrigger(.phone(.began)), .always, &entries)
        case Radio.none?: add("radio", "phone.unsupported", EventTrigger(.phone(.available)), .always, &entries)
        case .on?, nil: break
        }
        if let cancel { add("cancel", "phone.user_cancel", cancel, .once, &entries) }
        return entries
    }

    /// The phone without its shortcuts for faults.
    var withoutFaults: PhoneSpec {
        var copy = self
        (copy.hasEntitlement, copy.radio, copy.cancel, copy.sources) = (nil, nil, nil, [:])
        return copy
    }

    /// The phone as a file writes it; what an Info.plist declares is written out, so that the file is not needed.
    var node: Node {
        let isRead = systemCodes != nil || usage != nil
        return .map([
            "info_plist": isRead ? nil : infoPlist.map { .text($0.path) },
            "system_codes": systemCodes.map { .list($0.map { .text($0.description) }) },
            "usage": usage.map(Node.text), "entitlement": hasEntitlement.map(Node.boolean),
            "nak": nak.map { .text($0.rawValue) }, "second_session": secondSession.map { .text($0.rawValue) },
            "time_limit": timeLimit.map { .text(DurationRule.text($0)) }, "radio": radio.map { .text($0.rawValue) },
            "cancel": cancel?.node,
        ])
    }
}
