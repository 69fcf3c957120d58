import TapCrypto
import TapWire

/// A Write Without Encryption of one block, alone or followed by MAC_A.
struct LiteWrite {
    let service: NodeCode
    let first: BlockListElement
    /// In a valid write, the element of MAC_A.
    let second: BlockListElement?
    let content: BlockData
    let macA: BlockData

    var block: LiteBlock { LiteBlock(first.blockNumber) }
    var hasSecond: Bool { second != nil }
}

extension BlockListElement {
    /// The reason no FeliCa Lite accepts the element, whatever its block: there is no second service and no other access mode.
    var liteMisuse: StatusFlag2? {
        if serviceOrder != 0 { return .serviceOrder }
        return accessMode == AccessMode.normal ? nil : .accessMode
    }
}

enum LiteWriteParse {
    case malformed
    case refused(StatusFlags)
    case valid(LiteWrite)
}

extension FeliCaLiteCard {
    mutating func answerWrite(
        _ frame: Span<UInt8>, _ context: CardContext, into buffer: inout FrameBuffer
    ) -> CardReply {
        let status: StatusFlags
        var count = 0
        switch liteWrite(frame) {
        case .malformed: return .silence
        case .refused(let refusal): status = refusal
        case .valid(let write):
            // A write is carried out completely or, without enough power, not at all.
            guard context.power?.steps(of: 1) != 0 else { return .silence }
            count = write.hasSecond ? 2 : 1
            status = refusal(of: write) ?? (context.isMemoryFailing ? StatusFlags(.memoryError) : store(write))
        }
        WriteWithoutEncryption.Response(idm: template.idm, status: status).write(into: &buffer)
        return .frame(after: template.writeTime.duration(count: count))
    }

    func liteWrite(_ frame: Span<UInt8>) -> LiteWriteParse {
        switch lists(of: frame, maximum: template.profile.liteMaxWriteBlocks) {
        case .malformed: return .malformed
        case .refused(let status): return .refused(status)
        case .valid(let layout):
            var list = layout.blockList
            guard let first = list.next(in: frame) else { return .malformed }
            let second = list.next(in: frame)
            let end = list.offset
            guard list.isAtEnd, fits(frame, end + BlockData.byteCount * layout.blockCount, .writeWithoutEncryption)
            else { return .malformed }
            return .valid(
                LiteWrite(
                    service: layout.service(0, in: frame), first: first, second: second,
                    content: BlockData(frame, at: end),
                    macA: second == nil ? .zero : BlockData(frame, at: end + BlockData.byteCount)))
        }
    }

    /// Returns the first reason to refuse a write, or `nil`.
    ///
    /// The order of the checks follows the Flipper firmware; the order on chips is unpublished.
    func refusal(of write: LiteWrite) -> StatusFlags? {
        guard write.service == Type3Services.write else { return refusal(.targetMissing, at: 0) }
        let (block, configuration) = (write.block, session.configuration)
        guard has(block), block != .macA, isWritable(block, withMACA: write.hasSecond),
            write.hasSecond || !needsMACA(toWrite: block), configuration.allows(write), isFalling(write)
        else { return refusal(.blockNumber, at: 0) }
        if let misuse = write.first.liteMisuse { return refusal(misuse, at: 0) }
        if let second = write.second {
            if let misuse = second.liteMisuse { return refusal(misuse, at: 1) }
            guard LiteBlock(second.blockNumber) == .macA else { return refusal(.blockNumber, at: 1) }
        }
        if block <= .registers, configuration.authenticatedWrite.contains(Int(block.rawValue)), !session.isAuthenticated
        {
            return refusal(.authenticationNeeded, at: 0)
        }
        guard write.hasSecond else { return nil }
        let isAsked = needsMACA(toWrite: block) || template.profile.liteMacWhereNotAsked
        return isAsked && isAuthentic(write) ? nil : refusal(.wrongMACA, at: 1)
    }

    /// Returns whether a block is currently writable, as far as locks and MAC_A are concerned.
    func isWritable(_ block: LiteBlock, withMACA: Bool) -> Bool {
        let configuration = session.configuration
        switch block {
        case LiteBlock(0)...LiteBlock.registers: return configuration.writable.contains(Int(block.rawValue))
        case .challenge: return true
        case .identification, .serviceCode: return configuration.isOpen
        case .keyVersion, .cardKey: return configuration.isOpen || withMACA && canChangeKey
        case .memoryConfiguration:
            return configuration.isOpen || configuration.writable.contains(LiteBlockSet.configurationBit)
        case .state: return template.model.hasMACA
        default: return false
        }
    }

    /// A Boolean value that indicates whether CK and CKV can be changed with MAC_A although they are locked.
    private var canChangeKey: Bool {
        template.model.hasMACA && session.configuration.changesKeyWithMAC
            && template.profile.liteCkWriteWithMacAfterLock
    }

    func needsMACA(toWrite block: LiteBlock) -> Bool {
        let configuration = session.configuration
        switch block {
        case LiteBlock(0)...LiteBlock.registers: return configuration.writeWithMAC.contains(Int(block.rawValue))
        case .keyVersion, .cardKey: return !configuration.isOpen
        case .state: return configuration.stateWithMAC
        default: return false
        }
    }

    /// Returns whether a write to REG leaves A and B no larger; `true` for other blocks.
    private func isFalling(_ write: LiteWrite) -> Bool {
        guard write.block == .registers, template.profile.liteRegViolation == .refused else { return true }
        return !LiteRegisters(write.content).exceeds(LiteRegisters(blocks[LiteStore.registers]))
    }

    /// Returns whether MAC_A and its write counter are correct and the counter is not exhausted.
    private func isAuthentic(_ write: LiteWrite) -> Bool {
        guard let keys = session.keys, writeCounter < counterLimit else { return false }
        let sent = LiteMACBlock(write.macA)
        let number = UInt8(truncatingIfNeeded: write.block.rawValue)
        return sent.counter == writeCounter
            && sent.mac == keys.macA(writing: number, write.content.littleEndianHalves, counter: writeCounter)
    }

    /// The value at which WCNT stops and writes with MAC_A end.
    private var counterLimit: UInt32 {
        switch (template.model.counterLength, session.configuration.isOpen) {
        case (4, _): .max
        case (_, true): 0xFF_FFFF
        case (_, false): 0xFF_FE00
        }
    }
}

extension FeliCaLiteCard {
    private mutating func store(_ write: LiteWrite) -> StatusFlags {
        switch write.block {
        case .challenge: return beginSession(write.content)
        case .state: storeState(write)
        case .registers: blocks[LiteStore.registers] = LiteRegisters.merged(blocks[LiteStore.registers], write.content)
        case .identification:
            for index in 8..<BlockData.byteCount { blocks[LiteStore.identification][index] = write.content[index] }
        case .memoryConfiguration:
            storeConfiguration(write.content)
            guard !hasJustLocked(write.content) else {
                writeCounter = 0
                return .success
            }
        default: if let index = LiteStore.index(of: write.block) { blocks[index] = write.content }
        }
        return countWrite()
    }

    private mutating func beginSession(_ challenge: BlockData) -> StatusFlags {
        // A build without ciphers rejects cards with keys; without ciphers a session cannot begin, and the reader gets an
        // error.
        guard BlockCiphers.isAvailable else { return StatusFlags(.memoryError) }
        session.keys = LiteSession(
            cardKey: blocks[LiteStore.cardKey].littleEndianHalves, challenge: challenge.littleEndianHalves)
        if template.profile.liteRcClearsExtAuth { session.isAuthenticated = false }
        return template.profile.liteWcntCountsRC ? countWrite() : .success
    }

    /// Updates external authentication and whether Polling is answered from now on.
    private mutating func storeState(_ write: LiteWrite) {
        session.pollingState = write.content[8]
        guard write.content[0] == 1 else {
            session.isAuthenticated = false
            return
        }
        if write.hasSecond || template.profile.liteStatePlainWrite { session.isAuthenticated = true }
    }

    private mutating func storeConfiguration(_ content: BlockData) {
        let stored = LiteMemoryConfiguration(blocks[LiteStore.configuration])
        let new = LiteMemoryConfiguration(content)
        blocks[LiteStore.configuration] =
            stored.applying(new, under: session.configuration, hasMACA: template.model.hasMACA).stored
        if template.profile.liteMcImmediate {
            session.configuration = LiteMemoryConfiguration(blocks[LiteStore.configuration])
        }
    }

    private func hasJustLocked(_ content: BlockData) -> Bool {
        template.model.hasMACA && session.configuration.isOpen && LiteMemoryConfiguration(content).lock == .locked
    }

    /// Counts a write, up to the maximum count; near it, a card may warn.
    private mutating func countWrite() -> StatusFlags {
        guard template.model.hasMACA else { return .success }
        let most: UInt32 = template.model.counterLength == 4 ? .max : 0xFF_FFFF
        if writeCounter < most { writeCounter += 1 }
        let warns = template.profile.liteWcntWarning == .nearEnd && isNearLastWrite
        return warns ? StatusFlags(.rewriteWarning) : .success
    }

    /// A Boolean value that indicates whether WCNT will soon be exhausted on a locked card.
    var isNearLastWrite: Bool {
        template.model.hasMACA && !session.configuration.isOpen
            && counterLimit - min(counterLimit, writeCounter) < Self.rewritesOfWarning
    }

    private static let rewritesOfWarning: UInt32 = 10_000
}

extension LiteMemoryConfiguration {
    /// Returns `false` for a write of MC with a forbidden MC_ALL; TapSim refuses it; the behavior of chips is unknown.
    fileprivate func allows(_ write: LiteWrite) -> Bool {
        guard write.block == .memoryConfiguration, isOpen else { return true }
        let lock = LiteMemoryConfiguration(write.content).lock
        return lock == .open || lock == .locked
    }
}

/// The block REG: A and B may only decrease, C is unrestricted.
struct LiteRegisters {
    var a: UInt32
    var b: UInt32

    init(_ block: BlockData) {
        let both = block.littleEndianHalves.0
        a = UInt32(truncatingIfNeeded: both)
        b = UInt32(truncatingIfNeeded: both >> 32)
    }

    /// Returns whether A or B is larger than in another block.
    func exceeds(_ other: LiteRegisters) -> Bool { a > other.a || b > other.b }

    /// Returns the new block with A and B limited to their old values; C is stored only if neither would grow.
    static func merged(_ old: BlockData, _ new: BlockData) -> BlockData {
        let (before, after) = (LiteRegisters(old), LiteRegisters(new))
        let (a, b) = (min(before.a, after.a), min(before.b, after.b))
        let c = (after.exceeds(before) ? old : new).littleEndianHalves.1
        return BlockData(littleEndianHalves: (UInt64(b) << 32 | UInt64(a), c))
    }
}
