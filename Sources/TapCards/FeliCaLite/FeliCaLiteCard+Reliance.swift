import TapWire

// The facts an answer relies on although a real chip could differ, each named after the quirk that decides it.

extension FeliCaLiteCard {
    /// Records the facts the answer to a packet will rely on; called before the packet changes the card.
    func note(_ frame: Span<UInt8>, _ code: CommandCode, _ reliance: inout CardReliance) {
        switch code {
        case .polling: notePolling(frame, &reliance)
        case .echo:
            reliance.rely(on: .liteCommands)
            if frame.count > Echo.minimumLength { reliance.rely(on: .liteEchoMax) }
        case .readWithoutEncryption where isAddressed(by: frame): noteRead(frame, &reliance)
        case .writeWithoutEncryption where isAddressed(by: frame): noteWrite(frame, &reliance)
        case .authentication1 where isAddressed(by: frame): reliance.rely(on: .liteAuth1Dummy)
        default: break
        }
    }

    /// Records the facts that the status flags of an answer rely on: the position of an error in its list, and the absence of a
    /// warning shortly before writes run out.
    func noteStatus(in answer: borrowing FrameBuffer, to code: CommandCode, _ reliance: inout CardReliance) {
        guard code == .readWithoutEncryption || code == .writeWithoutEncryption,
            answer.count == Self.statusLength
        else { return }
        switch answer[FeliCaPacket.idmLength] {
        case 0: if isNearLastWrite { reliance.rely(on: .liteWcntWarning) }
        case StatusFlags.noPosition: break
        default: reliance.rely(on: .liteStatusLocation)
        }
    }

    /// LEN, code, IDm and status flags.
    private static let statusLength = FeliCaPacket.idmLength + 2
    /// The block counts that all chips of the family accept in a Write and in a Read.
    private static let (commonWrite, commonRead) = (1, 4)

    private func isAddressed(by frame: Span<UInt8>) -> Bool {
        frame.count >= FeliCaPacket.idmLength && frame.idm == template.idm
    }

    private func notePolling(_ frame: Span<UInt8>, _ reliance: inout CardReliance) {
        guard frame.count >= Polling.Request.length else { return }
        let request = Polling.Request(unchecked: frame)
        guard matchedSystem(request.systemCode) != nil else { return }
        if frame.count > Polling.Request.length { reliance.rely(on: .liteTrailingBytes) }
        guard request.requestCode != .none else { return }
        reliance.rely(on: .litePollingRequestCodes)
        if request.requestCode == .communicationPerformance { reliance.rely(on: .litePerformanceBytes) }
    }

    private func noteRead(_ frame: Span<UInt8>, _ reliance: inout CardReliance) {
        if !template.profile.liteCommands.contains(.readWithoutEncryption) { reliance.rely(on: .liteCommands) }
        guard template.model.hasBlocks, let layout = BlockAccessLayout(frame) else { return }
        if layout.blockCount > Self.commonRead { reliance.rely(on: .liteMaxReadBlocks) }
        guard let end = layout.blockListEnd(in: frame), layout.serviceCount == 1 else { return }
        if frame.count > end { reliance.rely(on: .liteTrailingBytes) }
        let service = layout.service(0, in: frame)
        var list = layout.blockList
        while let element = list.next(in: frame) {
            let block = LiteBlock(element.blockNumber)
            if block == .mac, session.keys == nil { reliance.rely(on: .liteMacWithoutRC) }
            if service == Type3Services.write, has(block), block != .macA, !isWritable(block, withMACA: true) {
                reliance.rely(on: .liteReadRoThroughRW)
            }
        }
    }

    private func noteWrite(_ frame: Span<UInt8>, _ reliance: inout CardReliance) {
        if !template.profile.liteCommands.contains(.writeWithoutEncryption) { reliance.rely(on: .liteCommands) }
        guard template.model.hasBlocks, let layout = BlockAccessLayout(frame) else { return }
        if layout.blockCount > Self.commonWrite { reliance.rely(on: .liteMaxWriteBlocks) }
        guard let end = layout.blockListEnd(in: frame),
            frame.count > end + BlockData.byteCount * layout.blockCount
        else { return noteValidWrite(frame, &reliance) }
        reliance.rely(on: .liteTrailingBytes)
        noteValidWrite(frame, &reliance)
    }

    /// Records the facts a write of one block relies on, depending on the block.
    private func noteValidWrite(_ frame: Span<UInt8>, _ reliance: inout CardReliance) {
        guard case .valid(let write) = liteWrite(frame), write.service == Type3Services.write else { return }
        let asksForMAC = needsMACA(toWrite: write.block)
        if write.hasSecond, !asksForMAC { reliance.rely(on: .liteMacWhereNotAsked) }
        switch write.block {
        case .challenge where session.isAuthenticated: reliance.rely(on: .liteRcClearsExtAuth)
        case .registers where LiteRegisters(write.content).exceeds(LiteRegisters(blocks[LiteStore.registers])):
            reliance.rely(on: .liteRegViolation)
        case .state where !write.hasSecond && !asksForMAC && write.content[0] == 1:
            reliance.rely(on: .liteStatePlainWrite)
        case .memoryConfiguration
        where write.content != self[.memoryConfiguration] && isWritable(write.block, withMACA: write.hasSecond):
            reliance.rely(on: .liteMcImmediate)
        default: break
        }
    }
}
