import TapWire

/// What a selected tag does with a frame, in the order in which it looks at it.
///
/// Good frames begin at ``dispatch(_:context:into:)``. It is part of the hot call; what a command does is a function of
/// its own, so that no command pays for the registers and the stack of another one.
/// Source: NTAG213/215/216 data sheet rev. 3.2, "NTAG commands" and "ACK and NAK".
extension NTAGCard {
    /// Judges a frame and carries out the command in it.
    mutating func execute(
        _ frame: Span<UInt8>, _ heard: HeardFrame, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let pending = pendingPage
        pendingPage = nil
        switch heard {
        case .standard:
            break
        case .tooShort where quirks.tooShortFrame == .nak0:
            return refuse(into: &buffer)
        case .short, .tooShort, .anticollision:
            return fallBack()
        case .damaged(let integrity):
            switch quirks.badCrc {
            case .ignored where integrity == .badCRC: break
            case .nak1, .ignored: return refuse(.checkFailed, into: &buffer)
            case .nak0: return refuse(into: &buffer)
            case .silent: return fallBack()
            }
        }
        if let pending, (try? HLTA.Request(parsing: frame)) == nil {
            return finishCompatibilityWrite(frame, page: pending, context: &context, into: &buffer)
        }
        return dispatch(frame, context: &context, into: &buffer) ?? refuse(Type2Opcode(frame[0]), into: &buffer)
    }

    /// Carries out the command of a good frame of at least one byte, or does nothing if it is none that the tag has.
    @inline(always)
    mutating func dispatch(
        _ frame: Span<UInt8>, context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply? {
        switch (Type2Opcode(frame[0]), frame.count) {
        case (.read, ReadPages.Request.length):
            return read(frame[1], context: &context, into: &buffer)
        case (.fastRead, FastRead.Request.length):
            return fastRead(frame[1], frame[2], context: &context, into: &buffer)
        case (.write, WritePage.Request.length):
            return write(PageData(frame, at: 2), to: frame[1], context: &context, into: &buffer)
        case (.compatibilityWrite, CompatibilityWrite.Request.length):
            return beginCompatibilityWrite(page: frame[1], into: &buffer)
        case (.passwordAuthentication, PasswordAuthentication.Request.length):
            return authenticate(PageData(frame, at: 1), context: &context, into: &buffer)
        case (.readCounter, ReadCounter.Request.length):
            return readCounter(frame[1], into: &buffer)
        case (.getVersion, GetVersion.Request.length):
            template.definition.version.write(into: &buffer)
            return .data
        case (.halt, HLTA.Request.length) where frame[1] == 0:
            state.take(.halt)
            return .silence
        case (.readSignature, ReadSignature.Request.length):
            guard frame[1] == 0 || quirks.readSigAddress == .ignored else { return refuse(into: &buffer) }
            template.definition.signature.write(into: &buffer)
            return .data
        case (.checkTearing, 2) where quirks.checkTearing == .answerBD && frame[1] == ReadCounter.nfcCounter:
            buffer.append(Self.untornCounter)
            return .data
        default:
            return nil
        }
    }

    /// The answer of a MIFARE Ultralight EV1 to CHECK_TEARING_EVENT about a counter that was not torn.
    private static let untornCounter: UInt8 = 0xBD

    /// Refuses an opcode that the tag does not know, or not with that length.
    @inline(never)
    private mutating func refuse(_ opcode: Type2Opcode, into buffer: inout FrameBuffer) -> CardReply {
        let isKnown =
            opcode == .checkTearing
            ? quirks.checkTearing == .answerBD : opcode.explanation?.isKnownToNTAG21x == true
        return isKnown || quirks.unknownOpcode == .nak0 ? refuse(into: &buffer) : fallBack()
    }
}
