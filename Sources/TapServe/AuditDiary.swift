import TapSystem
import TapField
import TapWire

/// A record of what fields have seen, each item once: commands, whether the lie was told, and the answers that clients
/// received.
public struct AuditDiary: Hashable, Sendable {
    public enum Entry: Hashable, Sendable {
        case command(CommandName)
        case injected
        /// A client received an answer; a digest of the command and the answer.
        case received(UInt64)

        var line: String {
            switch self {
            case .command(let name): name.rawValue
            case .injected: "told"
            case .received(let digest): "received \(digest)"
            }
        }

        fileprivate init?(line: String) {
            let words = line.split(separator: " ")
            if line == Entry.injected.line {
                self = .injected
            } else if words.count == 2, words[0] == "received", let digest = UInt64(words[1]) {
                self = .received(digest)
            } else if let name = CommandName(line) {
                self = .command(name)
            } else {
                return nil
            }
        }
    }

    /// The maximum size of a diary in bytes: some hundred thousand different answers.
    public static let maximumBytes = 16 << 20

    public private(set) var commands: Set<CommandName> = []
    public private(set) var hasInjectedLie = false
    /// Digests of the commands and answers of clients.
    public private(set) var received: Set<UInt64> = []

    public init() {}

    /// Parses what fields have written; skips invalid lines.
    public init(_ bytes: [UInt8]) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            if let entry = Entry(line: String(line)) { _ = add(entry) }
        }
    }

    /// - Returns: `true` if the entry is new.
    public mutating func add(_ entry: Entry) -> Bool {
        switch entry {
        case .command(let name): return commands.insert(name).inserted
        case .received(let digest): return received.insert(digest).inserted
        case .injected:
            defer { hasInjectedLie = true }
            return !hasInjectedLie
        }
    }

    public func joined(with other: AuditDiary) -> AuditDiary {
        var joined = self
        joined.commands.formUnion(other.commands)
        joined.received.formUnion(other.received)
        joined.hasInjectedLie = hasInjectedLie || other.hasInjectedLie
        return joined
    }
}

/// Records what a field sees, each item once.
public final class AuditWitness: TraceObserver {
    private struct State {
        var diary = AuditDiary()
        /// A Boolean value that indicates whether a host gives commands to its reader, and so receives no frames itself.
        var hasReader = false
    }

    private let lie: Lie?
    private let other: (any TraceObserver)?
    private let note: @Sendable (AuditDiary.Entry) -> Void
    private let state = Lock(State())

    /// - Parameters:
    ///   - other: Another observer, which also gets all events.
    ///   - note: Called once for each entry, in the order in which the field sees them.
    public init(
        _ lie: Lie?, alongside other: (any TraceObserver)? = nil,
        note: @escaping @Sendable (AuditDiary.Entry) -> Void = { _ in }
    ) {
        self.lie = lie
        self.other = other
        self.note = note
    }

    public var diary: AuditDiary { state.withLock { $0.diary } }

    public func observe(_ event: TraceEvent, answering command: RFFrame?) {
        other?.observe(event, answering: command)
        state.withLock { state in
            if case .call(let call) = event.kind, call.layer.carriesData { state.hasReader = true }
            guard let entry = entry(for: event, answering: command, in: state), state.diary.add(entry) else { return }
            note(entry)
        }
    }

    private func entry(for event: TraceEvent, answering command: RFFrame?, in state: State) -> AuditDiary.Entry? {
        switch event.kind {
        case .command(let frame): CommandName(of: frame).map { .command($0) }
        case .fault(let fault): fault == lie?.fault ? .injected : nil
        case .call(let call) where call.layer.carriesData:
            .received(Fingerprint(call.command, call.outcome.words).value)
        case .answer(let frame, _, _, _) where !state.hasReader, .collision(let frame, _, _) where !state.hasReader:
            .received(Fingerprint(command?.bytes ?? [], frame.bytes).value)
        case .silence where !state.hasReader: .received(Fingerprint(command?.bytes ?? [], []).value)
        default: nil
        }
    }
}

extension HostCall.Layer {
    /// A Boolean value that indicates whether the layer's calls carry card answers to a host.
    fileprivate var carriesData: Bool {
        switch self {
        case .apdu, .control, .pn532, .port100, .usb: true
        case .pcsc, .phone: false
        }
    }
}

extension HostCall.Outcome {
    /// The answer, or the description of an outcome without an answer.
    fileprivate var words: [UInt8] {
        if case .answer(let bytes) = self { bytes } else { Array("\(self)".utf8) }
    }
}

/// The 64-bit FNV-1a hash of two texts and the length of the first.
///
/// Source: draft-eastlake-fnv, "The FNV Non-Cryptographic Hash Algorithm".
private struct Fingerprint {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ first: [UInt8], _ second: [UInt8]) {
        for octet in UInt64(first.count).octets + first + second {
            value = (value ^ UInt64(octet)) &* 0x0000_0100_0000_01B3
        }
    }
}
