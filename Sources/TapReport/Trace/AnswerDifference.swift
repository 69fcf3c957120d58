import TapDescribe
import TapDocument
import TapField
import TapWire

/// The differing answers of two cards to the same questions, compared with a list of known differences.
///
/// The cards are those of two probes, a real card and a virtual one. A question that was put to only one of them follows from
/// an earlier answer, and is counted; times are not compared.
public struct AnswerDifference: OutputModel {
    private struct Found {
        let entry: KnownDifferences.Entry
        let command: RFFrame
        let answers: (real: [RFFrame?], engine: [RFFrame?])
    }

    /// The differences that no entry covers.
    private let new: [Found]
    private let known: [KnownDifferences.Entry]
    /// Entries that no longer occur.
    private let gone: [KnownDifferences.Entry]
    private let questionCount: Int
    /// The number of questions that were put to only one card.
    private let unpairedCount: Int

    public init(_ real: Trace, _ engine: Trace, known list: KnownDifferences) {
        let (real, engine) = (Questions(real), Questions(engine))
        let shared = real.commands.filter { engine.answers[$0] != nil }
        let found = shared.compactMap { command -> Found? in
            let answers = (real: real.answers[command] ?? [], engine: engine.answers[command] ?? [])
            guard answers.real != answers.engine else { return nil }
            return Found(
                entry: .init(
                    Self.text(command), real: Self.text(answers.real), engine: Self.text(answers.engine)),
                command: command, answers: answers)
        }
        new = found.filter { found in !list.entries.contains { $0.isSame(as: found.entry) } }
        (known, gone) = list.entries.reduce(into: ([], [])) { parts, entry in
            if found.contains(where: { $0.entry.isSame(as: entry) }) {
                parts.0.append(entry)
            } else {
                parts.1.append(entry)
            }
        }
        questionCount = shared.count
        unpairedCount = real.commands.count + engine.commands.count - 2 * shared.count
    }

    /// A Boolean value that indicates whether all differences are known; a probe that ended early has questions that nothing
    /// explains.
    public var isKnown: Bool { new.isEmpty && (unpairedCount == 0 || !known.isEmpty) }

    public var lines: [String] {
        var lines: [String] = []
        for found in new {
            lines.append("≠ " + FrameDescription(command: found.command).line)
            lines += Self.lines("real  ", found.answers.real, to: found.command)
            lines += Self.lines("engine", found.answers.engine, to: found.command)
            lines.append("  - asked: \(found.entry.asked)")
            lines.append("    real: \(found.entry.real)")
            lines.append("    engine: \(found.entry.engine)")
            lines.append("    because: ")
        }
        lines += gone.map { "no longer: \($0.asked): \($0.because)" }
        if unpairedCount > 0 {
            let why =
                new.isEmpty && known.isEmpty
                ? "; no answer explains this: a probe ended early, or its reader could not carry them" : ""
            lines.append("\(CountText.of(unpairedCount, "question")) went to only one card\(why)")
        }
        let counts = ["\(new.count) new", "\(known.count) known", "\(gone.count) no longer there"]
        return lines + ["\(CountText.of(questionCount, "question")) to both: \(counts.joined(separator: ", "))"]
    }

    package static let output = OutputTable<Self>(
        "answer-difference", "The differences between the answers of two cards to a probe",
        .always("known", "Whether the list covers all differences", \.isKnown),
        .always("new", "The differences that it does not cover") { $0.new.map(\.entry) },
        .always("found", "The differences that it covers", \.known),
        .always("gone", "The entries of the list that no longer occur", \.gone),
        .always("questions", "The number of questions put to both cards", \.questionCount),
        .always("unpaired", "The number put to only one card, because an earlier answer differed", \.unpairedCount))

    private static func lines(_ name: String, _ answers: [RFFrame?], to command: RFFrame) -> [String] {
        answers.map { answer in
            "  \(name)  " + (answer.map { FrameDescription(answer: $0, to: command).line } ?? "silence")
        }
    }

    private static func text(_ answers: [RFFrame?]) -> String {
        answers.map { $0.map(text) ?? "silence" }.joined(separator: ", ")
    }

    /// Returns a frame as recordings contain it, with a placeholder for its IDm.
    private static func text(_ frame: RFFrame) -> String {
        guard frame.technology.isFeliCa else {
            return frame.bitCount == Acknowledgement.bitCount
                ? Hex.digits(frame.bytes[0], width: 1) : Hex.text(frame.bytes, separator: " ")
        }
        let slice = frame.bytes[...]
        let code = CommandCode(of: slice.span)
        let place = FeliCaPacket.idmOffset
        guard code != Polling.code, frame.bytes.count >= place + 8 else {
            return Hex.text(frame.bytes.dropFirst(), separator: " ")
        }
        let number = frame.bytes[place] >> 4
        let parts = [
            Hex.text(frame.bytes[1..<place], separator: " "), "{idm\(number == 0 ? "" : "\(number)")}",
            Hex.text(frame.bytes[(place + 8)...], separator: " "),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// The distinct questions of a probe, and their answers without repetitions.
private struct Questions {
    /// The questions in the order in which they first appeared.
    private(set) var commands: [RFFrame] = []
    private(set) var answers: [RFFrame: [RFFrame?]] = [:]

    init(_ trace: Trace) {
        for exchange in trace.exchanges {
            let answer = exchange.answers.first?.frame
            if answers[exchange.command] == nil { commands.append(exchange.command) }
            if answers[exchange.command]?.last != .some(answer) {
                answers[exchange.command, default: []].append(answer)
            }
        }
        // A question that was repeated until it was answered counts as answered.
        for command in commands where answers[command]?.contains(where: { $0 != nil }) == true {
            answers[command]?.removeAll { $0 == nil }
        }
    }
}
