import TapCrypto
import TapWire

extension FeliCaLiteCard {
    /// Receives a packet and answers it; anything the card cannot use gets silence and changes nothing.
    public mutating func answer(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        buffer.removeAll()
        guard integrity == .good, bitCount == frame.count &* 8, FeliCaPacket.isWhole(frame),
            let code = CommandCode(of: frame)
        else { return .silence }
        note(frame, code, &context.reliance)
        let reply = reply(to: frame, code, &context, into: &buffer)
        noteStatus(in: buffer, to: code, &context.reliance)
        return reply
    }

    private mutating func reply(
        to frame: Span<UInt8>, _ code: CommandCode, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let profile = template.profile
        guard profile.liteCommands.contains(code) || code == .authentication1 else { return .silence }
        switch code {
        case .polling: return answerPolling(frame, &context.random, into: &buffer)
        case .echo: return answerEcho(frame, into: &buffer)
        default: break
        }
        guard !session.awaitsPolling, template.model.hasBlocks, frame.count >= FeliCaPacket.idmLength,
            frame.idm == template.idm
        else { return .silence }
        switch code {
        case .readWithoutEncryption: return answerRead(frame, into: &buffer)
        case .writeWithoutEncryption: return answerWrite(frame, context, into: &buffer)
        case .authentication1 where profile.liteAuth1Dummy == .answer:
            for byte: UInt8 in [0x1A, code.response.first] { buffer.append(byte) }
            buffer.append(bigEndian: template.idm.rawValue)
            buffer.append(BlockData.zero.simd)
            return .frame(after: template.otherTime.duration(count: 0))
        default: return .silence
        }
    }

    func fits(_ packet: Span<UInt8>, _ length: Int, _ code: CommandCode) -> Bool {
        packet.count == length || packet.count > length && template.profile.liteTrailingBytes.areIgnored(by: code)
    }

    func refusal(_ reason: StatusFlag2, at index: Int) -> StatusFlags {
        StatusFlags(template.profile.liteStatusLocation.flag1(at: index), reason)
    }

    private mutating func answerPolling(
        _ frame: Span<UInt8>, _ random: inout SeededGenerator, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard fits(frame, Polling.Request.length, .polling), session.pollingState == 0 else { return .silence }
        let request = Polling.Request(unchecked: frame)
        guard let system = matchedSystem(request.systemCode) else { return .silence }
        let profile = template.profile
        session.awaitsPolling = false
        var response = Polling.Response(idm: template.idm, pmm: template.definition.pmm)
        if profile.litePollingRequestCodes.contains(request.requestCode) {
            switch request.requestCode {
            case .systemCode: response.requestData = system.rawValue
            case .communicationPerformance: response.requestData = profile.litePerformanceBytes.rawValue
            default: break
            }
        }
        response.write(into: &buffer)
        let slot = FeliCaTimeSlot.draw(profile.liteRandomSlot ? request.timeSlot : 0, from: &random)
        return .slot(slot, after: FeliCaTimeSlot.delay(slot))
    }

    /// Returns the system that answers a Polling: FeliCa Lite before NDEF.
    func matchedSystem(_ polled: SystemCode) -> SystemCode? {
        switch template.model {
        case .plug: return polled.matches(.plug) ? .plug : nil
        case .nfcDEP: return polled == .any ? .any : nil
        case .lite, .liteS, .linkLiteS:
            if polled.matches(.lite) { return .lite }
            return session.configuration.answersNDEF && polled.matches(.ndef) ? .ndef : nil
        }
    }

    private func answerEcho(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) -> CardReply {
        guard !session.awaitsPolling, frame.count - Echo.minimumLength <= template.profile.liteEchoMax else {
            return .silence
        }
        buffer.append(frame)
        return .frame(after: template.otherTime.duration(count: 0))
    }

    /// Returns the lists of a Read or Write of the single service a card accepts, or the status flags of its refusal.
    func lists(of packet: Span<UInt8>, maximum: Int) -> FeliCaBlockCounts {
        guard packet.count >= BlockAccessLayout.minimumLength else { return .malformed }
        let hasService = BlockAccessLayout.serviceCount(of: packet) == 1
        guard hasService else { return .refused(StatusFlags(.serviceCount)) }
        guard let layout = BlockAccessLayout(packet) else { return .malformed }
        guard (1...maximum).contains(layout.blockCount) else { return .refused(StatusFlags(.blockCount)) }
        return .valid(layout)
    }
}

// Reading.

extension FeliCaLiteCard {
    private func answerRead(_ frame: Span<UInt8>, into buffer: inout FrameBuffer) -> CardReply {
        let layout: BlockAccessLayout
        switch lists(of: frame, maximum: template.profile.liteMaxReadBlocks) {
        case .malformed: return .silence
        case .refused(let status): return refuseRead(status, 0, into: &buffer)
        case .valid(let valid): layout = valid
        }
        guard let end = layout.blockListEnd(in: frame), fits(frame, end, .readWithoutEncryption) else {
            return .silence
        }
        if let status = refusalOfRead(frame, layout) { return refuseRead(status, layout.blockCount, into: &buffer) }
        buffer.append(byteCount: ReadWithoutEncryption.Response.blockOffset(0)) { header in
            ReadWithoutEncryption.Response.storeHeader(
                idm: template.idm, blockCount: layout.blockCount, into: &header)
        }
        var list = layout.blockList
        while let element = list.next(in: frame) {
            let block = LiteBlock(element.blockNumber)
            switch block {
            case .challenge, .cardKey: buffer.append(BlockData.zero.simd)
            case .mac, .macA: buffer.append(mac(block, at: list.index - 1, frame, layout).simd)
            default: buffer.append(self[block].simd)
            }
        }
        return .frame(after: template.readTime.duration(count: layout.blockCount))
    }

    private func refuseRead(_ status: StatusFlags, _ count: Int, into buffer: inout FrameBuffer) -> CardReply {
        ReadWithoutEncryption.Response.writeRefusal(status, idm: template.idm, into: &buffer)
        return .frame(after: template.readTime.duration(count: count))
    }

    /// Returns the first reason to refuse a Read, or `nil`.
    ///
    /// The order of the checks follows the Flipper firmware; the order on chips is unpublished.
    private func refusalOfRead(_ frame: Span<UInt8>, _ layout: BlockAccessLayout) -> StatusFlags? {
        let service = layout.service(0, in: frame)
        guard service == Type3Services.read || service == Type3Services.write else {
            return refusal(.targetMissing, at: 0)
        }
        var list = layout.blockList
        var (macIndex, macAIndex): (Int?, Int?) = (nil, nil)
        while let element = list.next(in: frame) {
            let (index, block) = (list.index - 1, LiteBlock(element.blockNumber))
            if let misuse = element.liteMisuse { return refusal(misuse, at: index) }
            guard has(block), service == Type3Services.read || canBeReadToWrite(block) else {
                return refusal(.blockNumber, at: index)
            }
            if block == .mac { macIndex = macIndex ?? index }
            if block == .macA { macAIndex = macAIndex ?? index }
            if session.keys == nil, block == .macA || block == .mac && template.profile.liteMacWithoutRC == .refused {
                return refusal(.wrongMACA, at: index)
            }
            guard !needsAuthentication(toRead: block) || session.isAuthenticated else {
                return refusal(.authenticationNeeded, at: index)
            }
            if macIndex != nil, let macAIndex { return refusal(.bothMACs, at: macAIndex) }
        }
        return nil
    }

    /// Returns whether service 0009 reads a block: some chips refuse blocks that they would not write.
    private func canBeReadToWrite(_ block: LiteBlock) -> Bool {
        template.profile.liteReadRoThroughRW == .data || block == .macA || isWritable(block, withMACA: true)
    }

    private func needsAuthentication(toRead block: LiteBlock) -> Bool {
        block <= .registers && session.configuration.authenticatedRead.contains(Int(block.rawValue))
    }

    /// Returns the content of MAC or MAC_A at a position in a list.
    ///
    /// As in the Flipper firmware, a MAC_A that is not last reads as zeros, and the last one covers the blocks after an earlier
    /// one.
    private func mac(_ block: LiteBlock, at index: Int, _ frame: Span<UInt8>, _ layout: BlockAccessLayout) -> BlockData
    {
        guard let keys = session.keys, block == .mac || index == layout.blockCount - 1 else { return .zero }
        var list = layout.blockList
        var numbers: [UInt8] = []
        var contents: [UInt64] = []
        while list.index < index, let element = list.next(in: frame) {
            let read = LiteBlock(element.blockNumber)
            guard read != .macA else {
                (numbers, contents) = ([], [])
                continue
            }
            let content = read == .cardKey || read == .challenge ? .zero : self[read]
            numbers.append(UInt8(truncatingIfNeeded: read.rawValue))
            contents += [content.littleEndianHalves.0, content.littleEndianHalves.1]
        }
        let mac = block == .mac ? keys.mac(contents) : keys.macA(reading: numbers, contents)
        return LiteMACBlock(mac: mac).block
    }

    /// The answer to a read that ends with MAC or MAC_A, which can be recomputed from the blocks before it.
    public func opened(answer: [UInt8], to command: [UInt8]) -> ProtectedAnswer? {
        guard let keys = session.keys, let request = try? ReadWithoutEncryption.Request(parsing: command),
            let last = request.blocks.last.map({ LiteBlock($0.blockNumber) }), last == .mac || last == .macA,
            (try? ReadWithoutEncryption.Response(parsing: answer))?.blocks.count == request.blocks.count
        else { return nil }
        let numbers = request.blocks.dropLast().map { UInt8(truncatingIfNeeded: $0.blockNumber) }
        return ProtectedAnswer(answer) { changed, isFixed in
            guard isFixed, var response = try? ReadWithoutEncryption.Response(parsing: changed.packet),
                response.blocks.count == request.blocks.count
            else { return changed.packet }
            let contents = response.blocks.dropLast().flatMap { [$0.littleEndianHalves.0, $0.littleEndianHalves.1] }
            let mac = last == .mac ? keys.mac(contents) : keys.macA(reading: numbers, contents)
            response.blocks[response.blocks.count - 1] = LiteMACBlock(mac: mac).block
            return response.bytes
        }
    }
}
