import TapDocument
import TapField
import TapReaders
import TapWire

/// A reader before which cards lie.
public struct ReaderSpec: Hashable, Sendable {
    /// A way by which a program reaches a reader.
    public enum Transport: String, Hashable, Sendable, CaseIterable {
        /// A private PC/SC service, for whatever uses libpcsclite.
        case pcsc
        /// nfcpy's UDP driver.
        case nfcpy
        /// A chip on a serial line, as libnfc drives it: a PN532, or that of the model.
        case libnfc
        /// The PC/SC service of the system, by its driver vpcd.
        case vpcd
        /// A virtual USB, for programs and browsers that open readers there.
        case usb
        /// The chip of `libnfc` over a TCP connection.
        case pn532TCP = "pn532-tcp"
        /// felica-rs' remote driver.
        case felicaRS = "felica-rs"
        /// The client of the Proxmark3.
        case proxmark3

        /// The variable that holds the address of a transport at a port, which opens only where it is asked for; `nil`
        /// for the others.
        public var addressVariable: String? {
            switch self {
            case .nfcpy: "TAPSIM_NFCPY"
            case .pn532TCP: "TAPSIM_PN532_TCP"
            case .felicaRS: "TAPSIM_FELICA_RS"
            case .proxmark3: "TAPSIM_PROXMARK3"
            case .pcsc, .libnfc, .vpcd, .usb: nil
            }
        }

        /// What stands for the address among the arguments of a client, and asks for the transport.
        public var placeholder: String { "{\(rawValue)}" }

        /// The transports at ports of this machine.
        public static var atPorts: [Transport] { allCases.filter { $0.addressVariable != nil } }
    }

    /// What kind of reader it is.
    public var model: ReaderModel
    /// Its name in PC/SC in place of that of the model, without the numbers the service appends.
    public var name: String?
    /// The one transport that is open, or `nil` for every transport that needs no system service.
    public var transport: Transport?
    /// Where vpcd listens on this machine, if not at ``defaultPort``.
    public var port: UInt16?
    /// The card it takes where several lie before it, or `nil` for the first it finds.
    public var pick: String?

    /// The port of the entry that the Debian package of vpcd installs.
    public static let defaultPort: UInt16 = 35963
    /// Most bytes of a name: the 128 of PC/SC with its end and the numbers behind it.
    public static let maximumNameLength = 120

    /// Whether PC/SC can carry a text as the name of a reader.
    package static func isName(_ text: String) -> Bool {
        1...maximumNameLength ~= text.utf8.count && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    public init(_ model: ReaderModel, name: String? = nil, transport: Transport? = nil, port: UInt16? = nil) {
        self.model = model
        self.name = name
        self.transport = transport
        self.port = port
    }

    /// The reader of a scenario that names none: one that every way of reading a card is tried on first.
    public static let `default` = ReaderSpec(.default)

    /// Why the model cannot be reached through its transport, and what to write instead; `nil` if it can.
    package var troubleWithTransport: (String, hint: String)? {
        guard transport == .usb, !model.isOnUSB else { return nil }
        let others = ReaderModel.allCases.filter(\.isOnUSB).map { "`\($0.rawValue)`" }
        return ("`\(model.rawValue)` is no device for the USB", "use \(ListText.choice(others))")
    }

    /// Whether what it is on USB takes APDUs and finds cards by itself.
    private var speaksAPDUs: Bool { [.acr122u, .rcs300].contains(model) }

    fileprivate var looksForCards: Bool {
        switch transport {
        case .nfcpy, .libnfc, .pn532TCP, .felicaRS, .proxmark3: false
        case .usb: speaksAPDUs
        case .pcsc, .vpcd, nil: true
        }
    }

    /// Whether the reader, as far as its transport is known, can do something wrong: on a line it is a bare PN532, over
    /// USB what the model is.
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
    /// Most readers of a case.
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
    /// The first reader, before which cards lie unless the timeline says otherwise; `nil` if the file leaves readers
    /// to the run.
    public var reader: ReaderSpec? { readers.first?.spec }

    /// The readers, with the default one where the file names none.
    public var readersOrDefault: [NamedReader] { readers.isEmpty ? [NamedReader(spec: .default)] : readers }

    /// The case with its readers changed; where it names none, the default one is changed.
    public func changingReaders(_ change: (inout ReaderSpec) -> Void) -> ScenarioCase {
        var copy = self
        copy.readers = readersOrDefault
        for index in copy.readers.indices { change(&copy.readers[index].spec) }
        return copy
    }

    /// Whether a step or a fault waits for a client to connect to a reader or to let it go.
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

    /// Whether the client asks for a transport at a port.
    public func asks(for transport: ReaderSpec.Transport) -> Bool {
        if case .program(let client)? = client { client.asks(for: transport) } else { false }
    }

    /// The case for a client that reads its cards without any reader.
    package var withoutReaders: ScenarioCase {
        var copy = self
        copy.readers = []
        return copy
    }

    /// The readers of the world.
    var readerFields: [ReaderField] { readers.map { ReaderField($0.name, pick: $0.spec.pick) } }

    /// The entry of a file that states the readers.
    var readerNode: (key: String, node: Node)? {
        guard let first = readers.first else { return nil }
        if readers.count == 1, first.name == ReaderField.defaultName { return ("reader", first.spec.node) }
        return ("readers", .map(readers.map { (key: $0.name, value: $0.spec.node) }))
    }
}

/// The keys of `reader` and `readers`.
enum ReaderLanguage {
    static let shape = Shape.variants([.word(ReaderModel.self), .map(table.keys)])

    static let table = FieldTable(
        "a reader", ReaderSpec.default,
        [
            Field(
                "model", \.model, .word, "What kind of reader it is.", isRequired: true, synonyms: ["type", "kind"]),
            Field(
                "name", \.name, .rule(ReaderNameRule()),
                "Its name in PC/SC in place of that of the model.", synonyms: ["friendly_name"]),
            Field(transport, \.transport),
            Field(port, \.port), Field(pick, \.pick),
        ])

    private static let transport = TypedKey<ReaderSpec.Transport>(
        "over", .word, "The one way by which a program reaches it.", synonyms: ["transport", "via"])
    private static let port = TypedKey(
        "port", FieldForm<UInt16>.integer(1...65535),
        "Where the driver vpcd listens, with `over: vpcd`.", standard: ReaderSpec.defaultPort)
    private static let pick = TypedKey(
        "pick", .text(.cardName), "The card it takes where several lie before it; the first it finds without it.",
        synonyms: ["prefer", "card"])

    /// Readers by name.
    static let named = Shape.map(of: NameRule("the name of a reader"), to: shape)

    /// The one reader of `reader`, or those of `readers`.
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
                    hint: "1 to \(NamedReader.maximumCount) needed, as PC/SC carries them"))
        }
        checkTransports(of: readers, at: several, into: &diagnostics)
        return readers
    }

    /// Refuses what two readers cannot share.
    private static func checkTransports(
        of readers: [NamedReader], at value: ValueReader, into diagnostics: inout Diagnostics
    ) {
        for (index, reader) in readers.enumerated() {
            let isTaken = readers[..<index].contains { earlier in
                earlier.spec.transport == reader.spec.transport && earlier.spec.port == reader.spec.port
            }
            let trouble: (String, hint: String)? =
                switch reader.spec.transport {
                case .vpcd: ("two readers wait for the same slot of vpcd", "give each a `port` of its own")
                case .nfcpy, .libnfc, .pn532TCP, .felicaRS, .proxmark3:
                    (
                        "two readers are over \(reader.spec.transport?.rawValue ?? ""), which knows one",
                        "use `over: pcsc` for the others"
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
                    .oneKeyOf, "`port` means nothing without `over: vpcd`", at: port.node,
                    hint: "the other transports tell a client by a variable where they are"))
        }
        let pick = Self.pick.reader(in: map)
        if let pick, let transport = spec.transport, !spec.looksForCards {
            diagnostics.report(
                Diagnostic(
                    .oneKeyOf, "`pick` means nothing with `over: \(transport.rawValue)`", at: pick.node,
                    hint: "its host looks for cards and takes what answers"))
        }
        if let pick { _ = names.card(pick, into: &diagnostics) }
        return spec
    }
}

/// The name of a reader as PC/SC can carry it.
struct ReaderNameRule: ScalarRule {
    var noun: String { "a reader name of 1 to \(ReaderSpec.maximumNameLength) printable ASCII characters" }

    func parse(_ text: String) throws(ScalarProblem) -> String {
        guard ReaderSpec.isName(text) else {
            throw ScalarProblem(.notName, "cannot be the name of a reader", hint: "\(noun) needed")
        }
        return text
    }

    var schema: ScalarSchema {
        ScalarSchema(
            .pattern("[ -~]{1,\(ReaderSpec.maximumNameLength)}"), numbers: .any, admitsBooleans: true, admitsNull: true)
    }

    var needsQuotes: Bool { true }
}
