import TapClient
import TapField
import TapScenario
import TapWire

extension PhoneReader {
    /// The maximum length of a raw MIFARE command without CRC.
    ///
    /// The limit is documented for FeliCa packets and assumed here.
    public static let maximumMiFareCommand = 254

    /// Sends a raw command to a MIFARE tag; the phone adds the CRC.
    ///
    /// A command that already contains its CRC has the wrong length for the tag, and fails. After a NAK, silence or a damaged
    /// answer, the tag is lost until the phone looks again or reconnects.
    ///
    /// - Parameter packet: The command without CRC.
    /// - Returns: The answer without CRC; an ACK as the byte 0A, and a NAK as a byte if ``PhonePolicy/nak`` says so.
    /// - Throws: ``PhoneError`` 100 if the tag refuses, is silent or sends more than ``PhonePolicy/longestMiFareAnswer``; 102
    ///   for a damaged answer; 4, 104 or 105.
    public mutating func sendMiFareCommand(
        _ packet: [UInt8], of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> [UInt8] {
        let index = try readyTypeA(tag, in: &world).index
        guard !packet.isEmpty else {
            throw PhoneError(.invalidParameterLength, reason: "the command is empty; it begins with its opcode")
        }
        guard packet.count <= Self.maximumMiFareCommand else {
            throw PhoneError(
                .packetTooLong,
                reason: "the command has \(packet.count) bytes; a phone sends at most \(Self.maximumMiFareCommand)")
        }
        let reply = transmit(packet, in: &world)
        switch reply {
        case .bytes(let answer): return try deliver(answer, to: packet, of: index)
        case .acknowledgement(let acknowledgement):
            if !acknowledgement.isAck { try refuse(acknowledgement, packet, of: index) }
            return [acknowledgement.rawValue]
        case .silence, .damaged:
            lose(index)
            throw miFareFailure(reply, of: index, to: Self.name(of: packet), in: world)
        }
    }

    /// Rejects an ISO/IEC 7816 command, which no tag here supports.
    ///
    /// - Throws: ``PhoneError`` 1, or 100 or 104 if no tag is ready.
    public mutating func refuseISO7816Command(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> Never {
        _ = try readyTypeA(tag, in: &world)
        throw PhoneError(
            .unsupportedFeature,
            reason: "MIFARE Ultralight and NTAG do not support ISO/IEC 7816; use sendMiFareCommand(commandPacket:)")
    }

    /// Returns the connected type A tag.
    ///
    /// - Throws: ``PhoneError`` 100 if an earlier command has lost it.
    mutating func readyTypeA(
        _ tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> (index: Int, state: TypeAState) {
        let index = try ready(tag, in: &world)
        guard case .typeA(let state) = tags[index].kind else {
            throw PhoneError(.unsupportedFeature, reason: "the tag is not a MIFARE tag")
        }
        guard !state.isLost else {
            world.advance(by: PhonePatience.absent)
            throw .lost(
                "an earlier command ended with a NAK or without an answer, and the tag is no longer selected; connect to it "
                    + "again or call restartPolling()")
        }
        return (index, state)
    }

    func transmit(_ packet: [UInt8], in world: inout World) -> MiFareReply {
        MiFareReply(world.exchangeWithOneCard(TypeAFraming.command(packet), waiting: PhonePatience.miFare))
    }

    mutating func lose(_ index: Int) {
        change(index) { $0.isLost = true }
    }

    mutating func change(_ index: Int, _ change: (inout TypeAState) -> Void) {
        guard case .typeA(var state) = tags[index].kind else { return }
        change(&state)
        tags[index].kind = .typeA(state)
    }

    /// Returns the error for silence or damage, which depends on whether the tag has left.
    func miFareFailure(_ reply: MiFareReply, of index: Int, to command: String, in world: World) -> PhoneError {
        if reply == .damaged { return damage(of: index, to: command, in: world) }
        guard isPresent(index, in: world) else {
            return silence(of: index, to: command, after: PhonePatience.miFare, in: world)
        }
        // Unlike FeliCa: reports always have error 100 for silent type A tags.
        return .lost("the tag is present but did not answer \(command); connect to it again or call restartPolling()")
    }

    /// Returns the name of a command for messages: its opcode.
    static func name(of packet: [UInt8]) -> String {
        packet.first.map { Type2Opcode($0).description } ?? "an empty command"
    }

    private mutating func deliver(
        _ answer: [UInt8], to packet: [UInt8], of index: Int
    ) throws(PhoneError) -> [UInt8] {
        guard answer.count <= policy.longestMiFareAnswer else {
            lose(index)
            throw .lost(
                "the answer to \(Self.name(of: packet)) has \(answer.count) bytes, but phones accept at most "
                    + "\(policy.longestMiFareAnswer); read fewer pages at once")
        }
        if (try? PasswordAuthentication.Request(parsing: packet)) != nil {
            change(index) { $0.isAuthenticated = true }
        }
        return answer
    }

    /// Delivers a NAK according to the policy.
    private mutating func refuse(
        _ nak: Acknowledgement, _ packet: [UInt8], of index: Int
    ) throws(PhoneError) {
        lose(index)
        let reason =
            "the tag refused \(Self.name(of: packet)) with \(nak) (\(nak.meaning)) and is no longer selected; connect "
            + "to it again or call restartPolling() before the next command"
        switch policy.nak {
        case .error: throw PhoneError(policy.nakError, reason: reason)
        case .byte: note("The app got a NAK as a byte: \(reason).")
        }
    }
}

/// The reply of a type A tag.
enum MiFareReply: Hashable, Sendable {
    case silence
    case bytes([UInt8])
    case acknowledgement(Acknowledgement)
    /// A frame with a wrong CRC, a wrong parity or a broken last byte.
    case damaged

    init(_ frame: RFFrame?) {
        guard let frame else {
            self = .silence
            return
        }
        if frame.integrity != .good {
            self = .damaged
        } else if let acknowledgement = Acknowledgement(frame) {
            self = .acknowledgement(acknowledgement)
        } else {
            self = frame.bitCount % 8 == 0 ? .bytes(frame.bytes) : .damaged
        }
    }
}
