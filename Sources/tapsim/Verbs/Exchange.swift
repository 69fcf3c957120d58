import TapCards
import TapDoors
import TapField
import TapReport
import TapScenario
import TapWire

extension Verb {
    /// `tapsim exchange`: speaks to a card in lines of text.
    static let exchange = Verb(
        name: "exchange",
        usages: ["CARDFILE"],
        summary: "Send frames from standard input to a card, a line each, and print its answers.",
        details: """
            A CARDFILE is a scenario file with one card. A line is a frame in hexadecimal: FeliCa as LEN and payload, type A
            without CRC, 26:7 for seven bits. The answer is a line: hexadecimal, A:4 for four bits, - for silence. Further
            lines: @select looks for the card and selects it, @off and @on switch the field, @cycle does both; blank lines
            and those that begin with # are skipped.
            """,
        options: [
            .flag("--crc", "Frames carry their CRC, in both directions."),
            .value("--seed", "N", "The seed of everything drawn by chance."),
        ],
        run: { arguments, console in try exchange(arguments, console) })

    private static func exchange(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        guard arguments.operands.count == 1, let path = arguments.operands.first else {
            throw UsageError("name one card file")
        }
        let seed = try arguments.number("--seed", as: UInt64.self)
        let (scenarioCase, card) = try cardFile(path, seed, console)
        let world = scenarioCase.makeWorld(trace: .off)
        var exchange = LineExchange(
            world, technology: card.definition.family == .felica ? .felica212 : .typeA106,
            hasCRC: arguments.isGiven("--crc"))
        var input = LineInput()
        var code = ExitCode.passed
        var number = 0
        while let line = try input.next() {
            number += 1
            do {
                if let answer = try answer(line, &exchange) { console.print(answer) }
            } catch {
                // The other side counts lines, so a line that is no frame is answered as well.
                console.print("?")
                console.printError("line \(number): \(PrintableText.line("\(error)"))")
                code = .usage
            }
        }
        return code
    }

    private static func answer(_ line: LineBuffer.Line, _ exchange: inout LineExchange) throws -> String? {
        guard case .text(let text) = line else {
            throw UsageError("a line has at most \(LineInput.maximumLength) bytes")
        }
        return try exchange.answer(text)
    }

    /// The case of a file that has exactly one card, and the card.
    private static func cardFile(
        _ path: String, _ seed: UInt64?, _ console: Console
    ) throws -> (ScenarioCase, ScenarioCase.NamedCard) {
        guard
            let scenarioCase = try ScenarioFiles.load([path], ScenarioArguments(seed: seed), console: console).first?
                .cases.first
        else {
            throw VerbError(.usage, "\(path) has no case")
        }
        guard let card = scenarioCase.cards.first, scenarioCase.cards.count == 1 else {
            let names = scenarioCase.cards.map(\.name).joined(separator: ", ")
            throw VerbError(
                .usage, "a card file has exactly one card, \(path) has \(names.isEmpty ? "none" : names)")
        }
        return (scenarioCase, card)
    }
}
