import TapCrypto
import TapWire

extension FeliCaCard {
    /// Receives a packet and answers it.
    ///
    /// A failed check of frame, command, address, mode or structure results in silence, and silence changes nothing, so a
    /// reader cannot observe the order of the checks.
    /// Source: FeliCa Card User's Manual, excerpted edition, "command packet" and "mode transitions"; that silence does not
    /// switch systems either is inferred.
    public mutating func answer(
        _ frame: Span<UInt8>, bitCount: Int, integrity: FrameIntegrity, context: inout CardContext,
        into buffer: inout FrameBuffer
    ) -> CardReply {
        buffer.removeAll()
        guard integrity == .good, bitCount == frame.count &* 8, FeliCaPacket.isWhole(frame) else { return .silence }
        guard let rule = template.rules[Int(frame[1])], rule.hasCode(frame) else {
            noteMissingCommand(frame, &context.reliance)
            return .silence
        }
        if rule.command == .polling {
            return answerPolling(frame, rule.ignoresTrailingBytes, &context, into: &buffer)
        }
        guard !rule.hasIDm || isForCurrentSystem(frame) else {
            return answerInAnotherSystem(frame, &context, into: &buffer)
        }
        if mode != .mode0, rule.isOption { context.reliance.rely(on: .modeOfOptionCommands) }
        guard rule.modes.contains(mode), !session.awaitsPolling else { return .silence }
        return perform(rule, frame, &context, into: &buffer)
    }

    /// Notes that a card does not answer a command that other chips answer.
    @inline(never)
    private func noteMissingCommand(_ frame: Span<UInt8>, _ reliance: inout CardReliance) {
        let code = CommandCode(frame[1], frame.count > 2 ? frame[2] : 0)
        guard FeliCaCardCommand.allCodes.contains(code), let command = CommandDescription.of(code) else { return }
        guard !command.namesSystem || frame.count >= FeliCaPacket.idmLength,
            !command.namesSystem || template.systems.contains(where: { $0.idm == frame.idm })
        else { return }
        reliance.rely(on: .supportedCommands)
    }

    /// Returns whether a packet carries the IDm of the current system.
    @inline(always)
    private func isForCurrentSystem(_ frame: Span<UInt8>) -> Bool {
        frame.count >= FeliCaPacket.idmLength && frame.idm == system.idm
    }

    /// Answers a packet in the system whose IDm it carries; the system becomes current unless it stays silent.
    @inline(never)
    private mutating func answerInAnotherSystem(
        _ frame: Span<UInt8>, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let before = session
        guard isAddressed(by: frame) else { return .silence }
        // The packet is now addressed to the current system, so this function is not entered again.
        let reply = answer(frame, bitCount: frame.count &* 8, integrity: .good, context: &context, into: &buffer)
        if reply == .silence { session = before }
        return reply
    }

    /// Selects the system whose IDm a packet carries; returns `false` if the card has none.
    mutating func isAddressed(by frame: Span<UInt8>) -> Bool {
        guard frame.count >= FeliCaPacket.idmLength else { return false }
        let idm = frame.idm
        for number in template.systems.indices where template.systems[number].idm == idm {
            session.select(number)
            return true
        }
        return false
    }

    @inline(always)
    private mutating func perform(
        _ rule: FeliCaCommandRule, _ frame: Span<UInt8>, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard let structure = template.structure(of: frame, rule, &context.reliance) else { return .silence }
        if rule.isOnSomeChips { context.reliance.rely(on: .supportedCommands) }
        switch structure {
        case .read(let layout): answerRead(frame, layout, .plain, &context.reliance, into: &buffer)
        case .write(let write):
            // A write is carried out completely or, without enough power, not at all.
            guard context.power?.steps(of: 1) != 0 else { return .silence }
            answerWrite(write, frame, &context, into: &buffer)
        case .nodes(let list): performNodeCommand(rule.command, frame, list, &context.reliance, into: &buffer)
        case .plain: performPlainCommand(rule.command, frame, &context.reliance, into: &buffer)
        case .keyed: return performKeyedCommand(rule, frame, &context, into: &buffer)
        case .refused(let status):
            FeliCaPacket.writeStatus(status, code: rule.code.response, idm: system.idm, into: &buffer)
        }
        return buffer.count > 0 ? .frame(after: rule.time.duration(count: structure.count)) : .silence
    }

    @inline(always)
    private func performNodeCommand(
        _ command: FeliCaCardCommand, _ frame: Span<UInt8>, _ list: NodeListLayout, _ reliance: inout CardReliance,
        into buffer: inout FrameBuffer
    ) {
        switch command {
        case .requestService: answerRequestService(frame, list, &reliance, into: &buffer)
        case .requestServiceV2: answerRequestServiceV2(frame, list, &reliance, into: &buffer)
        case .requestBlockInformation: answerBlockInformation(frame, list, &reliance, into: &buffer)
        case .requestBlockInformationEx: answerBlockInformationEx(frame, list, &reliance, into: &buffer)
        case .getNodeProperty: answerNodeProperty(frame, list, &reliance, into: &buffer)
        default: break
        }
    }

    @inline(never)
    private mutating func performPlainCommand(
        _ command: FeliCaCardCommand, _ frame: Span<UInt8>, _ reliance: inout CardReliance,
        into buffer: inout FrameBuffer
    ) {
        switch command {
        case .requestResponse: answerRequestResponse(into: &buffer)
        case .searchServiceCode: answerSearchServiceCode(frame, into: &buffer)
        case .requestSystemCode: answerRequestSystemCode(into: &buffer)
        case .requestCodeList: answerRequestCodeList(frame, into: &buffer)
        case .getAreaInformation: answerAreaInformation(frame, into: &buffer)
        case .getSystemStatus: answerSystemStatus(into: &buffer)
        case .requestProductInformation: answerProductInformation(into: &buffer)
        case .requestSpecificationVersion: answerSpecificationVersion(into: &buffer)
        case .resetMode: answerResetMode(into: &buffer)
        case .setParameter: answerSetParameter(frame, into: &buffer)
        case .getContainerIssueInformation: answerContainerIssueInformation(into: &buffer)
        case .getContainerProperty: answerContainerProperty(frame, into: &buffer)
        case .getContainerID: answerContainerID(into: &buffer)
        case .echo: answerEcho(frame, &reliance, into: &buffer)
        default: break
        }
    }
}

extension FeliCaCard {
    /// Carries out a command that needs keys; a build without ciphers answers none of them.
    ///
    /// The card is silent where details are unpublished: the MAC of 34, and the layouts of 36 and 4C.
    @inline(never)
    private mutating func performKeyedCommand(
        _ rule: FeliCaCommandRule, _ frame: Span<UInt8>, _ context: inout CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        guard BlockCiphers.isAvailable else { return .silence }
        let mayTrail = rule.ignoresTrailingBytes
        let count: Int? =
            switch rule.command {
            case .authentication1: answerAuthentication1(frame, mayTrail, &context, into: &buffer)
            case .authentication1V2: answerAuthentication1V2(frame, mayTrail, &context, into: &buffer)
            case .authentication2, .authentication2V2:
                answerAuthentication2(frame, rule, &context.reliance, into: &buffer) ? 1 : nil
            case .secureRead, .secureWrite, .secureReadV2, .secureWriteV2, .issuance:
                answerSecurePacket(frame, rule, &context, into: &buffer)
            default: nil
            }
        if [.internalAuthenticateAndRead, .externalAuthenticateAndWrite, .updateRandomID].contains(rule.command) {
            context.reliance.refuse(unpublished: rule.code)
        }
        return count.map { .frame(after: rule.time.duration(count: $0)) } ?? .silence
    }
}

/// The result of the structure check of a packet, so that no list is measured twice.
enum FeliCaPacketStructure {
    /// Fields at fixed positions, or arbitrary bytes.
    case plain
    /// A command that needs keys, with its number of nodes or, if only the key reveals it, the maximum number of its blocks.
    case keyed(Int)
    case nodes(NodeListLayout)
    case read(BlockAccessLayout)
    case write(FeliCaWrite)
    /// A count that is refused with status flags.
    case refused(StatusFlags)

    /// The number of nodes or blocks, which determines the response time.
    var count: Int {
        switch self {
        case .plain: 1
        case .keyed(let count): count
        case .nodes(let layout): layout.count
        case .read(let layout): layout.blockCount
        case .write(let write): write.layout.blockCount
        case .refused: 0
        }
    }
}

extension FeliCaTemplate {
    /// Locates the lists of a valid packet; `nil` if fields are missing or there are more bytes than the chip accepts.
    @inline(always)
    func structure(
        of packet: Span<UInt8>, _ rule: FeliCaCommandRule, _ reliance: inout CardReliance
    ) -> FeliCaPacketStructure? {
        let mayTrail = rule.ignoresTrailingBytes
        switch rule.structure {
        case .fixed(let length):
            return fits(packet, Int(length), mayTrail, &reliance) ? .plain : nil
        case .reserved(let offset):
            // felica-rs does not answer a Reset Mode with nonzero reserved bytes; assumed for all such fields.
            guard fits(packet, Int(offset) + 2, mayTrail, &reliance), packet.bigEndian16(at: Int(offset)) == 0 else {
                return nil
            }
            return .plain
        case .nodes: return nodeList(of: packet, rule, &reliance)
        case .read:
            return blockAccess(
                packet, maximum: profile.maxReadBlocks, bytesPerBlock: 0, mayTrail, &reliance
            ) { layout, _ in .read(layout) }
        case .write:
            return blockAccess(
                packet, maximum: profile.maxWriteBlocks, bytesPerBlock: BlockData.byteCount, mayTrail, &reliance
            ) { layout, end in .write(FeliCaWrite(layout: layout, dataOffset: end)) }
        case .free(let length):
            return packet.count >= length ? .plain : nil
        case .keyed: return .keyed(longestCount(of: packet, rule.command))
        }
    }

    /// Returns the number of nodes of an authentication, or the maximum number of blocks of a secure packet.
    private func longestCount(of packet: Span<UInt8>, _ command: FeliCaCardCommand) -> Int {
        switch command {
        case .authentication1:
            Authentication1.Layout(packet).map { $0.areas.count + $0.services.count } ?? 1
        case .authentication1V2:
            NodeListLayout(packet, countOffset: UInt8(Authentication1V2.countOffset))?.count ?? 1
        case .secureRead, .secureReadV2: profile.maxReadBlocks
        case .secureWrite, .secureWriteV2: profile.maxWriteBlocks
        default: 1
        }
    }

    @inline(always)
    func fits(_ packet: Span<UInt8>, _ length: Int, _ mayTrail: Bool, _ reliance: inout CardReliance) -> Bool {
        guard packet.count > length else { return packet.count == length }
        reliance.rely(on: .trailingBytes)
        return mayTrail
    }

    /// Checks the node list of a command, in a packet described by `rule`.
    @inline(always)
    func nodeList(
        of packet: Span<UInt8>, _ rule: FeliCaCommandRule, _ reliance: inout CardReliance
    ) -> FeliCaPacketStructure? {
        guard case .nodes(let countOffset, let most, let isRefused) = rule.structure,
            let layout = NodeListLayout(packet, countOffset: countOffset),
            fits(packet, layout.end, rule.ignoresTrailingBytes, &reliance)
        else { return nil }
        if rule.command == .requestService, layout.count > FeliCaPacket.maximumNodes {
            reliance.rely(on: .requestServiceBadCount)
        }
        if layout.count >= 1, layout.count <= most { return .nodes(layout) }
        return isRefused ? .refused(StatusFlags(.serviceCount)) : nil
    }

    /// Checks that all elements and data of a Read or Write are present.
    @inline(always)
    private func blockAccess(
        _ packet: Span<UInt8>, maximum: Int, bytesPerBlock: Int, _ mayTrail: Bool, _ reliance: inout CardReliance,
        valid: (BlockAccessLayout, _ end: Int) -> FeliCaPacketStructure
    ) -> FeliCaPacketStructure? {
        let limit: CardFact = bytesPerBlock == 0 ? .maxReadBlocks : .maxWriteBlocks
        switch blockCounts(of: packet, maximum: maximum, bytesPerBlock: bytesPerBlock, limit, &reliance) {
        case .malformed: return nil
        case .refused(let status): return .refused(status)
        case .valid(let layout):
            guard let end = layout.blockListEnd(in: packet),
                fits(packet, end + bytesPerBlock * layout.blockCount, mayTrail, &reliance)
            else { return nil }
            return valid(layout, end)
        }
    }

    /// Checks the counts of a Read or Write; a chip refuses a count above its limit without checking the lists.
    @inline(always)
    func blockCounts(
        of packet: Span<UInt8>, maximum: Int, bytesPerBlock: Int, _ limit: CardFact, _ reliance: inout CardReliance
    ) -> FeliCaBlockCounts {
        guard packet.count >= BlockAccessLayout.minimumLength else { return cutServiceList(of: packet, &reliance) }
        let services = BlockAccessLayout.serviceCount(of: packet)
        let hasServices = (1...FeliCaPacket.maximumServices).contains(services)
        guard let layout = BlockAccessLayout(packet) else {
            return hasServices ? .malformed : countError(.serviceCount, &reliance)
        }
        // Below the smallest limit, and above the capacity of a frame, all chips behave alike.
        if layout.blockCount > Self.smallestBlockLimit, layout.blockCount <= ReadWithoutEncryption.maximumBlocks {
            reliance.rely(on: limit)
        }
        let hasBlocks = (1...maximum).contains(layout.blockCount)
        switch (hasServices, hasBlocks) {
        case (true, true): return .valid(layout)
        case (false, false):
            reliance.rely(on: .countErrorPreference)
            return countError(profile.countErrorPreference, &reliance)
        case (false, true): return countError(.serviceCount, &reliance)
        case (true, false):
            if layout.blockCount == 0 { return countError(.blockCount, &reliance) }
            let end = layout.blockListEnd(in: packet).map { $0 + bytesPerBlock * layout.blockCount }
            if end ?? .max > packet.count {
                reliance.rely(on: .cutBlockList)
                if profile.cutBlockList == .silence { return .malformed }
            }
            return .refused(StatusFlags(.blockCount))
        }
    }

    /// Handles a packet that ends after its number of services.
    @inline(never)
    private func cutServiceList(of packet: Span<UInt8>, _ reliance: inout CardReliance) -> FeliCaBlockCounts {
        guard packet.count == BlockAccessLayout.minimumLength - 1,
            !(1...FeliCaPacket.maximumServices).contains(Int(packet[packet.count - 1]))
        else { return .malformed }
        reliance.rely(on: .cutServiceList)
        return profile.cutServiceList == .answer ? countError(.serviceCount, &reliance) : .malformed
    }

    /// The smallest block limit any source gives for a FeliCa Standard chip; from nfcpy's table.
    private static let smallestBlockLimit = 8

    private func countError(_ reason: StatusFlag2, _ reliance: inout CardReliance) -> FeliCaBlockCounts {
        reliance.rely(on: .serviceCountErrors)
        return profile.serviceCountErrors == .answer ? .refused(StatusFlags(reason)) : .malformed
    }
}

/// The result of checking the counts of a Read or Write.
enum FeliCaBlockCounts {
    /// The lists may be read.
    case valid(BlockAccessLayout)
    case refused(StatusFlags)
    /// The counts are missing, or the chip does not answer them.
    case malformed
}
