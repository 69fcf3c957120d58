import TapCards
import TapField
import TapWire

extension RecordedSession {
    /// The frames of a trace with one card; what came damaged or from several cards at once is left out.
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

    private func frame(_ bytes: [UInt8], bitCount: Int) -> AirFrame {
        guard case .felica = card else { return AirFrame(.typeA106, bytes, bitCount: bitCount) }
        return AirFrame(.felica212, SessionWalk.packet(bytes))
    }
}

extension AirFrame {
    fileprivate var withoutLength: [UInt8] { technology.isFeliCa ? Array(bytes.dropFirst()) : bytes }
    fileprivate var bitsWithoutLength: Int { technology.isFeliCa ? bitCount - 8 : bitCount }
}
