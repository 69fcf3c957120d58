import TapCards
import TapWire

extension FaultCatalogue {
    /// Acknowledgements where data belong, data where acknowledgements do, and acknowledgements that are not true.
    static let ntagAcknowledgements: [FaultKind] = [
        FaultKind(
            "ntag.nak", "The tag refuses the command with a NAK and is no longer selected.",
            models: "A page is locked or protected (0), a frame arrived damaged (1), or the memory is worn out (5).",
            [
                FaultParameter(
                    "code", .integer(0...15), .integer(0), "The nibble: 0, 1, 4 or 5 on NTAG21x; A is an ACK."), .stay,
            ], scope: .ntag,
            effect: .all([
                .selectionLost,
                .answer { answer, strike in
                    answer.put(Acknowledgement(UInt8(strike.arguments.integer("code") ?? 0)))
                },
            ])),
        FaultKind(
            "ntag.ack_for_data", "The tag answers ACK to a command that asks for data.",
            models: "The tag takes the frame for a write, or the acknowledgement of a write before it comes late.",
            scope: .ntagData, effect: .answer { answer, _ in answer.put(.ack) }),
        FaultKind(
            "ntag.data_for_ack", "The tag answers a write with data in place of an acknowledgement.",
            models: "The answer to a read before it comes late, or a reader hands over an ACK as a whole byte.",
            [
                FaultParameter(
                    "data", .bytes(1...64), .bytes(Array(repeating: 0, count: 16)), "The data, such as `0A`.")
            ], scope: .ntagWrite,
            effect: .answer { answer, strike in
                answer.frame = AirFrame(.typeA106, strike.arguments.bytes("data") ?? [])
            }),
        FaultKind(
            "ntag.acked_not_written", "The tag acknowledges a write and stores nothing.",
            models: "A clone pretends to take writes, or a page is worn out and the tag does not look.",
            scope: .commands("ntag.write"),
            effect: .all([
                .command { command, _ in command.frame = nil },
                .answer { answer, _ in answer.put(.ack, after: FrameDelay.afterOne + NTAGCard.programmingTime) },
            ])),
        FaultKind(
            "ntag.written_not_acked", "The tag stores a write, and its acknowledgement does not arrive.",
            models: "The field gets weak while the memory is programmed, which takes most power.",
            scope: .commands("ntag.write"), effect: .answer { answer, _ in answer.frame = nil }),
    ]
}
