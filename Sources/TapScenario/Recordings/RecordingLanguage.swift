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
        "card", .value(.cardName), "The card of the exchanges. Default: the only card.", synonyms: ["of"])
    private static let level = TypedKey(
        "level", FieldForm<CardRecording.Level>.word,
        "The kind of recording: frames between a reader and a card, or APDUs between a program and a PC/SC reader.",
        standard: .frame)
    private static let atr = TypedKey(
        "atr", .value(.hex(2...33)),
        "With `level: apdu`, the ATR that the reader reports. Default: derived from the card.")
    private static let order = TypedKey(
        "order", FieldForm<CardRecording.Order>.word,
        "Whether commands must arrive in the recorded order, or only repeated commands are answered in that order.",
        standard: .strict)
    private static let timing = TypedKey(
        "timing", FieldForm<CardRecording.Timing>.word,
        "Whether answers are sent as fast as the card can, or after `took`.",
        standard: .asap)
    private static let mismatch = TypedKey(
        "on_mismatch", FieldForm<CardRecording.Mismatch>.word,
        "Whether a command that does not match the recording fails the run, or is answered by the described card.",
        standard: .fail, synonyms: ["mismatch", "otherwise"])
    private static let variables = TypedKey(
        "vars", .value(.map(of: NameRule("the name of a variable"), to: .hex(1...longestFrame))),
        "Bytes that frames can use as `{name}`.", synonyms: ["variables"])
    private static let exchanges = TypedKey(
        "exchanges", .value(.list(of: .map(exchange), count: 1...maximumExchanges)),
        "The recorded exchanges, in order.",
        isRequired: true, synonyms: ["frames", "list"])

    static let exchange = KeyTable(
        "a recorded exchange",
        [time.key, control.key, command.key, answer.key, silence.key, took.key, repeats.key, event.key, note.key],
        exactlyOne: [command.name, event.name], atMostOne: [answer.name, silence.name])

    private static let command = TypedKey(
        "cmd", .rule(RecordedFrameRule()), "The command: an APDU, or a frame without CRC and, for FeliCa, without LEN.",
        synonyms: ["command", "sent", "send"])
    private static let answer = TypedKey(
        "rsp", .rule(RecordedFrameRule(isAnswer: true)),
        "The answer in the same form. One digit is an ACK (`A`) or NAK of a Type 2 Tag. With `level: apdu` it "
            + "can be empty, for a call that succeeds without data.",
        synonyms: ["response", "answer", "reply", "received"])
    private static let silence = TypedKey("silence", .boolean, "Whether the card did not answer or the call failed.")
    private static let control = TypedKey(
        "control", .value(.hex(4...4)),
        "With `level: apdu`, the control code of the `SCardControl` call that sent the command, such as `42 00 0D AC`.")
    private static let time = TypedKey(
        "t", .rule(SecondsRule()), "The time in seconds from the beginning of the recording; informative.",
        synonyms: ["time", "at"])
    private static let took = TypedKey(
        "took", .duration, "The time from the command to the start of the answer, for `timing: recorded`.",
        synonyms: ["delay"])
    private static let repeats = TypedKey(
        "repeat", .value(.range(0...1_000_000)), "How many times in a row the exchange may occur. Default: once.",
        synonyms: ["times", "count"])
    private static let event = TypedKey(
        "event", FieldForm<Event>.word,
        "An event between two exchanges: the card was removed, or placed again for another visit.")
    private static let note = TypedKey("note", .text, "A comment.", synonyms: ["comment"])

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
                    hint: "specify the card of the exchanges; the scenario has several cards"))
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
                .contradiction, "`\(key.name)` is not allowed in a recording of frames", at: place,
                hint: "remove it, or write `level: apdu` for a recording of PC/SC calls"))
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
                        .contradiction, "an exchange follows the removal of the card", at: item.node,
                        hint: "write `- {event: card.placed}` before it if the card was placed again"))
            }
            guard let frame = filled(sent, command, of: map, into: &diagnostics) else { return }
            var exchange = CardRecording.Exchange(frame.bytes, nil)
            if let received = map[answer] {
                exchange.answer = filled(received, answer, of: map, into: &diagnostics)
            } else if map[silence] != true {
                diagnostics.report(
                    Diagnostic(
                        .missingKey, "the exchange has no answer", at: item.node,
                        hint: "write `rsp`, or `silence: true` if the card did not answer"))
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
                        .contradiction, "the first item is an event", at: item.node,
                        hint: "begin the recording with an exchange"))
            }
            guard (event == .removed) != isAway else {
                return diagnostics.report(
                    Diagnostic(
                        .contradiction, isAway ? "the card has already been removed" : "the card has not been removed",
                        at: item.node,
                        hint: "`card.removed` and `card.placed` must alternate"))
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
                                    : "the variables are \(names.joined(separator: ", "))"))
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
                        hint: "expected \(least) to \(longest) bytes\(isFrame ? ", without CRC and LEN" : "")"))
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
                throw ScalarProblem(.notHex, "has a `{` without a matching `}`", hint: "write a variable as `{idm}`")
            }
            frame.parts.append(.variable(String(rest[rest.index(after: brace)..<end])))
            rest = rest[rest.index(after: end)...]
        }
        try Self.add(rest, to: &frame)
        guard isAnswer || !frame.parts.isEmpty else {
            throw ScalarProblem(.notHex, "is empty", hint: "write the bytes of the frame without CRC and LEN")
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
        throw ScalarProblem(.notDuration, "is not a time in seconds", hint: "expected a number such as `0.021`")
    }

    var schema: ScalarSchema {
        ScalarSchema(.pattern("[0-9]{1,\(Self.mostDecimals)}(\\.[0-9]{1,\(Self.mostDecimals)})?"), numbers: .any)
    }
}
