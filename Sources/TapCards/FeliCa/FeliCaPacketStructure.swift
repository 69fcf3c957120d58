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
    @inline(__always)
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
        case .nodes(let countOffset, let most, let isRefused):
            guard let layout = NodeListLayout(packet, countOffset: countOffset), fits(packet, layout.end, mayTrail)
            else {
                return nil
            }
            if layout.count >= 1, layout.count <= most { return .nodes(layout) }
            return isRefused ? .refused(StatusFlags(.serviceCount)) : nil
        case .read:
            return blockAccess(packet, maximum: profile.maxReadBlocks, bytesPerBlock: 0, mayTrail)
        case .write:
            return blockAccess(packet, maximum: profile.maxWriteBlocks, bytesPerBlock: BlockData.byteCount, mayTrail)
        case .free(let length):
            return packet.count >= length ? .plain : nil
        }
    }

    @inline(__always)
    private func fits(_ packet: Span<UInt8>, _ length: Int, _ mayTrail: Bool) -> Bool {
        packet.count == length || packet.count > length && mayTrail
    }

    /// Checks the lists of a Read or Write: the counts first, since a chip answers a count beyond its limit without
    /// looking at the lists, then whether all elements and data are there.
    @inline(__always)
    private func blockAccess(
        _ packet: Span<UInt8>, maximum: Int, bytesPerBlock: Int, _ mayTrail: Bool
    ) -> FeliCaPacketStructure? {
        guard packet.count >= BlockAccessLayout.minimumLength else { return nil }
        let services = BlockAccessLayout.serviceCount(of: packet)
        let hasServices = (1...FeliCaPacket.maximumServices).contains(services)
        guard let layout = BlockAccessLayout(packet) else {
            return hasServices ? nil : countError(.serviceCount)
        }
        let hasBlocks = (1...maximum).contains(layout.blockCount)
        switch (hasServices, hasBlocks) {
        case (false, false): return countError(profile.countErrorPreference)
        case (false, true): return countError(.serviceCount)
        case (true, false):
            return layout.blockCount == 0 ? countError(.blockCount) : .refused(StatusFlags(.blockCount))
        case (true, true):
            guard let end = layout.blockListEnd(in: packet),
                fits(packet, end + bytesPerBlock * layout.blockCount, mayTrail)
            else { return nil }
            return .blocks(layout, end: UInt16(truncatingIfNeeded: end))
        }
    }

    private func countError(_ reason: StatusFlag2) -> FeliCaPacketStructure? {
        profile.serviceCountErrors == .answer ? .refused(StatusFlags(reason)) : nil
    }
}
