import TapDocument

/// A fault in a test, by its name in the catalogue (`tapsim list faults`, docs/faults.md).
///
/// An unknown name or parameter fails the test at the line of its trait.
public struct VirtualFault: Hashable, Sendable {
    let name: String
    let parameters: Node
    let defaultEvent: VirtualEvent?

    /// - Parameters:
    ///   - name: The name, such as `rf.silence`.
    ///   - parameters: The parameters. Default: as in the catalogue.
    public init(_ name: String, _ parameters: KeyValuePairs<String, Node> = [:]) {
        self.init(name, Node(parameters))
    }

    private init(_ name: String, _ parameters: Node, at event: VirtualEvent? = nil) {
        self.name = name
        self.parameters = parameters
        defaultEvent = event
    }

    /// The fault as under `do` in a file.
    var node: Node { parameters.entries.isEmpty ? .text(name) : .map([(key: name, value: parameters)]) }
}

extension VirtualFault: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension VirtualFault {
    /// The tag leaves, permanently or for a while.
    public static func loseTag(backIn time: Duration? = nil) -> VirtualFault {
        VirtualFault("rf.lose_tag", Node.map(["back_in": time.map { .text($0.scenarioText) }]))
    }

    /// The answer does not arrive.
    public static let silence = VirtualFault("rf.silence", [:] as Node)
    /// The card does not hear the command.
    public static let unheard = VirtualFault("rf.unheard", [:] as Node)

    /// Another card replaces the present one.
    ///
    /// Default: a card of the same kind with another identifier.
    public static func swap(for name: String? = nil) -> VirtualFault {
        VirtualFault("rf.swap", Node.map(["other": name.map(Node.text)]))
    }

    /// A FeliCa card answers with other status flags.
    public static func status(_ flag1: UInt8, _ flag2: UInt8) -> VirtualFault {
        VirtualFault("felica.status", Node.map(["sf1": .text(Self.hex(flag1)), "sf2": .text(Self.hex(flag2))]))
    }

    /// A service does not exist on the card.
    ///
    /// - Parameter service: The service, such as `090F`. Default: the first that a command names.
    public static func missingService(_ service: String? = nil) -> VirtualFault {
        VirtualFault("felica.missing_service", Node.map(["service": service.map(Node.text)]))
    }

    /// A tag refuses the command with a NAK.
    public static func nak(_ code: Int = 0) -> VirtualFault {
        VirtualFault("ntag.nak", Node.map(["code": .number(code)]))
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 2 ? digits : "0\(digits)"
    }
}

extension VirtualFault {
    /// The user cancels the session: error 200, by default as soon as the session is active.
    public static let userCancel = VirtualFault("phone.user_cancel", [:] as Node, at: .activated)
    /// The session was open for 60 seconds: error 201, by default as soon as the session is active.
    public static let timeLimit = VirtualFault("phone.time_limit", [:] as Node, at: .activated)
    /// The app goes to the background: error 202, by default as soon as the session is active.
    public static let background = VirtualFault("phone.background", [:] as Node, at: .activated)
    /// NFC is switched off: the session ends with error 6 before it begins.
    public static let radioOff = VirtualFault("phone.radio_off", [:] as Node, at: .began)
    /// The phone's NFC is in use: the session ends with error 203 before it begins.
    public static let systemBusy = VirtualFault("phone.system_busy", [:] as Node, at: .began)
    /// The phone has no NFC: `readingAvailable` is false, and a session ends with error 1.
    public static let unsupported = VirtualFault("phone.unsupported", [:] as Node, at: .phone("available"))
    /// The app lacks its entitlement: the session ends with error 2 before it begins.
    public static let missingEntitlement = VirtualFault("phone.missing_entitlement", [:] as Node, at: .began)
    /// A call to a tag, by default the first, fails with the text Stack Error.
    public static let stackError = VirtualFault("phone.stack_error", [:] as Node, at: .call)
    /// A call to a tag, by default the first, fails with error 100 although the tag is present.
    public static let connectionLost = VirtualFault("phone.connection_lost", [:] as Node, at: .call)
}

/// The event at which a fault is injected, described as under `when` in a scenario file.
///
/// A text is a command (`felica.read`), an event (`card.tapped`, `reader.field_on`) or, with the prefix `phone.`, an event
/// between an app and its phone (`phone.began`). Unknown events fail the test at the line of its trait.
public struct VirtualEvent: Hashable, Sendable {
    private let kind: String
    private let value: Node
    private let more: Node

    /// - Parameters:
    ///   - name: A command, an event, or `phone.` followed by an event of the phone.
    ///   - more: Further keys of `when`, such as `args` of a command or `card` of an event.
    public init(_ name: String, _ more: KeyValuePairs<String, Node> = [:]) {
        let head = name.prefix { $0 != "." }
        switch head {
        case "card", "reader", "client": (kind, value) = ("event", .text(name))
        case "phone": (kind, value) = ("phone", .text(String(name.dropFirst("phone.".count))))
        default: (kind, value) = ("command", .text(name))
        }
        self.more = Node(more)
    }

    private init(kind: String, _ value: Node) {
        (self.kind, self.value, more) = (kind, value, [:])
    }

    /// An event between the app and the phone, such as `began` or `read_ndef`.
    public static func phone(_ event: String) -> VirtualEvent { VirtualEvent(kind: "phone", .text(event)) }

    /// The exchange with a number, from 1.
    public static func exchange(_ number: Int) -> VirtualEvent { VirtualEvent(kind: "exchange", .number(number)) }

    /// The event as under `when` in a file.
    ///
    /// - Parameter nth: The number of the matching event, from 1.
    func node(nth: Int?) -> Node {
        let entries = [(key: kind, value: value)] + more.entries.map { (key: $0.key.text, value: $0.value) }
        return .map(entries + (nth.map { [(key: "nth", value: .number($0))] } ?? []))
    }
}

extension VirtualEvent: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension VirtualEvent {
    public static let felicaPolling: VirtualEvent = "felica.polling"
    public static let felicaRequestService: VirtualEvent = "felica.request_service"
    /// Read Without Encryption of a FeliCa card.
    public static let felicaRead: VirtualEvent = "felica.read"
    /// Write Without Encryption of a FeliCa card.
    public static let felicaWrite: VirtualEvent = "felica.write"
    public static let ntagRead: VirtualEvent = "ntag.read"
    public static let ntagFastRead: VirtualEvent = "ntag.fast_read"
    public static let ntagWrite: VirtualEvent = "ntag.write"
    public static let ntagAuthenticate: VirtualEvent = "ntag.pwd_auth"
    /// The app begins a session.
    public static let began: VirtualEvent = .phone("began")
    /// The sheet of a session is shown.
    public static let activated: VirtualEvent = .phone("activated")
    /// Tags were found.
    public static let detected: VirtualEvent = .phone("detected")
    /// The app has connected to a tag.
    public static let connected: VirtualEvent = .phone("connected")
    /// The app makes any call to a tag.
    public static let call: VirtualEvent = .phone("call")
    /// The app reads an NDEF message.
    public static let readNDEF: VirtualEvent = .phone("read_ndef")
    /// The app writes an NDEF message.
    public static let writeNDEF: VirtualEvent = .phone("write_ndef")
    /// The app asks for the state of the NDEF message.
    public static let queryNDEF: VirtualEvent = .phone("query_ndef")
}

extension Duration {
    var scenarioText: String {
        let (seconds, attoseconds) = components
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        // A duration that is too long for nanoseconds is also too long for a file, whose reader reports it.
        return overflow ? "\(seconds)s" : "\(nanoseconds + attoseconds / 1_000_000_000)ns"
    }
}
