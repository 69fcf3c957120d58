import TapCards
import TapTransports
import TapSystem
import TapField
import TapReport
import TapScenario
import TapServe
import TapWire

extension Verb {
    static let exchange = Verb(
        name: "exchange",
        usages: ["CARDFILE"],
        summary: "Send frames to a card, one per line, from standard input or a socket.",
        examples: [Example("Send one frame to a card", "echo 0600FFFF0100 | tapsim exchange suica.yaml")],
        details: """
            A CARDFILE is a scenario file with one card. Each line is a frame in hexadecimal:
            FeliCa as LEN and payload, type A without CRC, 26:7 for seven bits. Each answer is
            a line: hexadecimal, A:4 for four bits, - for silence, ? for an invalid line.
            Standard error explains invalid lines: the first 20, then one per second. Other
            lines: @select looks for the card and selects it, @off and @on switch the field,
            @cycle does both; blank lines and lines that begin with # are skipped.
            """,
        more: """
            With --listen the lines come over a socket, from one client after another, until
            the command is interrupted or the process that started it ends. A line on standard
            output contains the address, with the port that the system chose for tcp:0. The
            card stays as the previous client left it: begin with @cycle for a card that has
            just entered the field. Any user of the machine can connect to a port, so a token
            follows tcp:PORT: a client is answered only if its first line is @token and that
            token. In a shell:

              address=$(tapsim exchange CARDFILE --listen unix:card --parent $$ &)
              set -- $(tapsim exchange CARDFILE --listen tcp:0 --parent $$ &)

            Here $$ is the shell itself; $1 is then tcp:PORT, and $2 the token.
            """,
        options: [
            .flag("--crc", "Use frames with their CRC, in both directions"),
            .value(
                "--listen", "ADDRESS",
                "Listen at unix:PATH (this user only) or tcp:PORT (loopback, with a token)"),
            ParentArgument.option,
            .value("--seed", "N", "Set the seed of all random choices"),
        ],
        run: { arguments, context in try exchange(arguments, context) })

    private static func exchange(_ arguments: Arguments, _ context: CommandContext) throws -> ExitCode {
        guard arguments.operands.count == 1, let path = arguments.operands.first else {
            throw UsageError("name one card file")
        }
        let seed = try arguments.number("--seed", as: UInt64.self)
        let address = try address(arguments, in: context.folder)
        let parent = try ParentArgument.process(arguments)
        let (scenarioCase, card) = try cardFile(path, seed, context)
        // A client that sends line by line cannot run forever, so it needs no limit.
        let order = try AuditOrder.ofEnvironment(context)
        let told = order?.applied(to: scenarioCase) ?? scenarioCase
        var world = told.makeWorld(trace: Trace(keepsEvents: false, observer: order?.observer()))
        world.exchangeLimit = .max
        let exchange = LineExchange(
            world, technology: card.definition.family.isFeliCa ? .felica212 : .typeA106,
            hasCRC: arguments.isGiven("--crc"))
        if let address { return try serve(exchange, at: address, until: parent, context.console) }
        return try answerInput(exchange, context)
    }

    private static func address(_ arguments: Arguments, in folder: WorkingFolder) throws(UsageError) -> LineAddress? {
        guard let text = arguments.value("--listen") else {
            guard !arguments.isGiven("--parent") else { throw UsageError("`--parent` needs `--listen`") }
            return nil
        }
        guard let address = LineAddress(text) else {
            let isPort = text.hasPrefix("tcp:")
            throw UsageError(
                "`--listen` cannot be `\(text)`",
                help: isPort ? "a port is a number from 0 to 65535" : "write unix:PATH or tcp:PORT")
        }
        guard case .unix(let path) = address else { return address }
        return .unix(folder.path(to: path))
    }

    static func answerInput(_ exchange: LineExchange, _ context: CommandContext) throws -> ExitCode {
        var exchange = exchange
        let console = context.console
        var input = LineInput(context.input, maximumLength: LineExchange.maximumLineLength)
        var code = ExitCode.passed
        var number = 0
        var complaints = MessageLimit()
        let report = { (line: String?) in if let line { console.printError(line) } }
        defer { report(complaints.rest()) }
        while let line = try input.next() {
            number += 1
            var output: [UInt8] = []
            let problem = exchange.answer(line, into: &output)
            console.printAsIs(output)
            if let problem {
                report(complaints.line(for: "line \(number): \(PrintableText.line("\(problem)"))", at: .now))
                code = .usage
            }
        }
        return code
    }

    private static func serve(
        _ exchange: LineExchange, at address: LineAddress, until parent: ProcessWatch, _ console: Console
    ) throws(VerbError) -> ExitCode {
        do {
            let end = try ServiceEnd(with: parent)
            let complaints = Lock(MessageLimit())
            let server = try LineServer(exchange, at: address) { complaint in
                let line = complaints.withLock { $0.line(for: PrintableText.line("\(complaint)"), at: .now) }
                if let line { console.printError(line) }
            }
            console.print("\(server.address)" + (server.token.map { " \($0)" } ?? ""))
            console.endOutput()
            end.wait()
            server.close()
            if let line = complaints.withLock({ $0.rest() }) { console.printError(line) }
            return .passed
        } catch {
            throw VerbError(.environment, "\(error)")
        }
    }

    /// Loads a file with exactly one card, and returns its case and the card.
    private static func cardFile(
        _ path: String, _ seed: UInt64?, _ context: CommandContext
    ) throws -> (ScenarioCase, ScenarioCase.NamedCard) {
        guard
            let scenarioCase = try ScenarioFiles.load([path], ScenarioArguments(seed: seed), context).first?
                .cases.first
        else {
            throw VerbError(.usage, "\(path) has no case")
        }
        guard let card = scenarioCase.cards.first, scenarioCase.cards.count == 1 else {
            let names = scenarioCase.cards.map(\.name).joined(separator: ", ")
            throw VerbError(
                .usage, "a card file has exactly one card, but \(path) has \(names.isEmpty ? "none" : names)")
        }
        return (scenarioCase, card)
    }
}
