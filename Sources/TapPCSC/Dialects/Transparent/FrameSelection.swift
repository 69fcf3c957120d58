import TapWire

/// The selection of a type A card, frame by frame.
///
/// Source: ISO/IEC 14443-3, type A, "initialization and anticollision".
enum FrameSelection {
    /// Selects the card that answers.
    ///
    /// A card that was selected before takes the first call as the end of that selection and answers only a second.
    ///
    /// - Parameters:
    ///   - call: REQA or WUPA.
    ///   - send: Sends a frame and gives its answer, or nothing for silence.
    /// - Returns: The card, or nothing if none answered whole.
    static func select(
        _ call: ShortFrame, _ send: (AirFrame) throws(LinkError) -> AirFrame?
    ) throws(LinkError) -> TypeATag? {
        let frame = AirFrame(.typeA106, call.bytes, bitCount: TypeAFraming.shortFrameBits)
        var answer = try send(frame)
        if answer == nil { answer = try send(frame) }
        guard let answer, let atqa = try? ATQA(parsing: answer.bytes) else { return nil }
        var parts: [CascadePart] = []
        for level in CascadeLevel.allCases {
            let request = Anticollision.Request(level)
            guard let rest = try send(AirFrame(.typeA106, request.bytes, bitCount: request.bitCount)),
                let part = request.part(completedBy: rest),
                let selected = try send(AirFrame(.typeA106, Select.Request(level, part).bytes)),
                let sak = try? SAK(parsing: selected.bytes)
            else { return nil }
            parts.append(part)
            guard sak.isUIDComplete else { continue }
            return (try? UID(cascadeParts: parts)).map { TypeATag(atqa: atqa, sak: sak, uid: $0) }
        }
        return nil
    }
}
