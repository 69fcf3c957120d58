import TapField
import TapWire

/// A fault in one call of a link.
enum Fault: CaseIterable {
    /// The command does not reach the card.
    case lostCommand
    /// The card receives the command, but its answer is lost.
    case lostAnswer
    /// The answer has a wrong CRC.
    case damaged
    /// A byte of the IDm in a FeliCa answer is wrong.
    case wrongIDm
    /// The answer belongs to another FeliCa command.
    case wrongCode
    /// The last bytes of the answer are missing, but its CRC is correct.
    case short
    /// The answer has additional bytes at its end.
    case long
    /// The answer is empty.
    case empty
    /// A Type 2 tag answers any command with ACK.
    case ack
    /// A Type 2 tag answers any command with NAK.
    case nak
}

/// A virtual link with faults at the chosen calls.
struct FaultyLink: TagLink {
    var base: VirtualLink
    /// The fault.
    let fault: Fault
    /// The calls with the fault, counted from 0.
    let calls: Range<Int>
    /// The number of calls so far.
    private(set) var callCount = 0

    init(_ base: VirtualLink, _ fault: Fault, at calls: Range<Int>) {
        self.base = base
        self.fault = fault
        self.calls = calls
    }

    var limits: LinkLimits { base.limits }

    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        defer { callCount += 1 }
        if calls.contains(callCount), fault == .lostCommand || fault == .lostAnswer { return nil }
        return try await base.activate(target, timeout: timeout)
    }

    mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        defer { callCount += 1 }
        guard calls.contains(callCount) else { return try await base.transceive(frame, timeout: timeout) }
        if fault == .lostCommand { return nil }
        guard var answer = try await base.transceive(frame, timeout: timeout) else { return nil }
        switch fault {
        case .lostCommand, .lostAnswer: return nil
        case .damaged: answer.integrity = .badCRC
        case .wrongIDm: if answer.bytes.count > 9 { answer.bytes[9] ^= 0x10 }
        case .wrongCode: if answer.bytes.count > 1 { answer.bytes[1] ^= 0x04 }
        case .short: answer = RFFrame(answer.technology, answer.bytes.dropLast(3))
        case .long: answer = RFFrame(answer.technology, answer.bytes + [0, 1])
        case .empty: answer = RFFrame(answer.technology, [])
        case .ack: answer = RFFrame(.typeA106, [0x0A], bitCount: 4)
        case .nak: answer = RFFrame(.typeA106, [0x00], bitCount: 4)
        }
        return answer
    }
}

/// A virtual link to a card that accepts one service and four blocks at once, like FeliCa Lite.
struct OneServiceLink: TagLink {
    var base: VirtualLink

    var limits: LinkLimits { base.limits }

    mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        try await base.activate(target, timeout: timeout)
    }

    mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        guard let request = try? ReadWithoutEncryption.Request(parsing: frame.bytes) else {
            return try await base.transceive(frame, timeout: timeout)
        }
        let refusal: StatusFlag2? =
            request.services.count > 1 ? .serviceCount : request.blocks.count > 4 ? .blockCount : nil
        guard let refusal else { return try await base.transceive(frame, timeout: timeout) }
        let answer = ReadWithoutEncryption.Response(idm: request.idm, status: StatusFlags(refusal))
        return RFFrame(frame.technology, answer.bytes)
    }
}
