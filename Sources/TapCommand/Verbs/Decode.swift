import TapDescribe
import TapDocument
import TapReport
import TapWire

extension Verb {
    static let decode = Verb(
        name: "decode",
        usages: ["HEX…"],
        summary: "Explain every field of a frame, an APDU, an ATR or a block, in either direction.",
        examples: [Example("Explain a Polling command", "tapsim decode 0600FFFF0100")],
        details: """
            Bytes are hexadecimal, in one argument or several: FeliCa with or without LEN, CRC
            and preamble; type A with or without CRC, 26:7 for seven bits, A:4 for four; APDUs
            and their responses, status words, ATRs, packets of a PN532, PC/SC return codes,
            a single FeliCa block or NDEF message. --to gives the command that the bytes
            answer, which determines the blocks and pages they contain. If the bytes can be
            read in several ways, the likeliest is written out and the others are named;
            --all writes out all of them.
            """,
        options: [
            .value("--to", "HEX", "Treat the bytes as the answer to this command"),
            .flag("--all", "Write out every possible reading"),
            .flag("--json", "Print a JSON document instead of text"),
        ],
        run: { arguments, context in
            guard !arguments.operands.isEmpty else {
                throw UsageError("write a frame in hexadecimal, such as 0600FFFF0100")
            }
            let console = context.console
            let command = try arguments.value("--to").map { text throws(UsageError) in try Self.command(text) }
            let readings = try Self.readings(arguments.operands.joined(separator: " "), answering: command)
            if arguments.isGiven("--json") {
                console.print(json: readings.node)
            } else {
                show(readings, all: arguments.isGiven("--all"), console)
                if command == nil, readings.first?.lacksItsCommand == true {
                    console.print("\nUse --to COMMAND to decode the contents of the blocks as well.")
                }
            }
            return .passed
        })

    private static func command(_ text: String) throws(UsageError) -> FrameReading {
        guard let command = try readings(text).first(where: \.isCommand) else {
            throw UsageError("`--to \(text)` is not a command that TapSim knows")
        }
        return command
    }

    private static func readings(
        _ text: String, answering command: FrameReading? = nil
    ) throws(UsageError) -> [FrameReading] {
        do {
            return try FrameReading.all(of: text, answering: command)
        } catch {
            throw UsageError("\(error)", help: LookAlike.advice(on: text))
        }
    }

    private static func show(_ readings: [FrameReading], all: Bool, _ console: Console) {
        let shown = all ? readings[...] : readings.prefix(1)
        let isCertain = readings.first?.isCertain ?? true
        if !isCertain { console.print("These bytes are ambiguous. They could be:\n") }
        console.print(shown.map { $0.text(console.style) }.joined(separator: "\n\n"))
        let rest = readings.dropFirst(shown.count)
        guard !rest.isEmpty else { return }
        console.print(isCertain ? "\nor, less likely (--all):" : "\nor (--all):")
        for reading in rest {
            console.print("  \(reading.description.title): \(reading.reasons.joined(separator: "; "))")
        }
    }
}

extension FrameReading {
    /// A Boolean value that indicates whether this is a response to Read whose blocks cannot be interpreted without the
    /// command.
    fileprivate var lacksItsCommand: Bool {
        description.command?.rawValue == "felica.read" && !isCommand
            && description.fields.contains { $0.bytes.count == BlockData.byteCount }
            && description.fields.allSatisfy(\.details.isEmpty)
    }

    fileprivate func text(_ style: TerminalStyle) -> String {
        var lines = [style.bold(description.title), "  \(style.muted(reasons.joined(separator: "; ")))"]
        let rows = description.fields.flatMap { field in
            [["  \(field.hex)", field.name, field.meaning]] + field.details.map { ["", "  \($0.name)", $0.meaning] }
        }
        lines += TextTable.lines(rows)
        if let remark = description.remark { lines.append("  " + style.severity(remark, .warning)) }
        return lines.joined(separator: "\n")
    }
}

extension FrameReading.Kind: OutputValue {}

extension FrameReading: OutputModel {
    package static let output = OutputTable<Self>(
        "reading", "A way to read bytes",
        .always("title", "The kind of bytes", \.description.title),
        .always("line", "A description in one line", \.description.line),
        .maybe(
            "command", "The command, or the command that is answered, by its name in scenarios",
            \.description.command?.rawValue),
        .always("is_command", "Whether a reader or host sends it", \.isCommand),
        .always("is_certain", "Whether other readings are unlikely", \.isCertain),
        .always("technology", "The technology in which such bytes occur", \.kind),
        .always("hex", "The bytes, without preamble and CRC") { Hex.text($0.frame.bytes) },
        .always("bits", "The number of bits", \.frame.bitCount),
        .always("reasons", "The reasons for this reading", \.reasons),
        .maybe("remark", "A problem with the bytes", \.description.remark),
        .always("fields", "All fields in order", \.description.fields))
}
