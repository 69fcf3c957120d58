import TapCards
import TapDocument
import TapField
import TapWire

/// The recording of a case: the card it belongs to, and the location of each exchange in the file.
public struct CaseRecording: Sendable {
    /// The name of the card that answers from it.
    public let card: String
    public let recording: CardRecording
    /// The line of each exchange.
    public let sources: [SourceReference?]
    /// The recording as written in the file.
    let written: Node
}

package enum RecordingLanguage {
    package static let maximumExchanges = 5_000
    /// The maximum length of a frame in bytes: a FeliCa packet without LEN.
    package static let longestFrame = 254
    /// The maximum length of an APDU or its answer in bytes, as carried by pcsc-lite: 64 KiB of data, header, lengths, status
    /// word.
    package static let longestAPDU = 4 + 3 + 65_536 + 3 + 2

    static let table = KeyTable(
        "a recording",
        [card.key, level.key, atr.key, order.key, timing.key, mismatch.key, variables.key, exchanges.key])

    private static let card = TypedKey(
        "card", .value(.cardName), "The card whose exchanges they are; the only one without it.", synonyms: ["of"])
    private static let level = TypedKey(
        "level", FieldForm<CardRecording.Level>.word,
        "What was recorded: frames between a reader and a card, or APDUs between a program and a PC/SC reader.",
        standard: .frame)
    private static let atr = TypedKey(
        "atr", .value(.hex(2...33)),
        "With `level: apdu`, the ATR that the reader shows; without it, the one that it makes up for the card.")
    private static let order = TypedKey(
        "order", FieldForm<CardRecording.Order>.word,
        "Whether commands have to come in the recorded order; otherwise the same command is answered in that order.",
        standard: .strict)
    private static let timing = TypedKey(
        "timing", FieldForm<CardRecording.Timing>.word,
        "Whether answers come as fast as the card can, or after `took`.",
        standard: .asap)
    private static let mismatch = TypedKey(
        "on_mismatch", FieldForm<CardRecording.Mismatch>.word,
        "Whether a command that is not recorded there fails the run, or is answered by the card as it is described.",
        standard: .fail, synonyms: ["mismatch", "otherwise"])
    private static let variables = TypedKey(
        "vars", .value(.map(of: NameRule("the name of a variable"), to: .hex(1...longestFrame))),
        "Bytes that frames use as `{name}`.", synonyms: ["variables"])
    private static let exchanges = TypedKey(
        "exchanges", .value(.list(of: .map(exchange), count: 1...maximumExchanges)), "What was sent, in order.",
        isRequired: true, synonyms: ["frames", "list"])

    static let exchange = KeyTable(
        "a recorded exchange",
        [time.key, control.key, command.key, answer.key, silence.key, took.key, repeats.key, event.key, note.key],
        exactlyOne: [command.name, event.name], atMostOne: [answer.name, silence.name])

    private static let command = TypedKey(
        "cmd", .rule(RecordedFrameRule()), "The APDU, or the frame without CRC and, for FeliCa, without LEN.",
        synonyms: ["command", "sent", "send"])
    private static let answer = TypedKey(
        "rsp", .rule(RecordedFrameRule(isAnswer: true)),
        "The answer in the same form; one digit is an acknowledgement of a Type 2 Tag, `A` or a NAK. With `level: apdu` it "
            + "may be empty: a call that succeeded without bytes.",
        synonyms: ["response", "answer", "reply", "received"])
    private static let silence = TypedKey("silence", .boolean, "Whether the card did not answer, or the call failed.")
    private static let control = TypedKey(
        "control", .value(.hex(4...4)),
        "With `level: apdu`, the code of the `SCardControl` that sent it to the reader: `42 00 0D AC`.")
    private static let time = TypedKey(
        "t", .rule(SecondsRule()), "When it was, in seconds from the beginning of the recording; for whoever reads it.",
        synonyms: ["time", "at"])
    private static let took = TypedKey(
        "took", .duration, "How long after the command the answer began, for `timing: recorded`.", synonyms: ["delay"])
    private static let repeats = TypedKey(
        "repeat", .value(.range(0...1_000_000)), "How often it may come in a row; once without it.",
        synonyms: ["times", "count"])
    private static let event = TypedKey(
        "event", FieldForm<Event>.word,
        "What happened between two exchanges: the card left, or came back for another visit.")
    private static let note = TypedKey("note", .text, "A remark.", synonyms: ["comment"])

    private enum Event: String, CaseIterable {
        case removed = "card.removed"
        case placed = "card.placed"
    }

    static func decode(
        _ value: ValueReader, _ names: CardNames, into diagnostics: inout Diagnostics
    ) -> CaseRecording? {
        let map = value.map
        guard let card = map[card].map({ names.card($0, into: &diagnostics) }) ?? names.only else {
            diagnostics.report(
                Diagnostic(
                    .missingKey, "`card` is missing", at: value.node,
                    hint: "the scenario has several cards; say whose exchanges these are"))
            return nil
        }
        let level = map[level] ?? .frame
        if level == .frame { refuseAPDUKey(atr, of: map, into: &diagnostics) }
        var decoder = RecordedExchanges(
            level: level, isFeliCa: names.family(of: card)?.isFeliCa ?? true,
            Dictionary(
                (map[variables]?.named ?? []).map { ($0.name.text, $0.value.bytes) }, uniquingKeysWith: { $1 }))
        for item in map.required(exchanges).items { decoder.add(item, into: &diagnostics) }
        var recording = CardRecording(decoder.exchanges)
        recording.level = level
        recording.atr = map[atr]?.bytes
        recording.order = map[order] ?? .strict
        recording.timing = map[timing] ?? .asap
        recording.mismatch = map[mismatch] ?? .fail
        return CaseRecording(card: card, recording: recording, sources: decoder.sources, written: value.node)
    }

    private static func refuseAPDUKey<Value>(
        _ key: TypedKey<Value>, of map: MapReader, into diagnostics: inout Diagnostics
    ) {
        guard let place = key.reader(in: map)?.node else { return }
        diagnostics.report(
            Diagnostic(
                .contradiction, "frames have no `\(key.name)`", at: place,
                hint: "write `level: apdu` in a recording of what a program sent to a PC/SC reader"))
    }

    private struct RecordedExchanges {
        let level: CardRecording.Level
        let isFeliCa: Bool
        let variables: [String: [UInt8]]
        private(set) var exchanges: [CardRecording.Exchange] = []
        private(set) var sources: [SourceReference?] = []
        private var isAway = false

        init(level: CardRecording.Level, isFeliCa: Bool, _ variables: [String: [UInt8]]) {
            self.level = level
            self.isFeliCa = isFeliCa
            self.variables = variables
        }

        mutating func add(_ item: ValueReader, into diagnostics: inout Diagnostics) {
            let map = item.map
            guard let sent = map[command] else { return add(map[event], item, into: &diagnostics) }
            guard !isAway else {
                return diagnostics.report(
                    Diagnostic(
                        .contradiction, "an exchange comes after the card has left", at: item.node,
                        hint: "write `- {event: card.placed}` before it if the card came back"))
            }
            guard let frame = filled(sent, command, of: map, into: &diagnostics) else { return }
            var exchange = CardRecording.Exchange(frame.bytes, nil)
            if let received = map[answer] {
                exchange.answer = filled(received, answer, of: map, into: &diagnostics)
            } else if map[silence] != true {
                diagnostics.report(
                    Diagnostic(
                        .missingKey, "the exchange has no answer", at: item.node,
                        hint: "write `rsp`, or `silence: true` if the card said nothing"))
            }
            if level == .frame { refuseAPDUKey(control, of: map, into: &diagnostics) }
            exchange.controlCode = map[control]?.bytes.reduce(0) { $0 << 8 | UInt32($1) }
            exchange.delay = map[took]
            if let range = map[repeats]?.range {
                exchange.repeats = range.lower...(range.upper ?? .max)
            }
            exchanges.append(exchange)
            sources.append(item.source)
        }

        private mutating func add(_ event: Event?, _ item: ValueReader, into diagnostics: inout Diagnostics) {
            guard let last = exchanges.indices.last else {
                return diagnostics.report(
                    Diagnostic(
                        .contradiction, "nothing comes before the event", at: item.node,
                        hint: "a recording begins with an exchange of a card that is there"))
            }
            guard (event == .removed) != isAway else {
                return diagnostics.report(
                    Diagnostic(
                        .contradiction, isAway ? "the card has left already" : "the card has not left", at: item.node,
                        hint: "`card.removed` and `card.placed` take turns"))
            }
            isAway = event == .removed
            exchanges[last].endsVisit = true
            // A program may notice in another way that the card is gone, and not query it.
            let isFailure = level == .apdu && exchanges[last].answer == nil
            if isFailure, exchanges[last].repeats == 1...1 { exchanges[last].repeats = 0...1 }
        }

        /// The frame with LEN, if it has one, and with variables substituted.
        private func filled(
            _ pattern: RecordedFrame, _ key: TypedKey<RecordedFrame>, of map: MapReader,
            into diagnostics: inout Diagnostics
        ) -> CardRecording.Answer? {
            guard let place = key.reader(in: map)?.node else { return nil }
            if let nibble = pattern.nibble, level == .frame {
                return CardRecording.Answer([nibble], bitCount: Acknowledgement.bitCount)
            }
            var bytes: [UInt8] = []
            for part in pattern.parts {
                switch part {
                case .bytes(let own): bytes += own
                case .variable(let name):
                    guard let value = variables[name] else {
                        let names = variables.keys.sorted()
                        diagnostics.report(
                            Diagnostic(
                                .unknownName, "there is no variable `\(name)`", at: place,
                                hint: names.isEmpty
                                    ? "write `vars: {\(name): \"…\"}` in the recording"
                                    : "there are \(names.joined(separator: ", "))"))
                        return nil
                    }
                    bytes += value
                }
            }
            let isFrame = level == .frame
            let longest = isFrame ? longestFrame : longestAPDU
            let isEmptyAnswer = bytes.isEmpty && !isFrame && key.name == answer.name
            guard isEmptyAnswer || 1...longest ~= bytes.count else {
                let least = !isFrame && key.name == answer.name ? 0 : 1
                diagnostics.report(
                    Diagnostic(
                        .outOfRange,
                        "the \(isFrame ? "frame" : "APDU") has \(CountText.of(bytes.count, "byte"))", at: place,
                        hint: "\(least) to \(longest) bytes\(isFrame ? ", without CRC and LEN," : "") needed"))
                return nil
            }
            return CardRecording.Answer(isFrame && isFeliCa ? [UInt8(bytes.count + 1)] + bytes : bytes)
        }
    }
}

/// A frame as written in a recording: bytes, and variables for further bytes.
struct RecordedFrame: Hashable, Sendable, CustomStringConvertible {
    enum Part: Hashable, Sendable {
        case bytes([UInt8])
        case variable(String)
    }

    var parts: [Part] = []
    /// The four bits of an acknowledgement.
    var nibble: UInt8?

    var description: String {
        if let nibble { return Hex.digits(nibble, width: 1) }
        return parts.map { part in
            switch part {
            case .bytes(let bytes): Hex.text(bytes, separator: " ")
            case .variable(let name): "{\(name)}"
            }
        }.joined(separator: " ")
    }
}

/// Hexadecimal bytes with optional blanks, and `{name}` for variables.
struct RecordedFrameRule: ScalarRule {
    /// A Boolean value that indicates whether it may be empty or a single digit, which stands for four bits.
    var isAnswer = false

    var noun: String { "a frame in hexadecimal such as `06 {idm} 01`" }

    func parse(_ text: String) throws(ScalarProblem) -> RecordedFrame {
        var frame = RecordedFrame()
        let digits = text.filter { !$0.isWhitespace }
        if isAnswer, digits.count == 1, let nibble = UInt8(digits, radix: 16) {
            frame.nibble = nibble
            return frame
        }
        var rest = Substring(text)
        while let brace = rest.firstIndex(of: "{") {
            try Self.add(rest[..<brace], to: &frame)
            guard let end = rest[brace...].firstIndex(of: "}") else {
                throw ScalarProblem(.notHex, "has a `{` without its `}`", hint: "a variable is written `{idm}`")
            }
            frame.parts.append(.variable(String(rest[rest.index(after: brace)..<end])))
            rest = rest[rest.index(after: end)...]
        }
        try Self.add(rest, to: &frame)
        guard isAnswer || !frame.parts.isEmpty else {
            throw ScalarProblem(.notHex, "is empty", hint: "write the bytes of the frame, without CRC and LEN")
        }
        return frame
    }

    private static func add(_ text: Substring, to frame: inout RecordedFrame) throws(ScalarProblem) {
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        frame.parts.append(.bytes(try HexRule([1...RecordingLanguage.longestAPDU]).parse(String(text))))
    }

    var schema: ScalarSchema {
        ScalarSchema(.pattern("([0-9A-Fa-f\\s]|\\{[^{}]*\\})\(isAnswer ? "*" : "+")"), numbers: .any)
    }
    var needsQuotes: Bool { true }
}

/// Seconds since the beginning of a recording: `0.021`.
struct SecondsRule: ScalarRule {
    private static let mostDecimals = 9

    let noun = "seconds such as `0.021`"

    func parse(_ text: String) throws(ScalarProblem) -> String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isNumber =
            (1...2).contains(parts.count)
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
        if isNumber, parts[0].count <= Self.mostDecimals, parts.count == 1 || parts[1].count <= Self.mostDecimals {
            return text
        }
        throw ScalarProblem(.notDuration, "is no time in seconds", hint: "a number such as `0.021` needed")
    }

    var schema: ScalarSchema {
        ScalarSchema(.pattern("[0-9]{1,\(Self.mostDecimals)}(\\.[0-9]{1,\(Self.mostDecimals)})?"), numbers: .any)
    }
}
