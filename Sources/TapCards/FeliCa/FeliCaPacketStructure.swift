import TapWire

/// What the structure check found in a packet, so that no list is measured twice.
enum FeliCaPacketStructure {
    /// Fields at fixed places, or any bytes.
    case plain
    /// A list of nodes.
    case nodes(NodeListLayout)
    /// Lists of services and blocks; data, if any, begins at `end`.
    case blocks(BlockAccessLayout, end: UInt16)
    /// A count that is answered with status flags.
    case refused(StatusFlags)

    /// Nodes or blocks, for the time a card takes.
    var count: Int {
        switch self {
        case .plain: 1
        case .nodes(let layout): layout.count
        case .blocks(let layout, _): layout.blockCount
        case .refused: 0
        }
    }
}

extension FeliCaTemplate {
    /// Checks that a packet holds all fields of its command, and no more where the chip minds.
    ///
    /// - Returns: Where its lists lie, or nothing if it is malformed, which a card meets with silence.
    func structure(of packet: Span<UInt8>, _ rule: FeliCaCommandRule) -> FeliCaPacketStructure? {
        let mayTrail = rule.ignoresTrailingBytes
        switch rule.structure {
        case .fixed(let length):
            return fits(packet, Int(length), mayTrail) ? .plain : nil
        case .reserved(let offset):
            // felica-rs is silent to a Reset Mode whose reserved bytes are not zero; taken to hold for all such fields.
            guard fits(packet, Int(offset) + 2, mayTrail), packet.bigEndian16(at: Int(offset)) == 0 else {
                return nil
            }
            return .plain
        case .nodes: return nodeList(of: packet, rule)
        case .read:
            // `answerRead` checks the same while it reads.
            return blockAccess(packet, maximum: profile.maxReadBlocks, bytesPerBlock: 0, mayTrail)
        case .write:
            return blockAccess(packet, maximum: profile.maxWriteBlocks, bytesPerBlock: BlockData.byteCount, mayTrail)
        case .free(let length):
            return packet.count >= length ? .plain : nil
        }
    }

    @inline(always)
    func fits(_ packet: Span<UInt8>, _ length: Int, _ mayTrail: Bool) -> Bool {
        packet.count == length || packet.count > length && mayTrail
    }

    /// Checks the list of a command about nodes, in a packet of which `rule` tells.
    @inline(always)
    func nodeList(of packet: Span<UInt8>, _ rule: FeliCaCommandRule) -> FeliCaPacketStructure? {
        guard case .nodes(let countOffset, let most, let isRefused) = rule.structure,
            let layout = NodeListLayout(packet, countOffset: countOffset),
            fits(packet, layout.end, rule.ignoresTrailingBytes)
        else { return nil }
        if layout.count >= 1, layout.count <= most { return .nodes(layout) }
        return isRefused ? .refused(StatusFlags(.serviceCount)) : nil
    }

    /// Checks the lists of a Read or Write: whether all elements and data are there.
    private func blockAccess(
        _ packet: Span<UInt8>, maximum: Int, bytesPerBlock: Int, _ mayTrail: Bool
    ) -> FeliCaPacketStructure? {
        switch blockCounts(of: packet, maximum: maximum) {
        case .malformed: return nil
        case .refused(let status): return .refused(status)
        case .sound(let layout):
            guard let end = layout.blockListEnd(in: packet),
                fits(packet, end + bytesPerBlock * layout.blockCount, mayTrail)
            else { return nil }
            return .blocks(layout, end: UInt16(truncatingIfNeeded: end))
        }
    }

    /// Checks the counts of a Read or Write; a chip answers one beyond its limit without looking at the lists.
    @inline(always)
    func blockCounts(of packet: Span<UInt8>, maximum: Int) -> FeliCaBlockCounts {
        guard packet.count >= BlockAccessLayout.minimumLength else { return .malformed }
        let services = BlockAccessLayout.serviceCount(of: packet)
        let hasServices = (1...FeliCaPacket.maximumServices).contains(services)
        guard let layout = BlockAccessLayout(packet) else {
            return hasServices ? .malformed : countError(.serviceCount)
        }
        let hasBlocks = (1...maximum).contains(layout.blockCount)
        return switch (hasServices, hasBlocks) {
        case (true, true): .sound(layout)
        case (false, false): countError(profile.countErrorPreference)
        case (false, true): countError(.serviceCount)
        case (true, false):
            layout.blockCount == 0 ? countError(.blockCount) : .refused(StatusFlags(.blockCount))
        }
    }

    private func countError(_ reason: StatusFlag2) -> FeliCaBlockCounts {
        profile.serviceCountErrors == .answer ? .refused(StatusFlags(reason)) : .malformed
    }
}

/// What the counts of a Read or Write say.
enum FeliCaBlockCounts {
    /// The lists may be read.
    case sound(BlockAccessLayout)
    /// A count is answered with status flags.
    case refused(StatusFlags)
    /// A packet without its counts, or with counts the chip is silent to.
    case malformed
}
