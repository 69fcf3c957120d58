import TapField

/// A reader of a case and its name.
public struct NamedReader: Hashable, Sendable {
    /// Most readers of a case.
    ///
    /// Source: pcsc-lite, PCSCLITE_MAX_READERS_CONTEXTS.
    public static let maximumCount = 16

    /// The name by which the scenario speaks of it.
    public let name: String
    public var spec: ReaderSpec

    public init(_ name: String = ReaderField.defaultName, spec: ReaderSpec) {
        self.name = name
        self.spec = spec
    }
}

extension ScenarioCase {
    /// The first reader, before which cards lie unless the timeline says otherwise; nothing if the file leaves readers
    /// to whoever runs it.
    public var reader: ReaderSpec? { readers.first?.spec }

    /// The readers, with the usual one where the file names none.
    public var readersOrUsual: [NamedReader] { readers.isEmpty ? [NamedReader(spec: .usual)] : readers }

    /// The case with its readers changed; where it names none, the usual one is changed.
    public func changingReaders(_ change: (inout ReaderSpec) -> Void) -> ScenarioCase {
        var copy = self
        copy.readers = readersOrUsual
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

    /// Whether the client asks where nfcpy finds the cards.
    public var asksForNfcpy: Bool {
        if case .program(let client)? = client { client.asksForNfcpy } else { false }
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
