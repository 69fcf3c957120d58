import TapField
import TapWire

/// How a phone polls for FeliCa cards.
extension World {
    /// The time slot byte of sixteen slots, with which a phone polls again after a collision.
    private static let sixteenSlots: UInt8 = 0x0F

    /// Polls until every card has answered alone, at most ``PhonePatience/pollingRounds`` times more.
    ///
    /// - Returns: The answers and who sent them, each card once, in the order they came.
    mutating func pollAll(_ request: Polling.Request) -> [(answer: Polling.Response, card: Int)] {
        var found: [(answer: Polling.Response, card: Int)] = []
        var request = request
        for _ in 0...PhonePatience.pollingRounds {
            let frame = AirFrame(.felica212, request.bytes)
            let heard = answers(to: frame)
            for answer in heard where answer.integrity == .good {
                guard let response = try? Polling.Response(parsing: answer.bytes),
                    let card = card(answering: frame, with: answer), !found.contains(where: { $0.card == card })
                else { continue }
                found.append((response, card))
            }
            if heard.allSatisfy({ $0.integrity == .good }) { break }
            request.timeSlot = Self.sixteenSlots
        }
        return found
    }

    /// Polls for one card among those that may answer; nothing if it does not.
    mutating func poll(_ request: Polling.Request, of card: Int) -> Polling.Response? {
        pollAll(request).first { $0.card == card }?.answer
    }

    private mutating func answers(to frame: AirFrame) -> [AirFrame] {
        switch exchange(frame, waiting: PhonePatience.search) {
        case .silence: []
        case .frame(let answer, _): [answer]
        case .slots(let slots): slots.map(\.frame)
        case .collision(let answer, _, _): [AirFrame(answer.technology, answer.bytes, integrity: .badCRC)]
        }
    }
}
