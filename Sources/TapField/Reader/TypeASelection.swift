import TapWire

extension World {
    /// Selects a type A card as a reader does, level by level.
    ///
    /// A card that was selected before takes the first call as the end of that selection and answers only a second, so
    /// the call is sent again after silence.
    ///
    /// - Parameters:
    ///   - call: REQA, or WUPA for halted cards too.
    ///   - waiting: As in ``exchange(_:waiting:)``.
    /// - Returns: The card, or nothing if none could be selected.
    public mutating func selectTypeA(_ call: ShortFrame, waiting: Duration?) -> TypeATag? {
        let frame = AirFrame(.typeA106, call.bytes, bitCount: TypeAFraming.shortFrameBits)
        guard let answer = exchangeWithOneCard(frame, waiting: waiting) ?? exchangeWithOneCard(frame, waiting: waiting),
            let atqa = ATQA(receivedAs: answer)
        else { return nil }
        var parts: [CascadePart] = []
        for level in CascadeLevel.allCases {
            guard let part = askForPart(level, waiting), let sak = select(level, part, waiting) else { return nil }
            parts.append(part)
            guard sak.isUIDComplete else { continue }
            return (try? UID(cascadeParts: parts)).map { TypeATag(atqa: atqa, sak: sak, uid: $0) }
        }
        return nil
    }

    /// Selects the type A card with a UID, and no other, woken by WUPA.
    ///
    /// - Parameters:
    ///   - uid: Its UID, every part of which is known, so that no card is asked for it.
    ///   - waiting: As in ``exchange(_:waiting:)``.
    /// - Returns: The card, or nothing if it could not be selected.
    package mutating func selectTypeA(_ uid: UID, waiting: Duration?) -> TypeATag? {
        let call = AirFrame(.typeA106, ShortFrame.wupa.bytes, bitCount: TypeAFraming.shortFrameBits)
        // A card that was selected before takes the first call as the end of that selection.
        guard let answer = exchangeWithOneCard(call, waiting: waiting) ?? exchangeWithOneCard(call, waiting: waiting),
            let atqa = ATQA(receivedAs: answer)
        else { return nil }
        for (level, part) in zip(CascadeLevel.allCases, uid.cascadeParts) {
            guard let sak = select(level, part, waiting) else { return nil }
            if sak.isUIDComplete { return TypeATag(atqa: atqa, sak: sak, uid: uid) }
        }
        return nil
    }

    private mutating func askForPart(_ level: CascadeLevel, _ waiting: Duration?) -> CascadePart? {
        let request = Anticollision.Request(level)
        let frame = AirFrame(.typeA106, request.bytes, bitCount: request.bitCount)
        guard let answer = exchangeWithOneCard(frame, waiting: waiting), answer.integrity == .good else { return nil }
        return request.part(completedBy: answer)
    }

    private mutating func select(_ level: CascadeLevel, _ part: CascadePart, _ waiting: Duration?) -> SAK? {
        let frame = AirFrame(.typeA106, Select.Request(level, part).bytes)
        return exchangeWithOneCard(frame, waiting: waiting).flatMap(SAK.init(receivedAs:))
    }
}

extension ATQA {
    /// What a reader makes of an answer to REQA or WUPA: cards that collide in it are told apart later, but wrong
    /// parity is no answer.
    package init?(receivedAs answer: AirFrame) {
        guard answer.integrity != .badParity, let atqa = try? ATQA(parsing: answer.bytes) else { return nil }
        self = atqa
    }
}

extension SAK {
    /// What a reader makes of an answer to SELECT: with a wrong CRC or wrong parity it is none.
    package init?(receivedAs answer: AirFrame) {
        guard answer.integrity == .good, let sak = try? SAK(parsing: answer.bytes) else { return nil }
        self = sak
    }
}
