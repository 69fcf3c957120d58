import TapTransports
import TapHost
import TapSystem
import TapJudge
import TapScenario
import TapServe

extension CaseRun {
    /// Starts a program, opens every transport for it, and waits for its end.
    func run(_ client: ProgramClient, _ scenarioCase: ScenarioCase) throws(RunError) -> RunRecord {
        guard let starts, let started = starts.take() else { return try run(client, scenarioCase, from: nil) }
        do {
            let record = try run(client, scenarioCase, from: started)
            starts.giveBack(started)
            return record
        } catch {
            // The process that makes copies has ended; running the client itself shows whether there is another problem.
            return try run(client, scenarioCase, from: nil)
        }
    }

    private func run(
        _ client: ProgramClient, _ scenarioCase: ScenarioCase, from started: StartedClients.Started?
    ) throws(RunError) -> RunRecord {
        if scenarioCase.readersOrDefault.contains(where: { $0.spec.transport == .usb }),
            let obstacle = USBObstacle.sentence(for: client.arguments, in: surroundings)
        {
            throw RunError(.client, obstacle)
        }
        let host = scenarioCase.makeHost(
            observer: observer, isWaiting: scenarioCase.isClientStaying, isByExchanges: scenarioCase.followsExchanges)
        defer { host.close() }
        let transports = try OpenTransports(
            on: host, scenarioCase, at: started?.place ?? .ownFolder, only: started?.transport)
        defer { transports.close() }
        let folder = if let started { started.folder } else { try Self.makeFolder() }
        defer { if started == nil { folder.remove() } }
        let coverage = measuresCoverage ? started?.coverage ?? (try? ClientCoverage()) : nil
        let variables = transports.variables(of: scenarioCase, in: folder) + (coverage?.variables ?? [])
        clientEnvironment?(variables)
        if let transport = transports.settle() { throw Self.unreachable(transport) }
        let file = { client.result.file.flatMap { folder.contents(of: $0, upTo: ResultSpec.maximumFileLength) } }
        let care = ClientSupervisor(
            client, scenarioCase, on: host, activity: { transports.activity },
            isReaderOpen: { transports.clientCount > 0 },
            resultFile: file)
        let bell = try Self.makeBell(on: host)
        _ = coverage?.take()
        let outcome = try start(
            client, variables: variables, limits: limits(of: client, scenarioCase), care: care, bell: bell,
            from: started?.origin(with: transports) ?? .file)
        // Closed before the final snapshot, so that no late frame changes it; the host first, because delayed answers wait
        // there.
        host.close()
        transports.close()
        if started?.hasMissedTransport == true {
            starts?.openAll()
            throw RunError(.environment, "a copy of the client has used a transport that was not opened for it")
        }
        var report = ClientReport(
            outcome, client, wall: scenarioCase.limits.wall, file: file(), isExhausted: host.isExhausted)
        report.marks = care.moments.marks(output: outcome.standardOutput.bytes, error: outcome.standardError.bytes)
        var record = RunRecord(
            world: host.snapshot, client: care.complete(report),
            transportsOpened: (started?.told ?? transports.transports).map {
                .init(name: $0.name, variable: $0.environment.first?.name)
            },
            transportUsed: transports.used?.name, service: transports.serviceUse)
        record.clockDecisions = care.clockDecisions
        record.edges = coverage?.take() ?? []
        // Checked only if it explains something: programs are large files.
        if record.transportUsed == nil {
            record.readsByPhone = FileLook(program: client.arguments[0], in: surroundings)?.readsByPhone ?? false
        }
        return record
    }

    static func makeFolder() throws(RunError) -> PrivateDirectory {
        do { return try PrivateDirectory() } catch { throw RunError(.environment, error.description) }
    }

    /// Returns a bell that rings whenever the field needs attention from outside.
    private static func makeBell(on host: FieldHost) throws(RunError) -> Bell {
        do {
            let bell = try Bell()
            try host.watch { bell.ring() }
            return bell
        } catch {
            throw RunError(.environment, error.description)
        }
    }

    private static func unreachable(_ transport: any Transport) -> RunError {
        let port = (transport as? VpcdTransport)?.port ?? ReaderSpec.defaultPort
        return RunError(
            .environment,
            "no reader of pcscd's driver \(transport.name) waits for a card at port \(port); "
                + "start pcscd, name its port with --transport \(transport.name):PORT, or leave out the transport")
    }

    func limits(of client: ProgramClient, _ scenarioCase: ScenarioCase) -> ClientLimits {
        let wall = min(scenarioCase.limits.wall, client.killAfter ?? scenarioCase.limits.wall)
        return ClientLimits(wall: hasTimeLimit ? wall : nil, grace: grace)
    }

    func start(
        _ client: ProgramClient, variables: [(name: String, value: String)], limits: ClientLimits,
        care: ClientSupervisor? = nil, bell: Bell? = nil, from origin: ClientOrigin = .file
    ) throws(RunError) -> ClientOutcome {
        let command = Self.command(client, variables, in: surroundings)
        do {
            return try ClientProcess.run(
                command, limits: limits, observer: clientOutput, attendant: care, bell: bell, from: origin)
        } catch {
            throw RunError(error.code == .system ? .environment : .client, error.description)
        }
    }

    static func command(
        _ client: ProgramClient, _ variables: [(name: String, value: String)], in surroundings: Surroundings
    ) -> ClientCommand {
        var environment = Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first }
        for variable in client.environment { environment[variable.name] = variable.value }
        var places = ["{run_dir}": environment["TAPSIM_RUN_DIR"] ?? ""]
        for transport in ReaderSpec.Transport.atPorts {
            places[transport.placeholder] = transport.addressVariable.flatMap { environment[$0] } ?? ""
        }
        let arguments = client.arguments.map { filling($0, from: places) }
        return ClientCommand(arguments, environment: environment, input: client.input, in: surroundings)
    }

    /// Replaces every known placeholder in braces.
    private static func filling(_ text: String, from places: [String: String]) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            result += rest[..<start]
            rest = rest[start...]
            if let end = rest.firstIndex(of: "}"), let value = places[String(rest[...end])] {
                result += value
                rest = rest[rest.index(after: end)...]
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }
}

extension ClientReport {
    init(
        _ outcome: ClientOutcome, _ client: ProgramClient, wall: Duration, file: [UInt8]?, isExhausted: Bool
    ) {
        let end: End =
            switch outcome.end {
            case .exit where isExhausted: .exchangeLimit
            case .exit(let code): .exit(code)
            case .signal(let number): .signal(number)
            case .timeLimit(let code, let crash):
                if let limit = client.killAfter, limit <= wall {
                    crash.map(End.signal) ?? .killed(after: limit, exit: code)
                } else {
                    .timeLimit
                }
            case .dismissed(let code): .dismissed(exit: code)
            }
        self.init(
            end: end, standardOutput: outcome.standardOutput.text, standardError: outcome.standardError.text,
            result: client.result.result(standardOutput: outcome.standardOutput.bytes, file: file), wall: outcome.wall)
    }
}

/// Splits a client's output into lines and matches patterns immediately, even against an unfinished line: a prompt has no line
/// end.
struct OutputWatch {
    private static let maximumLength = 1 << 16

    private var line: [UInt8] = []
    private var texts: [String] = []

    /// Adds output of the client and returns the lines that it completes.
    mutating func take(_ bytes: [UInt8]) -> [String] {
        let parts = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let lines = parts.dropLast().map { part in
            add(part)
            defer { line = [] }
            return String(decoding: line.last == 0x0D ? line.dropLast() : line[...], as: UTF8.self)
        }
        add(parts[parts.count - 1])
        texts += lines
        return lines
    }

    private mutating func add(_ part: ArraySlice<UInt8>) {
        line += part.prefix(Self.maximumLength - line.count)
    }

    /// Returns whether a pattern matches the output since the last ``forget()``.
    func hasSeen(_ pattern: LinePattern) -> Bool {
        texts.contains(where: pattern.isFound(in:)) || pattern.isFound(in: String(decoding: line, as: UTF8.self))
    }

    mutating func forget() { texts = [] }
}
