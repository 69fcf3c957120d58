import TapWire

/// From IDLE or HALT to ACTIVE.
///
/// Sources: ISO/IEC 14443-3, type A; NTAG213/215/216 data sheet rev. 3.2, "communication overview".
extension NTAGCard {
    /// Answers REQA and WUPA in IDLE, WUPA in HALT.
    mutating func wake(
        _ frame: Span<UInt8>, _ heard: HeardFrame, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        if case .short(let call) = heard, disguise?.hears(call, random: &context.random) == false { return .silence }
        let isAwake =
            switch heard {
            case .short(.reqa): state.take(.reqa)
            case .short(.wupa): state.take(.wupa)
            default: false
            }
        guard isAwake else { return .silence }
        latch(.selection)
        ATQA(uidLevels: lastLevel).write(into: &buffer)
        return .activation(after: frame, bitCount: TypeAFraming.shortFrameBits)
    }

    /// Answers anticollision, SELECT and READ of page 0 in READY1 and READY2.
    mutating func select(
        _ frame: Span<UInt8>, bitCount: Int, _ heard: HeardFrame, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        switch heard {
        case .anticollision:
            return sendRestOfUID(frame, bitCount: bitCount, into: &buffer)
        case .standard:
            if frame.count == ReadPages.Request.length, Type2Opcode(frame[0]) == .read, frame[1] == 0 {
                return bypass(context: &context, into: &buffer)
            }
            return acknowledgeSelection(frame, bitCount: bitCount, into: &buffer)
        case .damaged(.badCRC) where quirks.selectBadCrc == .accept:
            return acknowledgeSelection(frame, bitCount: bitCount, into: &buffer)
        default:
            return fallBack()
        }
    }

    private mutating func sendRestOfUID(
        _ frame: Span<UInt8>, bitCount: Int, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard let request = try? Anticollision.Request(parsing: frame), let part = part(request.level),
            request.matches(part)
        else { return fallBack() }
        guard state.take(.anticollision(request.level)) else { return .silence }
        request.writeAnswer(of: part, into: &buffer)
        return .activation(after: frame, bitCount: bitCount)
    }

    private mutating func acknowledgeSelection(
        _ frame: Span<UInt8>, bitCount: Int, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard let request = try? Select.Request(parsing: frame), part(request.level) == request.part else {
            return fallBack()
        }
        let isLast = request.level == lastLevel
        guard state.take(.select(request.level, isLast: isLast)) else { return .silence }
        let sak = isLast ? SAK.complete : .uidNotComplete
        sak.write(into: &buffer)
        return .activation(after: frame, bitCount: bitCount)
    }

    /// READ of page 0, which ends the selection early; refused, it is an error like any other frame.
    private mutating func bypass(context: inout CardContext, into buffer: inout FrameBuffer) -> CardReply {
        guard quirks.readyReadZeroBypass, readablePageCount > 0, state.take(.readPageZero) else { return fallBack() }
        return read(0, context: &context, into: &buffer)
    }

    /// The last cascade level of the UID it shows.
    private var lastLevel: CascadeLevel { disguise?.lastLevel ?? .second }

    private func part(_ level: CascadeLevel) -> CascadePart? {
        if let disguise, disguise.lastLevel != nil { return disguise.part(level) }
        return switch level {
        case .first: template.firstPart
        case .second: template.secondPart
        case .third: nil
        }
    }
}

extension ATQA {
    /// What an NTAG21x answers, with a UID that ends in a cascade level.
    fileprivate init(uidLevels last: CascadeLevel) {
        switch last {
        case .first: self = ATQA(0x0004)
        case .second: self = .ntag21x
        case .third: self = ATQA(0x0084)
        }
    }
}
