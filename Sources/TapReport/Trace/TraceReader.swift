import TapDocument
import TapField
import TapWire

/// Reads the output of ``TraceLines``.
///
/// Unknown kinds and keys are ignored, so that a newer TapSim may add some. Faults become notes: they have already taken
/// effect.
public enum TraceReader {
    /// The maximum number of bytes in a file, more than the longest saved run has.
    public static let maximumBytes = 128 << 20
    /// The largest number in a line: the largest that JSON carries exactly in every language; in nanoseconds, a hundred days.
    private static let largestNumber = 1 << 53
    /// The limits of one line.
    private static let limits = DocumentLimits(maximumBytes: 1 << 20, maximumDepth: 8, maximumNodes: 10_000)

    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The location and the reason, a sentence without its full stop.
        public let description: String
    }

    /// Parses the lines of a file.
    ///
    /// - Throws: ``Problem`` with the first line that does not belong to a trace.
    public static func trace(_ file: SourceFile) throws(Problem) -> Trace {
        var trace = Trace()
        var omission: (exchanges: Int, calls: Int)?
        for line in 1...file.lineCount {
            let text = file.text(ofLine: line)
            guard !text.allSatisfy(\.isWhitespace) else { continue }
            do throws(Problem) {
                let event = try Line(text)
                if let found = try event.omission() {
                    guard omission == nil, trace.omission == nil else {
                        throw Problem(description: "a trace may omit exchanges in only one place")
                    }
                    omission = found
                    continue
                }
                guard let kind = try event.kind() else { continue }
                if let (exchanges, calls) = omission {
                    let next = try event.sequence()
                    guard next > trace.events.count else {
                        throw Problem(description: "`seq` must count the omitted events")
                    }
                    trace.restore(omitting: exchanges, calls: calls, before: next)
                    omission = nil
                }
                trace.restore(kind, at: event.time, source: event.source, reader: event.reader)
            } catch {
                throw Problem(description: "\(file.name):\(line): \(error.description)")
            }
        }
        return trace
    }

    /// One line, whose keys are read one by one.
    private struct Line {
        private let node: Node
        let time: Duration

        init(_ text: String) throws(Problem) {
            var diagnostics = Diagnostics()
            guard let node = JSONReader(limits: limits).read(SourceFile(name: "line", text: text), into: &diagnostics),
                node.kind == .map
            else { throw Problem(description: "the line is not a JSON object; the file may be truncated or edited") }
            self.node = node
            let version = try Self.number("v", in: node)
            guard version <= TraceLines.version else {
                throw Problem(
                    description: "the trace has version \(version), but this TapSim reads version "
                        + "\(TraceLines.version); use a newer TapSim")
            }
            time = .nanoseconds(try Self.number("t", in: node))
        }

        var reader: String? { node["reader"]?.text }

        var source: SourceReference? {
            guard let text = node["src"]?.text, let colon = text.lastIndex(of: ":"),
                let line = Int(text[text.index(after: colon)...])
            else { return nil }
            return SourceReference(file: String(text[..<colon]), line: line)
        }

        func kind() throws(Problem) -> TraceEvent.Kind? {
            switch try word("kind") {
            case "field": .field(isOn: try flag("on"))
            case "card": .card(try word("card"), isPresent: try flag("present"))
            case "slot": .slot(try word("name"), atr: node["atr"] == nil ? nil : try bytes("atr"))
            case "frame": .command(try frame())
            case "answer": try answer()
            case "opened":
                .opened(
                    RFFrame(try technology(), try bytes("hex")),
                    answering: node["answering"] == nil ? nil : RFFrame(try technology(), try bytes("answering")))
            case "silence": .silence(states: states)
            case "call": .call(try call())
            case "fault": .note("fault \(try word("fault"))")
            case "note": .note(try word("text"))
            default: nil
            }
        }

        /// Returns the omission in this line; `nil` for an event.
        func omission() throws(Problem) -> (exchanges: Int, calls: Int)? {
            node["kind"]?.text == "omission" ? (try number("exchanges"), try number("calls")) : nil
        }

        func sequence() throws(Problem) -> Int { try number("seq") }

        private var states: [TraceEvent.CardState] {
            (node["states"]?.items ?? []).map { .init(card: $0["card"]?.text ?? "", state: $0["state"]?.text ?? "") }
        }

        private func answer() throws(Problem) -> TraceEvent.Kind {
            let frame = try frame()
            if node["collision"] != nil {
                let cards = (node["cards"]?.items ?? []).compactMap(\.text)
                return .collision(frame, firstCollidedBit: try number("collision"), cards: cards)
            }
            return .answer(
                frame, card: try word("card"), state: node["state"]?.text ?? "",
                slot: node["slot"] == nil ? nil : UInt8(try number("slot", atMost: Int(UInt8.max))))
        }

        private func frame() throws(Problem) -> RFFrame {
            let integrity: FrameIntegrity =
                switch node["damaged"]?.text {
                case "crc": .badCRC
                case "parity": .badParity
                default: .good
                }
            return RFFrame(try technology(), try bytes("hex"), bitCount: try number("bits"), integrity: integrity)
        }

        private func technology() throws(Problem) -> Technology {
            guard let technology = Technology.allCases.first(where: { $0.shortName == node["tech"]?.text }) else {
                throw missing("tech", "one of \(ListText.choice(Technology.allCases.map(\.shortName)))")
            }
            return technology
        }

        private func call() throws(Problem) -> HostCall {
            let layer: HostCall.Layer
            switch try word("layer") {
            case "apdu": layer = .apdu
            case "pn532": layer = .pn532
            case "port100": layer = .port100
            case "usb":
                guard let endpoint = UInt8(try word("endpoint"), radix: 16) else {
                    throw missing("endpoint", "two digits")
                }
                layer = .usb(endpoint: endpoint)
            case "pcsc": layer = .pcsc(try function(PCSCCall.allCases, \.function))
            case "phone": layer = .phone(try function(PhoneEvent.allCases, \.rawValue))
            case "control":
                guard let code = UInt32(try word("code"), radix: 16) else { throw missing("code", "eight digits") }
                layer = .control(code)
            default: throw missing("layer", "apdu, control, pn532, port100, usb, pcsc or phone")
            }
            let exchangeCount = try exchangeCount()
            if node["result"] != nil {
                let command = node["hex"] == nil ? [] : try bytes("hex")
                return HostCall(layer, command, .returned(try word("result")), exchangeCount: exchangeCount)
            }
            let answer = node["answer"] == nil ? [] : try bytes("answer")
            guard let outcome = HostCall.Outcome(try word("outcome"), answer: answer) else {
                throw missing("outcome", "the outcome of a call")
            }
            return HostCall(layer, try bytes("hex"), outcome, exchangeCount: exchangeCount)
        }

        private func function<Function>(_ all: [Function], _ name: (Function) -> String) throws(Problem) -> Function {
            guard let function = all.first(where: { name($0) == node["function"]?.text }) else {
                throw missing("function", "a function that programs call")
            }
            return function
        }

        private func exchangeCount() throws(Problem) -> Int {
            guard let exchanges = node["exchanges"] else { return 0 }
            let numbers = exchanges.items.compactMap { $0.text.flatMap { Int($0) } }
            guard numbers.count == 2, 0 < numbers[0], numbers[0] <= numbers[1], numbers[1] <= largestNumber else {
                throw missing("exchanges", "the first and the last number of exchanges")
            }
            return numbers[1] - numbers[0] + 1
        }

        private func word(_ key: String) throws(Problem) -> String {
            guard let text = node[key]?.text else { throw missing(key, "text") }
            return text
        }

        private func number(_ key: String, atMost maximum: Int = largestNumber) throws(Problem) -> Int {
            try Self.number(key, in: node, atMost: maximum)
        }

        private static func number(
            _ key: String, in node: Node, atMost maximum: Int = largestNumber
        ) throws(Problem) -> Int {
            guard let number = node[key]?.text.flatMap({ Int($0) }), 0...maximum ~= number else {
                throw Problem(description: "`\(key)` must be a number up to \(maximum)")
            }
            return number
        }

        private func flag(_ key: String) throws(Problem) -> Bool {
            guard let flag = node[key]?.text.flatMap({ Bool($0) }) else { throw missing(key, "true or false") }
            return flag
        }

        private func bytes(_ key: String) throws(Problem) -> [UInt8] {
            guard let bytes = try? Hex.bytes(try word(key)) else { throw missing(key, "bytes in hexadecimal") }
            return bytes
        }

        private func missing(_ key: String, _ wanted: String) -> Problem {
            Problem(description: "`\(key)` must be \(wanted)")
        }
    }
}
