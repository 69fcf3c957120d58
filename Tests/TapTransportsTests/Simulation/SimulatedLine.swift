import TapHost
import TapField
import TapReaders
import TapWire
import TestSupport

@testable import TapTransports

/// A PN532 on a serial line and its successive hosts: chip and line are real, and their thread performs one step at a time.
///
/// Every command that arrives complete is acknowledged once and answered once, unless the host cancels it while it is open.
///
/// A host that dies leaves half a frame; the next host is understood after a few attempts, regardless of that state.
struct SimulatedLine {
    /// The number of frames that a truncated long frame may swallow.
    private static let mostTries = 40

    private let number: Int
    private var chip = WiredPN532(PN532())
    private var input: [UInt8] = []
    private var deadline: Duration?
    private var seen: Int?

    // The data that the host has sent.
    private var outgoing: ArraySlice<UInt8> = []
    /// The last command sent, until it is answered or cancelled.
    private var command: [UInt8]?
    private var isAcknowledged = false
    /// The last command that the chip has acknowledged but not answered: the host's command, or one that the host has
    /// cancelled.
    private var current: [UInt8]?
    /// A Boolean value that indicates whether the chip has answered the host, so its output belongs to this host.
    private var isUnderstood = true
    private var echoes: UInt16 = 0
    /// The tag listed last, and its visit.
    private var target: (card: String, visit: Int)?
    /// A Boolean value that indicates whether the host has looked for a tag itself, and so knows the tag the chip talks to.
    private var hasListed = false
    /// The expected answer once the chip has worked; `nil` while a search continues.
    private var expected: Expected?

    fileprivate enum Expected {
        case answer([UInt8])
        /// The beginning and the end of an answer.
        case around([UInt8], [UInt8])
        /// Any answer with an error.
        case failure
        case search
    }

    init(_ number: Int) { self.number = number }

    private var isAtWork: Bool { command != nil }

    /// Makes a host continue sending, cancel its command, or die.
    mutating func speak(_ random: inout TestRandom) {
        if !outgoing.isEmpty {
            let count = random.oneIn(2) ? outgoing.count : random.number(1...outgoing.count)
            input += outgoing.prefix(count)
            outgoing = outgoing.dropFirst(count)
            if !outgoing.isEmpty, random.oneIn(12) { die() }
        } else if !isAtWork {
            say(next(&random))
        } else if !isUnderstood, random.oneIn(3) {
            nextCheck()
        } else if isAcknowledged, case .search = expected, random.oneIn(8) {
            // The host's acknowledgement ends a search.
            outgoing = ArraySlice(PN532Frame.acknowledgement.bytes)
            command = nil
        }
    }

    /// The next host wakes up the chip, ends any command in progress, and asks until it is understood.
    private mutating func die() {
        outgoing = []
        hasListed = false
        nextCheck(after: [0x55, 0x55, 0x00, 0x00, 0x00] + PN532Frame.acknowledgement.bytes)
    }

    /// Requests an echo with new content each time, so that an earlier answer cannot be mistaken for it.
    private mutating func nextCheck(after wakeUp: [UInt8] = []) {
        isUnderstood = false
        echoes &+= 1
        say([0xD4, 0x00, 0x00, UInt8(echoes >> 8), UInt8(truncatingIfNeeded: echoes)], after: wakeUp)
    }

    private mutating func say(_ packet: [UInt8], after prefix: [UInt8] = []) {
        command = packet
        isAcknowledged = false
        outgoing = ArraySlice(prefix + PN532Frame.information(packet).bytes)
    }

    private func next(_ random: inout TestRandom) -> [UInt8] {
        switch random.number(below: 6) {
        case 0: return [0xD4, 0x02]
        case 1: return [0xD4, 0x00, 0x00] + random.bytes(random.number(below: 200))
        case _ where !hasListed: return [0xD4, 0x4A, 0x01, 0x00]
        case 2, 3: return [0xD4, 0x4A, 0x01, 0x00]
        default: return [0xD4, 0x40, 0x01, 0x30, UInt8(random.number(4...20))]
        }
    }
}

/// The chip.
extension SimulatedLine {
    /// Performs the next step of the chip's thread.
    mutating func step(at now: Duration, _ field: inout SimulatedField) throws {
        if let action = chip.next() { return try take(action, at: now, &field) }
        if !input.isEmpty {
            chip.receive(input[...])
            input = []
        } else if chip.isOpen {
            let count = field.host.perform(plansAhead: false, at: number) { $0.presenceCount }
            if count != seen { chip.rescan() }
            seen = count
            if let limit = deadline, limit <= now { chip.giveUp() }
        }
    }

    private mutating func take(_ action: StreamAction, at now: Duration, _ field: inout SimulatedField) throws {
        switch action {
        case .send(let bytes): try hear(bytes)
        case .work:
            expected = isUnderstood ? expectation(&field) : nil
            field.host.perform(plansAhead: false, at: number) { world in
                seen = world.presenceCount
                chip.work(in: &world)
            }
        case .wait(let limit): deadline = limit.map { now + $0 }
        case .hangUp: throw SimulationProblem("the line hangs up")
        }
    }

    /// Returns the expected result of the command with the current cards.
    private mutating func expectation(_ field: inout SimulatedField) -> Expected? {
        guard let command = current else { return nil }
        let (card, visit) = (field.card(at: number), field.visits[number] ?? 0)
        switch command[1] {
        case 0x02: return .answer([0xD5, 0x03, 0x32, 0x01, 0x06, 0x07])
        case 0x00: return .answer([0xD5, 0x01] + command[2...])
        case 0x4A:
            (target, hasListed) = (nil, true)
            guard let card, field.isTag(card) else { return .search }
            target = (card, visit)
            return .around([0xD5, 0x4B, 0x01, 0x01], field.identifier(of: card))
        default:
            guard let target, target.visit == visit, let data = field.answer(of: target.card, to: Array(command[3...]))
            else { return .failure }
            return .answer([0xD5, 0x41, 0x00] + data)
        }
    }

    /// Compares a frame of the chip with the expected answer.
    private mutating func hear(_ bytes: [UInt8]) throws {
        guard let frame = try? PN532Frame(parsing: bytes) else { throw SimulationProblem("the chip sends \(bytes)") }
        if !isUnderstood { return understand(frame) }
        switch frame {
        case .acknowledgement:
            guard let command, !isAcknowledged else { throw SimulationProblem("what is acknowledged was not said") }
            isAcknowledged = true
            current = command
            expected = nil
        case .information(let packet):
            guard let current, let expected else { throw SimulationProblem("\(Hex.text(packet)) answers nothing") }
            guard expected.allows(packet) else {
                throw SimulationProblem("\(Hex.text(current)) is answered \(Hex.text(packet)), to come is \(expected)")
            }
            if isAcknowledged { command = nil }
            self.current = nil
            self.expected = nil
        case .rejection: throw SimulationProblem("the chip rejects a frame")
        }
    }

    /// Looks for the answer that shows a new host that it was understood.
    private mutating func understand(_ frame: PN532Frame) {
        guard let command, case .information(let packet) = frame, packet == [0xD5, 0x01] + command[2...] else { return }
        isUnderstood = true
        self.command = nil
        current = nil
    }
}

extension SimulatedLine.Expected {
    fileprivate func allows(_ packet: [UInt8]) -> Bool {
        switch self {
        case .answer(let bytes): packet == bytes
        case .around(let begin, let end): packet.starts(with: begin) && packet.suffix(end.count) == end[...]
        case .failure: packet.count == 3 && packet[2] != 0
        case .search: false
        }
    }
}

/// The end.
extension SimulatedLine {
    /// Lets the chip come to rest, and lets hosts ask until they are understood.
    mutating func settle(_ now: Duration, _ field: inout SimulatedField) throws {
        for _ in 0..<Self.mostTries {
            input += outgoing
            outgoing = []
            for _ in 0..<64 { try step(at: now, &field) }
            guard !isUnderstood else { break }
            nextCheck()
        }
        if !isUnderstood { throw SimulationProblem("the chip does not understand a new host") }
        guard let command else { return }
        guard isAcknowledged, case .search = expected, field.card(at: number).map(field.isTag) != true else {
            throw SimulationProblem("\(Hex.text(command)) is not answered")
        }
    }
}
