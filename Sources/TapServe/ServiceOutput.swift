import TapCards
import TapDocument
import TapField
import TapScenario
import TapWire

/// Cards that came and left.
package struct MovedCards: OutputModel {
    var removed: [String]?
    var tapped: [String]?
    var gap: Duration?

    package static let output = OutputTable<Self>(
        "moved", "Cards that moved",
        .maybe("removed", "Cards that left", \.removed), .maybe("tapped", "Cards that arrived", \.tapped),
        .maybe("gap", "Time without a card on the reader", \.gap?.wholeNanoseconds))
}

/// The answers of a service that contain less than its status.
package enum ServiceOutput {
    package static let card = OutputTable<(name: String, definition: CardDefinition)>(
        "card-set", "A card that was set",
        .always("card", "Its name") { $0.name },
        .always(
            "definition", "The current card, as in a scenario",
            as: .map(.any("the value of a card's key"))
        ) { $0.definition.node })

    package static let journal = OutputTable<(count: Int, entries: TraceEntries)>(
        "journal", "A journal",
        .always("count", "Number of exchanges") { $0.count },
        .always("exchanges", "The newest exchanges") { $0.entries.compactMap(\.exchange) },
        .always("calls", "Commands among them that caused no frame") { $0.entries.compactMap(\.call) })

    package static let reset = OutputTable<Void>(
        "reset", "A reset",
        .always("reset", "true") { true })

    /// Takes the number of clients.
    package static let stopping = OutputTable<Int>(
        "stopping", "A service that is stopping",
        .always("stopping", "true") { _ in true }, .always("clients", "Number of programs still connected") { $0 })

    package static let plugged = OutputTable<Bool>(
        "plugged", "A reader that was plugged in or unplugged",
        .always("changed", "Whether the request changed its state") { $0 })

    package static let radio = OutputTable<Bool>(
        "phone-radio", "NFC of a phone",
        .always("radio", "Whether NFC is on") { $0 })

    package static let ended = OutputTable<Void>(
        "phone-ended", "A session of a phone that ended",
        .always("ended", "true") { true })
}

/// The state of a steered field.
package struct ServiceStatus: OutputModel {
    let scenarioCase: ScenarioCase
    let cards: [CardStatus]
    let user: UserStatus
    let world: World

    package static let output = OutputTable<Self>(
        "status", "The state of a service",
        .always("scenario", "The scenario", \.scenarioCase.scenarioName),
        .always("case", "The case", \.scenarioCase.number), .always("seed", "The seed", \.scenarioCase.seed),
        .always("cards", "The cards", \.cards),
        .maybe(
            "transports", "The transports of `serve`", as: .list(UserStatus.transport.shape), \.user.transports),
        .maybe("readers", "The PC/SC readers", \.user.readers),
        .maybe("clients", "Number of connected programs", \.user.clients),
        .maybe("phone", "The phone of an app", as: UserStatus.phone.shape, \.user.phone),
        .always("field", "Whether the field is on", \.world.isFieldOn),
        .always("exchanges", "Number of exchanges", \.world.exchangeCount),
        .always("exhausted", "Whether the exchange limit is reached", \.world.isExhausted),
        .always("card_time", "Card time", \.world.now.wholeNanoseconds))
}

struct CardStatus: OutputModel {
    let definition: CardDefinition
    let slot: CardSlot

    var columns: [String] {
        [
            slot.name, definition.icName, Hex.text(definition.identifier),
            slot.isPresent ? "on the reader" : "away",
        ]
    }

    static let output = OutputTable<Self>(
        "card-status", "The state of a card",
        .always("name", "Its name", \.slot.name), .always("ic", "Its IC", \.definition.icName),
        .always("identifier", "Its IDm or UID") { Hex.text($0.definition.identifier) },
        .always("present", "Whether it is on the reader", \.slot.isPresent),
        .always("state", "Its state, as named in its manual", \.slot.engine.stateName))
}

/// The part of a status about the user of a field.
public struct UserStatus: Sendable {
    fileprivate var transports: [Node]?
    fileprivate var readers: [String]?
    fileprivate var clients: Int?
    fileprivate var phone: Node?

    package init() {}

    package init(_ transports: [TransportStatus], readers: [String], clients: Int) {
        self.transports = transports.map(Self.transport.node)
        (self.readers, self.clients) = (readers, clients)
    }

    package init(_ phone: PhoneStatus) { self.phone = Self.phone.node(phone) }

    package typealias TransportStatus = (name: String, isUsed: Bool, variables: [(name: String, value: String)])

    fileprivate static let transport = OutputTable<TransportStatus>(
        "transport", "A transport",
        .always("name", "Its name") { $0.name }, .always("used", "Whether a client has used it") { $0.isUsed },
        .always("variables", "The variables that lead to it") {
            OutputMap($0.variables.map { ($0.name, $0.value) })
        })

    package enum Session: String, CaseIterable, OutputValue {
        case none, polling, connected
    }

    package typealias PhoneStatus = (
        session: Session, alert: String?, tag: String?, isRadioOn: Bool, sessionCount: Int, error: Int?,
        message: String?
    )

    fileprivate static let phone = OutputTable<PhoneStatus>(
        "phone", "A phone",
        .always("session", "Its session") { $0.session }, .maybe("alert", "The text on the scan sheet") { $0.alert },
        .maybe("tag", "The tag it is connected to") { $0.tag },
        .always("radio", "Whether NFC is on") { $0.isRadioOn },
        .always("sessions", "Number of sessions") { $0.sessionCount },
        .maybe("error", "The error of the last session, a code of NFCReaderError") { $0.error },
        .maybe("error_message", "The error message that the app showed") { $0.message })
}
