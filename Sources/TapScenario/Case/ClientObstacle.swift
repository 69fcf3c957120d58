import TapDocument
import TapField

/// Something in a case that cannot happen with its client or readers.
public struct ClientObstacle: Hashable, Sendable, CustomStringConvertible {
    /// The key of the case that requires it.
    package let key: ScenarioKey
    /// A description of what cannot happen.
    public let description: String
    public let hint: String
    /// The line that requires it, if known.
    public var source: SourceReference?
    /// The number of the fault in the plan, counted from 0, if it is a fault.
    var fault: Int?

    /// The location, description and hint in one line.
    public var text: String { "\(source.map { "\($0): " } ?? "")\(description); \(hint)" }
}

/// The kind of client, which determines what can happen.
public enum ClientKind: Hashable, Sendable {
    case builtin
    /// A program, which may report that it is ready.
    case program(reportsReady: Bool)
    /// Programs that are started outside TapSim.
    case elsewhere
    /// An app that reads with Core NFC on a simulated phone.
    case app

    public init(_ client: ClientSpec) {
        switch client {
        case .builtin: self = .builtin
        case .program(let program): self = .program(reportsReady: program.ready != nil)
        }
    }
}

extension ScenarioCase {
    /// The first thing that cannot happen with a kind of client, or `nil` if everything can.
    ///
    /// Checking a file, every way of running it and phones all use this answer.
    public func obstacle(to client: ClientKind) -> ClientObstacle? {
        (client == .app ? nil : obstacleWithoutPhone) ?? obstacleBesidesPhone(to: client)
    }

    /// A warning about the first thing that needs a test of an app, if the file names another client.
    public var appNeed: Diagnostic? {
        client.flatMap { _ in obstacleWithoutPhone }.map { diagnostic(.needsApp, of: $0) }
    }

    /// The diagnostic for an obstacle, at its location in the file.
    func diagnostic(_ code: DiagnosticCode, of obstacle: ClientObstacle) -> Diagnostic {
        let place = document[.cases]?[0]?[obstacle.key] ?? document[obstacle.key]
        // The plan lists the phone's faults after the file's faults.
        let fault = obstacle.fault.flatMap { index in place?.items.count ?? 0 > index ? place?.items[index] : nil }
        return Diagnostic(code, obstacle.description, at: fault ?? place ?? document, hint: obstacle.hint)
    }

    /// The first thing that cannot happen with the client of the file, or with any client if the file names none.
    ///
    /// Faults of a phone count as possible with any client, since a test of an app can use the file.
    var contradiction: ClientObstacle? {
        client.map { obstacleBesidesPhone(to: ClientKind($0)) } ?? obstacleToFaults { cardNeed(of: $0) }
    }

    private func obstacleBesidesPhone(to client: ClientKind) -> ClientObstacle? {
        let need = { entry in client == .app ? self.cardNeed(of: entry) : self.need(of: entry, client) }
        if client != .app, let obstacle = obstacleToFaults(need) { return obstacle }
        if visits != nil, client == .builtin {
            return ClientObstacle(
                key: .taps,
                description: "`taps` requires a long-running client, but a built-in client reads once and ends",
                hint: "specify a program under `client.run` or after `--`")
        }
        if case .program = client, let transport = ReaderSpec.Transport.atPorts.first(where: asksInVain) {
            return ClientObstacle(
                key: .client,
                description: "no reader uses the transport of `\(transport.placeholder)`",
                hint:
                    "use `over: \(transport.rawValue)` or `--transport \(transport.rawValue)`, or specify no transport")
        }
        if case .program = client, case .program(let program)? = self.client,
            let (written, meant) = program.misspeltPlaceholder
        {
            return ClientObstacle(
                key: .client, description: "there is no placeholder `\(written)`", hint: "did you mean `\(meant)`?")
        }
        if case .program = client, let obstacle = clockObstacle { return obstacle }
        for step in timeline.remaining {
            if let obstacle = step.actions.lazy.compactMap({ self.obstacle(to: $0, client) }).first { return obstacle }
            if case .event(let trigger) = step.trigger,
                let obstacle = obstacle(to: trigger.event, in: .timeline, client)
            {
                return obstacle
            }
        }
        let found = plan.entries.lazy.compactMap { entry in
            self.obstacle(to: entry.trigger.event, in: .faults, client)
                ?? (client == .app ? obstacleInApp(to: entry) : nil)
        }.first
        return found ?? (client == .app ? obstacleToFaults(need) : nil)
    }

    /// Returns whether the client asks for a transport that no reader has; nfcpy can also use a reader on USB.
    private func asksInVain(for transport: ReaderSpec.Transport) -> Bool {
        let fitting: [ReaderSpec.Transport?] = [nil, transport] + (transport == .nfcpy ? [.usb] : [])
        return asks(for: transport) && !readers.isEmpty && !readers.contains { fitting.contains($0.spec.transport) }
    }

    private func obstacle(to action: Timeline.Action, _ client: ClientKind) -> ClientObstacle? {
        switch action {
        case .send:
            guard case .program = client else {
                return ClientObstacle(
                    key: .timeline,
                    description: "`send` has no effect: only a program that TapSim starts can read input",
                    hint: "specify a program under `client.run` or after `--`")
            }
            return nil
        case .plug(let name), .unplug(let name):
            if client == .app {
                return ClientObstacle(
                    key: .timeline, description: "a phone has no reader to plug in or unplug",
                    hint: "remove the card, or use `phone.radio_off`")
            }
            if client == .builtin, readers.isEmpty {
                return ClientObstacle(
                    key: .timeline,
                    description: "there is no reader to plug in or unplug: a built-in client reads without one",
                    hint: "specify a model under `reader`")
            }
            let line: String
            switch readers.first(where: { $0.name == name })?.spec.transport {
            case .nfcpy: line = "nfcpy's UDP driver"
            case .libnfc: line = "a serial line"
            case .pn532TCP, .felicaRS, .proxmark3: line = "a TCP connection"
            case .pcsc, .vpcd, .usb, nil: return nil
            }
            return ClientObstacle(
                key: .timeline,
                description: "the reader `\(name)` cannot be plugged in or unplugged: \(line) has no such event",
                hint: "use `over: pcsc`")
        case .tap, .remove, .swap, .note, .set: return nil
        }
    }

    private func obstacle(to event: EventPattern, in key: ScenarioKey, _ client: ClientKind) -> ClientObstacle? {
        switch (event, client) {
        case (.client(.ready), .program(reportsReady: false)):
            ClientObstacle(
                key: key,
                description:
                    "`client.ready` never happens: the file does not state what the client prints when it is ready",
                hint: "set `client.ready`, or wait for `client.line`")
        case (.client, .builtin), (.client, .elsewhere), (.client, .app):
            ClientObstacle(
                key: key,
                description: client == .builtin
                    ? "a built-in client has no such events: it is not started and prints no lines"
                    : "TapSim cannot observe a client that it did not start",
                hint: "wait for a command or for an event of a card")
        case (.reader(.connected, let name), _), (.reader(.disconnected, let name), _):
            connectionObstacle(name, key, client)
        default: nil
        }
    }

    private func connectionObstacle(_ name: String?, _ key: ScenarioKey, _ client: ClientKind) -> ClientObstacle? {
        if client == .builtin, readers.isEmpty {
            return ClientObstacle(
                key: key, description: "there is no reader to connect to: a built-in client reads without one",
                hint: "specify a model under `reader`, or wait for a command")
        }
        if client == .app {
            return ClientObstacle(
                key: key, description: "an app has no named reader to connect to",
                hint: "wait for `{phone: connected}`")
        }
        let meant = readers.filter { $0.name == name ?? $0.name }
        let isSeen = meant.isEmpty || meant.contains { $0.spec.transport == nil || $0.spec.transport == .pcsc }
        return isSeen || client == .builtin
            ? nil
            : ClientObstacle(
                key: key,
                description:
                    "connections to this reader cannot be observed: only the private PC/SC service reports them",
                hint: "use `over: pcsc`, or wait for a command")
    }
}

extension ScenarioCase {
    /// The first thing that needs an app reading cards on a phone, or `nil` if nothing does.
    private var obstacleWithoutPhone: ClientObstacle? {
        let hint = "use it in a test of an app, or remove it"
        for (index, entry) in plan.entries.enumerated() {
            let isOfPhone = if case .phone = entry.fault.kind.effect { true } else { false }
            guard isOfPhone || entry.trigger.event.isOfPhone else { continue }
            return ClientObstacle(
                key: .faults,
                description: "`\(entry.fault.kind.name)` can never be injected in this run: it needs an app that "
                    + "reads with Core NFC", hint: hint, source: entry.source, fault: index)
        }
        for step in timeline.remaining {
            guard case .event(let trigger) = step.trigger, trigger.event.isOfPhone else { continue }
            return ClientObstacle(
                key: .timeline,
                description: "the step never happens in this run: it waits for an app that reads with Core NFC",
                hint: hint, source: step.source)
        }
        return nil
    }

    /// The reason why a fault can never reach an app on a phone, or `nil` if it can.
    private func obstacleInApp(to entry: FaultPlan.Entry) -> ClientObstacle? {
        var needsReader = false
        if case .call = entry.trigger.event { needsReader = true }
        switch entry.fault.kind.effect {
        case .transport, .reader: needsReader = true
        default: break
        }
        guard needsReader else { return nil }
        return ClientObstacle(
            key: .faults,
            description:
                "`\(entry.fault.kind.name)` can never affect an app: its phone has neither PC/SC nor a "
                + "reader model", hint: "use a fault of the phone, such as `phone.connection_lost`",
            source: entry.source)
    }
}

extension ScenarioCase {
    /// Something the case lacks, and how to add it.
    private typealias Need = (text: String, hint: String)

    /// The first fault that needs something the case does not have.
    private func obstacleToFaults(_ need: (FaultPlan.Entry) -> Need?) -> ClientObstacle? {
        for (index, entry) in plan.entries.enumerated() {
            guard let need = need(entry) else { continue }
            return ClientObstacle(
                key: .faults, description: need.text, hint: need.hint, source: entry.source, fault: index)
        }
        return nil
    }

    private func cardNeed(of entry: FaultPlan.Entry) -> Need? {
        // Loading the file has already checked its faults against the content of its cards.
        CardNeed(
            entry.fault, at: entry.trigger.event, cards.map { ($0.name, $0.definition) }, holdsContent: false
        ).map { ($0.text, $0.hint) }
    }

    private func need(of entry: FaultPlan.Entry, _ client: ClientKind) -> Need? {
        guard let (missing, hint) = readerNeed(of: entry, client) else { return cardNeed(of: entry) }
        return ("`\(entry.fault.kind.name)` can never be injected in this run: it needs \(missing)", hint)
    }

    /// The reader, transport or client that a fault needs, if the case has a different one.
    private func readerNeed(of entry: FaultPlan.Entry, _ client: ClientKind) -> Need? {
        var needsService = false
        if case .call = entry.trigger.event { needsService = true }
        switch entry.fault.kind.effect {
        case .transport: needsService = true
        case .reader(let make):
            guard reader != nil || client != .builtin else { return ("a reader model", "specify one under `reader`") }
            let fault = make(entry.fault.arguments)
            guard (reader ?? .default).canCarry(fault) else {
                return fault.isOfChip
                    ? ("a PN532", "use `reader: acr122u`, or the transport `libnfc`")
                    : (
                        "a reader with a chip, which the transport `\(reader?.transport?.rawValue ?? "")` does not have",
                        "use the transport `pcsc`"
                    )
            }
        default: break
        }
        guard needsService else { return nil }
        guard client != .builtin else {
            return (
                "a client that calls PC/SC, but the built-in client does not",
                "specify a program under `client.run` or after `--`"
            )
        }
        return [nil, .pcsc].contains(reader?.transport)
            ? nil : ("the transport `pcsc`", "use it, or specify no transport")
    }
}

extension EventPattern {
    fileprivate var isOfPhone: Bool {
        if case .phone = self { true } else { false }
    }
}

/// An expectation of a file that a run does not judge, with the reason.
public struct DroppedExpectation: Hashable, Sendable {
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// The expectation concerns output, and another client writes differently.
        case anotherClient
        /// The expectation concerns a card after the run, and a real card cannot be inspected.
        case realCard
        /// The expectation concerns the end or output of a client that is started outside TapSim and cannot be observed.
        case clientElsewhere
        /// The expectation concerns exchanges over the air between a program and a real reader, which cannot be observed.
        case realReader
        /// The expectation concerns an app and its phone, and no phone reads the cards.
        case noPhone

        /// The reason as a phrase that follows `not judged, since`.
        public var text: String {
            switch self {
            case .anotherClient: "written for another client"
            case .realCard: "a real card cannot be inspected"
            case .clientElsewhere: "TapSim did not start the client"
            case .noPhone: "no app reads the cards on a phone"
            case .realReader: "exchanges between a program and a real reader cannot be observed"
            }
        }
    }

    /// The key of the expectation in the file, such as `expect.result`.
    public let key: String
    public let reason: Reason
}

extension [DroppedExpectation] {
    /// A line for each reason, with the keys that are not judged for that reason, each listed once.
    public var lines: [String] {
        DroppedExpectation.Reason.allCases.compactMap { reason in
            var keys: [String] = []
            for dropped in self where dropped.reason == reason && !keys.contains(dropped.key) {
                keys.append(dropped.key)
            }
            return keys.isEmpty ? nil : "not judged, since \(reason.text): \(keys.joined(separator: ", "))"
        }
    }
}
