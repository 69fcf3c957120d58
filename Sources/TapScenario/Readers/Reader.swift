import TapDocument
import TapField
import TapReaders
import TapWire

/// The reader that reads the cards.
public struct ReaderSpec: Hashable, Sendable {
    /// A transport through which a program reaches a reader.
    public enum Transport: String, Hashable, Sendable, CaseIterable {
        /// A private PC/SC service, for programs that use libpcsclite.
        case pcsc
        /// nfcpy's UDP driver.
        case nfcpy
        /// A chip on a serial line, as driven by libnfc: a PN532, or the chip of the model.
        case libnfc
        /// The PC/SC service of the system, through its vpcd driver.
        case vpcd
        /// A virtual USB, for programs and browsers that open readers there.
        case usb
        /// The same chip as for `libnfc`, over a TCP connection.
        case pn532TCP = "pn532-tcp"
        /// felica-rs' remote driver.
        case felicaRS = "felica-rs"
        /// The client of the Proxmark3.
        case proxmark3

        /// The variable with the address of a port-based transport, which opens only on request, or `nil` for the other
        /// transports.
        public var addressVariable: String? {
            switch self {
            case .nfcpy: "TAPSIM_NFCPY"
            case .pn532TCP: "TAPSIM_PN532_TCP"
            case .felicaRS: "TAPSIM_FELICA_RS"
            case .proxmark3: "TAPSIM_PROXMARK3"
            case .pcsc, .libnfc, .vpcd, .usb: nil
            }
        }

        /// The placeholder for the address in the arguments of a client, which also requests the transport.
        public var placeholder: String { "{\(rawValue)}" }

        /// The transports that use ports of this machine.
        public static var atPorts: [Transport] { allCases.filter { $0.addressVariable != nil } }
    }

    public var model: ReaderModel
    /// The PC/SC name that replaces the model's name, without the numbers that the service appends.
    public var name: String?
    /// The only transport to open, or `nil` for every transport that needs no system service.
    public var transport: Transport?
    /// The port at which vpcd listens on this machine, if not ``defaultPort``.
    public var port: UInt16?
    /// The card to take if several are present, or `nil` for the first one found.
    public var pick: String?

    /// The port in the configuration that the Debian package of vpcd installs.
    public static let defaultPort: UInt16 = 35963
    /// The maximum length of a name in bytes: the 128 of PC/SC less its terminator and the appended numbers.
    public static let maximumNameLength = 120

    /// Returns whether PC/SC can carry a text as the name of a reader.
    package static func isName(_ text: String) -> Bool {
        1...maximumNameLength ~= text.utf8.count && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    public init(_ model: ReaderModel, name: String? = nil, transport: Transport? = nil, port: UInt16? = nil) {
        self.model = model
        self.name = name
        self.transport = transport
        self.port = port
    }

    /// The reader of a scenario that names none; every way of reading a card is tried on it first.
    public static let `default` = ReaderSpec(.default)

    /// The reason why the model cannot be reached through its transport, and a hint, or `nil` if it can.
    package var troubleWithTransport: (String, hint: String)? {
        guard transport == .usb, !model.isOnUSB else { return nil }
        let others = ReaderModel.allCases.filter(\.isOnUSB).map { "`\($0.rawValue)`" }
        return ("`\(model.rawValue)` is not a USB device", "use \(ListText.choice(others))")
    }

    /// A Boolean value that indicates whether the model accepts APDUs over USB and finds cards by itself.
    private var speaksAPDUs: Bool { [.acr122u, .rcs300].contains(model) }

    fileprivate var looksForCards: Bool {
        switch transport {
        case .nfcpy, .libnfc, .pn532TCP, .felicaRS, .proxmark3: false
        case .usb: speaksAPDUs
        case .pcsc, .vpcd, nil: true
        }
    }

    /// Returns whether the reader can show a fault through its transport, if known.
    ///
    /// On a line it is a bare chip; over USB it depends on the model.
    package func canCarry(_ fault: ReaderFault) -> Bool {
        switch transport {
        case .libnfc, .pn532TCP: fault.isOfChip || fault.isOfFrame
        case .nfcpy, .felicaRS, .proxmark3: false
        case .usb: fault.isOfChip ? model.hasPN532 : speaksAPDUs || fault.isOfFrame
        case .pcsc, .vpcd, nil: !fault.isOfChip || model == .acr122u
        }
    }

    package var node: Node {
        guard name != nil || transport != nil || port != nil || pick != nil else { return .text(model.rawValue) }
        return ReaderLanguage.table.node(self)
    }
}

public struct NamedReader: Hashable, Sendable {
    /// The maximum number of readers of a case.
    ///
    /// Source: pcsc-lite, PCSCLITE_MAX_READERS_CONTEXTS.
    public static let maximumCount = 16

    public let name: String
    public var spec: ReaderSpec

    public init(_ name: String = ReaderField.defaultName, spec: ReaderSpec) {
        self.name = name
        self.spec = spec
    }
}

extension ScenarioCase {
    /// The first reader, which has the cards unless the timeline says otherwise, or `nil` if the file leaves the readers to
    /// the run.
    public var reader: ReaderSpec? { readers.first?.spec }

    /// The readers (default: a single default reader).
    public var readersOrDefault: [NamedReader] { readers.isEmpty ? [NamedReader(spec: .default)] : readers }

    /// The case with its readers changed; if it names none, changes the default reader.
    public func changingReaders(_ change: (inout ReaderSpec) -> Void) -> ScenarioCase {
        var copy = self
        copy.readers = readersOrDefault
        for index in copy.readers.indices { change(&copy.readers[index].spec) }
        return copy
    }

    /// A Boolean value that indicates whether a step or a fault waits for a client to connect to a reader or to disconnect.
    public var waitsForConnections: Bool {
        let ofSteps = timeline.remaining.compactMap { step -> EventPattern? in
            if case .event(let trigger) = step.trigger { trigger.event } else { nil }
        }
        return (ofSteps + plan.entries.map(\.trigger.event)).contains { event in
            switch event {
            case .reader(.connected, _), .reader(.disconnected, _): true
            default: false
            }
        }
    }

    /// Returns whether the client asks for a port-based transport.
    public func asks(for transport: ReaderSpec.Transport) -> Bool {
        if case .program(let client)? = client { client.asks(for: transport) } else { false }
    }

    /// The case for a client that reads its cards without a reader.
    package var withoutReaders: ScenarioCase {
        var copy = self
        copy.readers = []
        return copy
    }

    var readerFields: [ReaderField] { readers.map { ReaderField($0.name, pick: $0.spec.pick) } }

    /// The entry of a file that defines the readers.
    var readerNode: (key: String, node: Node)? {
        guard let first = readers.first else { return nil }
        if readers.count == 1, first.name == ReaderField.defaultName { return ("reader", first.spec.node) }
        return ("readers", .map(readers.map { (key: $0.name, value: $0.spec.node) }))
    }
}

enum ReaderLanguage {
    static let shape = Shape.variants([.word(ReaderModel.self), .map(table.keys)])

    static let table = FieldTable(
        "a reader", ReaderSpec.default,
        [
            Field(
                "model", \.model, .word, "The model of the reader.", isRequired: true, synonyms: ["type", "kind"]),
            Field(
                "name", \.name, .rule(ReaderNameRule()),
                "The PC/SC name of the reader. Default: the name of the model.", synonyms: ["friendly_name"]),
            Field(transport, \.transport),
            Field(port, \.port), Field(pick, \.pick),
        ])

    private static let transport = TypedKey<ReaderSpec.Transport>(
        "over", .word, "The only transport over which a program can use the reader.", synonyms: ["transport", "via"])
    private static let port = TypedKey(
        "port", FieldForm<UInt16>.integer(1...65535),
        "With `over: vpcd`, the port on which the vpcd driver listens.", standard: ReaderSpec.defaultPort)
    private static let pick = TypedKey(
        "pick", .text(.cardName), "The card to select if several are on the reader. Default: the first one found.",
        synonyms: ["prefer", "card"])

    static let named = Shape.map(of: NameRule("the name of a reader"), to: shape)

    /// Decodes the reader under `reader`, or the readers under `readers`.
    static func decode(
        one: ValueReader?, several: ValueReader?, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> [NamedReader] {
        if let one { return [NamedReader(spec: decode(one, names, into: &diagnostics))] }
        guard let several else { return [] }
        let readers = several.named.map { NamedReader($0.name.text, spec: decode($0.value, names, into: &diagnostics)) }
        if !(1...NamedReader.maximumCount).contains(readers.count) {
            diagnostics.report(
                Diagnostic(
                    .wrongCount, "`readers` has \(CountText.of(readers.count, "reader"))", at: several.node,
                    hint: "expected 1 to \(NamedReader.maximumCount), the limit of PC/SC"))
        }
        checkTransports(of: readers, at: several, into: &diagnostics)
        return readers
    }

    /// Reports resources that two readers cannot share.
    private static func checkTransports(
        of readers: [NamedReader], at value: ValueReader, into diagnostics: inout Diagnostics
    ) {
        for (index, reader) in readers.enumerated() {
            let isTaken = readers[..<index].contains { earlier in
                earlier.spec.transport == reader.spec.transport && earlier.spec.port == reader.spec.port
            }
            let trouble: (String, hint: String)? =
                switch reader.spec.transport {
                case .vpcd: ("two readers use the same vpcd port", "give each reader a different `port`")
                case .nfcpy, .libnfc, .pn532TCP, .felicaRS, .proxmark3:
                    (
                        "two readers use \(reader.spec.transport?.rawValue ?? ""), which supports only one",
                        "use `over: pcsc` for the other readers"
                    )
                case .pcsc, .usb, nil: nil
                }
            guard isTaken, let trouble else { continue }
            diagnostics.report(
                Diagnostic(.contradiction, trouble.0, at: value.named[index].value.node, hint: trouble.hint))
        }
    }

    private static func decode(
        _ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> ReaderSpec {
        guard value.kind == .map else { return ReaderSpec(value.word()) }
        let map = value.map
        let spec = table.value(map)
        if let over = transport.reader(in: map), let trouble = spec.troubleWithTransport {
            diagnostics.report(Diagnostic(.contradiction, trouble.0, at: over.node, hint: trouble.hint))
        }
        if let port = Self.port.reader(in: map), spec.transport != .vpcd {
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`port` has no effect without `over: vpcd`", at: port.node,
                    hint: "remove it; other transports pass their address to the client in an environment variable"))
        }
        let pick = Self.pick.reader(in: map)
        if let pick, let transport = spec.transport, !spec.looksForCards {
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`pick` has no effect with `over: \(transport.rawValue)`", at: pick.node,
                    hint: "remove it; with this transport, the client searches for cards itself"))
        }
        if let pick { _ = names.card(pick, into: &diagnostics) }
        return spec
    }
}

/// A name of a reader that PC/SC can carry.
struct ReaderNameRule: ScalarRule {
    var noun: String { "a reader name of 1 to \(ReaderSpec.maximumNameLength) printable ASCII characters" }

    func parse(_ text: String) throws(ScalarProblem) -> String {
        guard ReaderSpec.isName(text) else {
            throw ScalarProblem(.notName, "cannot be the name of a reader", hint: "expected \(noun)")
        }
        return text
    }

    var schema: ScalarSchema {
        ScalarSchema(
            .pattern("[ -~]{1,\(ReaderSpec.maximumNameLength)}"), numbers: .any, admitsBooleans: true, admitsNull: true)
    }

    var needsQuotes: Bool { true }
}
