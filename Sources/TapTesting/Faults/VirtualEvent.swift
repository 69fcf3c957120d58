import TapScenario

/// When a fault strikes, in the words of `when` of a scenario file.
///
/// A text is a command (`felica.read`), an event (`card.tapped`, `reader.field_on`) or, with `phone.` before it, what
/// happens between an app and its phone (`phone.began`). One that the language does not have fails the test at the line
/// of its trait.
public struct VirtualEvent: Hashable, Sendable {
    private let kind: String
    private let value: Node
    private let more: Node

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: A command, an event, or `phone.` and what happens to the phone.
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

    /// What happens between the app and the phone, such as `began` or `read_ndef`.
    public static func phone(_ event: String) -> VirtualEvent { VirtualEvent(kind: "phone", .text(event)) }

    /// The exchange with a number, from 1, whatever it is.
    public static func exchange(_ number: Int) -> VirtualEvent { VirtualEvent(kind: "exchange", .number(number)) }

    /// The event as a file has it behind `when`.
    ///
    /// - Parameter nth: Which one of those that fit, from 1.
    func node(nth: Int?) -> Node {
        let entries = [(key: kind, value: value)] + more.entries.map { (key: $0.key.text, value: $0.value) }
        return .map(entries + (nth.map { [(key: "nth", value: .number($0))] } ?? []))
    }
}

extension VirtualEvent: ExpressibleByStringLiteral {
    /// An event by its name.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension VirtualEvent {
    /// Polling of a FeliCa card.
    public static let felicaPolling: VirtualEvent = "felica.polling"
    /// Request Service of a FeliCa card.
    public static let felicaRequestService: VirtualEvent = "felica.request_service"
    /// Read Without Encryption of a FeliCa card.
    public static let felicaRead: VirtualEvent = "felica.read"
    /// Write Without Encryption of a FeliCa card.
    public static let felicaWrite: VirtualEvent = "felica.write"
    /// READ of a tag.
    public static let ntagRead: VirtualEvent = "ntag.read"
    /// FAST_READ of a tag.
    public static let ntagFastRead: VirtualEvent = "ntag.fast_read"
    /// WRITE of a tag.
    public static let ntagWrite: VirtualEvent = "ntag.write"
    /// PWD_AUTH of a tag.
    public static let ntagAuthenticate: VirtualEvent = "ntag.pwd_auth"
    /// The app begins a session.
    public static let began: VirtualEvent = .phone("began")
    /// The sheet of a session is up.
    public static let activated: VirtualEvent = .phone("activated")
    /// Tags were found.
    public static let detected: VirtualEvent = .phone("detected")
    /// The app has connected to a tag.
    public static let connected: VirtualEvent = .phone("connected")
    /// The app makes any call of a tag.
    public static let call: VirtualEvent = .phone("call")
    /// The app reads an NDEF message.
    public static let readNDEF: VirtualEvent = .phone("read_ndef")
    /// The app writes an NDEF message.
    public static let writeNDEF: VirtualEvent = .phone("write_ndef")
    /// The app asks for the state of the NDEF message.
    public static let queryNDEF: VirtualEvent = .phone("query_ndef")
}

extension Duration {
    /// The time as a scenario file writes it.
    var scenarioText: String {
        let (seconds, attoseconds) = components
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        // What is too long for nanoseconds is too long for a file as well, which says so.
        return overflow ? "\(seconds)s" : "\(nanoseconds + attoseconds / 1_000_000_000)ns"
    }
}
