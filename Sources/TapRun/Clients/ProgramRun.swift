import TapDoors
import TapField
import TapScenario

extension CaseRun {
    /// Starts a program, lets it through every door, and waits for its end.
    func run(_ client: ProgramClient, _ scenarioCase: ScenarioCase) throws(RunError) -> RunRecord {
        let host = scenarioCase.makeHost(observer: observer)
        let doors = try OpenDoors(on: host, scenarioCase.reader ?? .usual)
        defer {
            doors.close()
            host.close()
        }
        let variables = doors.variables + scenarioCase.clientVariables
        clientEnvironment?(variables)
        if let door = doors.settle() {
            throw RunError(
                .environment,
                "no reader of pcscd's driver \(door.name) waits for a card at port \(scenarioCase.reader?.port ?? VpcdDoor.usualPort); "
                    + "start pcscd, name its port with --door \(door.name):PORT, or leave out the door")
        }
        let outcome = try start(client, variables: variables, limits: limits(of: client, scenarioCase))
        // Closed before the world is looked at, so that no late frame changes it.
        doors.close()
        host.close()
        return RunRecord(
            world: host.snapshot,
            client: ClientReport(outcome, isExhausted: host.isExhausted),
            doorsOpened: doors.doors.map { .init(name: $0.name, variable: $0.environment?.name) },
            doorUsed: doors.used?.name, service: doors.serviceUse)
    }

    func limits(of client: ProgramClient, _ scenarioCase: ScenarioCase) -> ClientLimits {
        let wall = min(scenarioCase.limits.wall, client.killAfter ?? scenarioCase.limits.wall)
        return ClientLimits(wall: hasTimeLimit ? wall : nil)
    }

    func start(
        _ client: ProgramClient, variables: [(name: String, value: String)], limits: ClientLimits
    ) throws(RunError) -> ClientOutcome {
        var environment = Dictionary(variables.map { ($0.name, $0.value) }) { first, _ in first }
        for variable in client.environment { environment[variable.name] = variable.value }
        let path = environment["TAPSIM_NFCPY"] ?? ""
        let arguments = client.arguments.map { Self.replacing("{nfcpy}", by: path, in: $0) }
        let command = ClientCommand(arguments, environment: environment, input: client.input)
        do {
            return try ClientProcess.run(command, limits: limits, observer: clientOutput)
        } catch {
            throw RunError(error.code == .system ? .environment : .client, error.description)
        }
    }

    /// `text` with every `word` replaced.
    private static func replacing(_ word: String, by value: String, in text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{") {
            result += rest[..<start]
            rest = rest[start...]
            if rest.hasPrefix(word) {
                result += value
                rest = rest.dropFirst(word.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }
}

extension ClientReport {
    /// Reports on a program; its result is its standard output, if that is JSON.
    init(_ outcome: ClientOutcome, isExhausted: Bool) {
        let end: End =
            switch outcome.end {
            case .exit where isExhausted: .exchangeLimit
            case .exit(let code): .exit(code)
            case .signal(let number): .signal(number)
            case .timeLimit: .timeLimit
            }
        self.init(
            end: end, standardOutput: outcome.standardOutput.text, standardError: outcome.standardError.text,
            result: Self.json(outcome.standardOutput.bytes), wall: outcome.wall)
    }

    private static func json(_ bytes: [UInt8]) -> Node? {
        var diagnostics = Diagnostics()
        let file = SourceFile(name: "standard output", bytes: bytes)
        let node = JSONReader().read(file, into: &diagnostics)
        return diagnostics.hasErrors ? nil : node
    }
}
