import TapCards
import TapField
import TapScenario
import TapWire

/// Compares a run with the recording that a card replayed.
enum RecordingJudge {
    static func failures(of test: ScenarioCase, in world: World) -> [Failure] {
        guard let recording = test.recording, recording.recording.mismatch == .fail,
            let card = world.card(named: recording.card)?.engine as? RecordedCard
        else { return [] }
        if let mismatch = card.mismatch { return [failure(of: mismatch, recording, in: world)] }
        guard let left = card.firstLeft else { return [] }
        let count = card.counts.indices.count {
            card.counts[$0] >= recording.recording.exchanges[$0].repeats.lowerBound
        }
        return [
            Failure(
                path: "recording  exchange \(left + 1)", source: recording.sources[left],
                expected: "\(CountText.of(card.counts.count, "recorded exchange"))",
                got: "\(count), without \(name(of: recording.recording.exchanges[left].command, test))",
                hint: "The client did less than in the recording.")
        ]
    }

    private static func failure(
        of mismatch: RecordedCard.Mismatch, _ recording: CaseRecording, in world: World
    ) -> Failure {
        let nearest = world.trace.exchanges.first { $0.command.bytes == mismatch.sent && $0.answers.isEmpty }?.number
        let exchanges = recording.recording.exchanges
        let isStrict = recording.recording.order == .strict
        guard let index = isStrict ? mismatch.index : mostAlike(mismatch.sent, in: exchanges) else {
            return Failure(
                path: "recording", source: recording.sources.last ?? nil, expected: "no command after the last",
                got: Hex.text(mismatch.sent, separator: " "), nearest: nearest)
        }
        return Failure(
            path: "recording  exchange \(index + 1)", source: recording.sources[index],
            expected: isStrict ? "the recorded command" : "a recorded command",
            got: isStrict ? "another command" : "none; this is the most similar one", nearest: nearest,
            comparison: AlignedBytes.lines(("recorded", exchanges[index].command), ("sent", mismatch.sent)))
    }

    /// Returns the exchange whose command shares the longest prefix with another command.
    private static func mostAlike(_ sent: [UInt8], in exchanges: [CardRecording.Exchange]) -> Int? {
        let shared = exchanges.map { exchange in zip(exchange.command, sent).prefix { $0 == $1 }.count }
        return shared.max().flatMap(shared.firstIndex)
    }

    private static func name(of command: [UInt8], _ test: ScenarioCase) -> String {
        guard test.recording?.recording.level == .frame else { return Hex.text(command, separator: " ") }
        let isFeliCa = test.cards.first { $0.name == test.recording?.card }?.definition.family.isFeliCa ?? true
        let name = CommandName(of: RFFrame(isFeliCa ? .felica212 : .typeA106, command))
        return name?.rawValue ?? Hex.text(command, separator: " ")
    }
}

/// Two rows of bytes, one below the other, with a mark below the first difference.
enum AlignedBytes {
    /// The number of bytes shown before the first difference, and from it on.
    private static let (before, after) = (8, 16)

    static func lines(_ first: (name: String, bytes: [UInt8]), _ second: (name: String, bytes: [UInt8])) -> [String] {
        let place = zip(first.bytes, second.bytes).prefix { $0 == $1 }.count
        let start = max(0, place - before)
        let width = max(first.name.count, second.name.count)
        let lead = start > 0 ? "… " : ""
        let rows = [first, second].map { row in
            let shown = row.bytes.dropFirst(start).prefix(place - start + after)
            let rest = row.bytes.count > start + shown.count ? " …" : ""
            return "\(row.name.rightPadded(to: width))  \(lead)\(Hex.text(shown, separator: " "))\(rest)"
        }
        let mark = String(repeating: " ", count: width + 2 + lead.count + 3 * (place - start)) + "^^"
        return rows + [mark]
    }
}
