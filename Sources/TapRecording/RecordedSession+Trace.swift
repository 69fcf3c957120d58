import TapCards
import TapField
import TapWire

extension RecordedSession {
    /// Creates a session from the frames of a trace with one card, without damaged frames and collisions.
    public init(_ trace: Trace, of card: Identity) {
        self.init(.frame, card)
        let exchanges = trace.exchanges.filter {
            $0.answers.allSatisfy { $0.frame.integrity == .good && $0.firstCollidedBit == nil }
        }
        self.exchanges = exchanges.map { exchange in
            let answer = exchange.answers.first
            var recorded = Exchange(
                exchange.command.withoutLength,
                answer.map { CardRecording.Answer($0.frame.withoutLength, bitCount: $0.frame.bitsWithoutLength) })
            recorded.time = exchange.time
            recorded.took = answer.map { $0.time - exchange.time }
            return recorded
        }
    }

    /// The session as the trace of a run with a real card; empty for a session of APDUs.
    public var trace: Trace {
        var world = World(seed: 0, trace: Trace())
        guard level == .frame else { return world.trace }
        for exchange in exchanges {
            let begin = exchange.time ?? world.now
            world.takeDown(
                frame(exchange.command, bitCount: exchange.command.count * 8),
                answer: exchange.answer.map { frame($0.bytes, bitCount: $0.bitCount) }, from: begin,
                to: begin + (exchange.took ?? .zero))
        }
        return world.trace
    }

    /// The shortest and longest times from each command to the start of its answer, or `nil` if none are known.
    var answerTimes: String? {
        var times: [(name: CommandName, shortest: Duration, longest: Duration)] = []
        for exchange in exchanges where exchange.answer != nil {
            let command = frame(exchange.command, bitCount: exchange.command.count * 8)
            guard let took = exchange.took, let name = CommandName(of: command) else { continue }
            if let index = times.firstIndex(where: { $0.name == name }) {
                times[index].shortest = min(times[index].shortest, took)
                times[index].longest = max(times[index].longest, took)
            } else {
                times.append((name, took, took))
            }
        }
        let texts = times.map { name, shortest, longest in
            let (from, to) = (Self.milliseconds(shortest), Self.milliseconds(longest))
            return "\(name) \(from == to ? from : "\(from) to \(to)") ms"
        }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    private static func milliseconds(_ time: Duration) -> String {
        let tenths = (time.wholeNanoseconds + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }

    private func frame(_ bytes: [UInt8], bitCount: Int) -> RFFrame {
        guard case .felica = card else { return RFFrame(.typeA106, bytes, bitCount: bitCount) }
        return RFFrame(.felica212, SessionWalk.packet(bytes))
    }
}

extension RFFrame {
    fileprivate var withoutLength: [UInt8] { technology.isFeliCa ? Array(bytes.dropFirst()) : bytes }
    fileprivate var bitsWithoutLength: Int { technology.isFeliCa ? bitCount - 8 : bitCount }
}
