import TapWire

extension FaultCatalogue {
    static let felica: [FaultKind] = feliCaPackets + feliCaBlocks + feliCaDirectory + feliCaConduct + feliCaSessions
}

extension FaultScope {
    static let feliCaIDm = feliCa(\.answersWithIDm)
    static let feliCaStatus = FaultScope(
        commands: (feliCa(\.hasStatusFlags).commands ?? []).union(feliCaSecure.commands ?? []))
    static let feliCaServices = feliCa(\.namesNodes)
    static let feliCaRead = FaultScope.commands("felica.read", "felica.secure_read", "felica.secure_read_v2")
    static let feliCaPlainRead = FaultScope.commands("felica.read")
    static let feliCaSecure = FaultScope.commands(
        "felica.secure_read", "felica.secure_write", "felica.secure_read_v2", "felica.secure_write_v2")
    static let feliCaPolling = FaultScope.commands("felica.polling")

    /// FeliCa commands selected by their descriptions, without those that need a key.
    private static func feliCa(_ fits: (CommandDescription) -> Bool) -> FaultScope {
        FaultScope(
            commands: Set(CommandName.all.filter { $0.feliCa.map { !$0.needsKey && fits($0) } ?? false }))
    }
}

private enum Miscount: String, CaseIterable {
    case more
    case less
    case zero

    static func key(_ what: String) -> FaultKey<Miscount> {
        FaultKey("say", default: .more, "Whether \(what) is too high, too low, or 00.")
    }

    func altered(of number: UInt8, by difference: Int) -> UInt8 {
        switch self {
        case .more: UInt8(clamping: Int(number) + difference)
        case .less: UInt8(clamping: Int(number) - difference)
        case .zero: 0
        }
    }
}

extension FaultCatalogue {
    /// Answers that are wrong as packets, for any command.
    static let feliCaPackets: [FaultKind] = [
        FaultKind(
            "felica.length", "The LEN byte of the answer is wrong.",
            models: "An emulator or a relay rebuilds packets and counts all but LEN itself, or includes the CRC.",
            [lieOfLength, lieBy], scope: .felica,
            effect: .answer { answer, injection in
                answer.rewriteFeliCa { $0.length = injection[lieOfLength].altered(of: $0.length, by: injection[lieBy]) }
            }),
        FaultKind(
            "felica.response_code", "The answer has the response code of another command.",
            models: "An answer to an earlier command arrives late, or a relay echoes the command.",
            [responseCode], scope: .felica,
            effect: .answer { answer, injection in
                answer.rewriteFeliCa { $0.code = injection[responseCode] ?? $0.code.map { $0 & 0xFE } }
            }),
        FaultKind(
            "felica.idm", "The answer carries a wrong IDm.",
            models: "A second card in the field answers, or a phone changes its IDm between two commands.",
            [otherIDm, flippedBit], scope: .feliCaIDm,
            effect: .answer { answer, injection in
                let bit = UInt64(1) << UInt64(injection[flippedBit])
                answer.rewriteFeliCa { $0.idm = $0.idm.map { injection[otherIDm] ?? IDm($0.rawValue ^ bit) } }
            }),
        FaultKind(
            "felica.status", "The answer has different status flags.",
            models:
                "Memory fails (70), a chip has different limits (A1, A2), or a service requires authentication (A5).",
            [flag1, flag2, keepsData], scope: .feliCaStatus,
            effect: .content { answer, injection in
                answer.rewriteFeliCa { packet in
                    guard packet.status != nil else { return }
                    packet.status = StatusFlags(injection[flag1], injection[flag2])
                    guard !injection[keepsData] else { return }
                    packet.keep(FeliCaPacket.statusLength)
                    packet.length = UInt8(FeliCaPacket.statusLength)
                }
            }),
        FaultKind(
            "felica.truncate", "The answer ends too early, but LEN and counts are unchanged.",
            models: "A reader or a relay with a buffer that is too small truncates packets.",
            [keptBlocks, keptBytes], scope: .felica,
            effect: .answer { answer, injection in
                let blocks = injection[keptBlocks].map(FeliCaAnswer.length)
                answer.rewriteFeliCa { packet in
                    packet.keep(injection[keptBytes] ?? blocks ?? packet.bytes.count - 1)
                }
            }),
        FaultKind(
            "felica.extra_bytes", "Extra bytes that LEN does not count follow the answer.",
            models: "A reader passes on its buffer with the CRC, or with the rest of a longer answer.",
            [extraBytes], scope: .felica,
            effect: .answer { answer, injection in answer.rewriteFeliCa { $0.bytes += injection[extraBytes] } }),
    ]

    private static let lieOfLength = Miscount.key("LEN")
    private static let lieBy = FaultKey("by", .integer(1...254), default: 1, "The difference.")
    private static let responseCode = FaultKey<UInt8?>(
        "code", .bytes(1...1), "The response code. If omitted, the command code, as in an echo.")
    private static let otherIDm = FaultKey<[UInt8]?>(
        "idm", .bytes(8...8), "The IDm. If omitted, one bit of the correct IDm is flipped."
    ).map { $0.map { IDm(UInt64(octets: $0)) } }
    private static let flippedBit = FaultKey(
        "bit", .integer(0...63), default: 0, "The bit to flip; 0 is the lowest bit of the last byte.")
    private static let flag1 = FaultKey<UInt8>("sf1", .bytes(1...1), default: 0xFF, "Status flag 1; 00 means success.")
    private static let flag2 = FaultKey<UInt8>("sf2", .bytes(1...1), default: 0x70, "Status flag 2, the reason.")
    private static let keepsData = FaultKey(
        "with_data", .flag, default: false, "Whether the data remain after the status flags.")
    private static let keptBlocks = FaultKey<Int?>(
        "keep_blocks", .integer(0...15), "The number of blocks to keep in the answer to a read.")
    private static let keptBytes = FaultKey<Int?>(
        "keep_bytes", .integer(1...254),
        "The number of bytes to keep, including LEN. If both are omitted, one byte is cut.")
    private static let extraBytes = FaultKey(
        "bytes", .bytes(1...64), default: [0x00, 0x00], "The bytes; any beyond a total of 255 are dropped.")
}

extension FaultCatalogue {
    static let feliCaBlocks: [FaultKind] = [
        FaultKind(
            "felica.block_count", "The block count in the answer does not match the blocks that follow it.",
            models: "An emulator returns the requested count, however many blocks it has.",
            [lieOfCount, lieBy], scope: .feliCaRead,
            effect: .content { answer, injection in
                answer.rewriteFeliCa { packet in
                    packet.blockCount = packet.blockCount.map {
                        injection[lieOfCount].altered(of: $0, by: injection[lieBy])
                    }
                }
            }),
        FaultKind(
            "felica.fewer_blocks", "A read succeeds with fewer blocks than requested, with matching LEN and count.",
            models: "An emulator returns the blocks it has; a card would refuse.",
            [leftOutBlocks], scope: .feliCaRead,
            effect: .content { answer, injection in
                answer.rewriteBlocks { $0.removeLast(min($0.count, injection[leftOutBlocks])) }
            }),
        FaultKind(
            "felica.reorder", "The blocks of the answer are not in the requested order.",
            models: "A card or an emulator sorts the block list before reading.",
            [order], scope: .feliCaRead,
            effect: .content { answer, injection in
                answer.rewriteBlocks { blocks in
                    switch injection[order] {
                    case .reversed: blocks.reverse()
                    case .rotated: blocks = Array(blocks.dropFirst() + blocks.prefix(1))
                    }
                }
            }),
        FaultKind(
            "felica.repeat_block", "A block appears twice in the answer, replacing the next one.",
            models: "A buffer is not refilled between two blocks.", [block], scope: .feliCaRead,
            effect: .content { answer, injection in
                let block = injection[block]
                answer.rewriteBlocks { if block + 1 < $0.count { $0[block + 1] = $0[block] } }
            }),
        FaultKind(
            "felica.zero_blocks", "Blocks of the answer are zero, but the status reports success.",
            models: "The memory was not read in time, or an emulator fills in blocks it has not stored.",
            [block, zeroedBlocks], scope: .feliCaRead,
            effect: .content { answer, injection in
                let first = injection[block]
                let end = first + injection[zeroedBlocks]
                answer.rewriteBlocks { for block in $0.indices.clamped(to: first..<end) { $0[block] = .zero } }
            }),
        FaultKind(
            "felica.torn_block",
            "A block of the answer is torn: its first part is correct, the rest is something else.",
            models: "A write was torn by a power loss, and the chip keeps no copy of the old block.",
            [block, firstTornByte, tornRest], scope: .feliCaRead,
            effect: .content { answer, injection in answer.rewriteBlocks { tear(&$0, injection.arguments) } }),
    ]

    private static func tear(_ blocks: inout [BlockData], _ arguments: FaultArguments) {
        let block = arguments[block]
        guard blocks.indices.contains(block) else { return }
        let rest: BlockData =
            switch arguments[tornRest] {
            case .ones: BlockData(SIMD16(repeating: 0xFF))
            case .next where block + 1 < blocks.count: blocks[block + 1]
            case .next, .zero: .zero
            }
        for byte in arguments[firstTornByte]..<BlockData.byteCount { blocks[block][byte] = rest[byte] }
    }

    private enum BlockOrder: String, CaseIterable {
        case reversed
        case rotated
    }

    private enum TornRest: String, CaseIterable {
        case next
        case zero
        case ones
    }

    private static let lieOfCount = Miscount.key("the number")
    private static let order = FaultKey(
        "order", default: BlockOrder.reversed, "Whether all blocks are reversed, or the first one is moved to the end.")
    private static let block = FaultKey(
        "block", .integer(0...14), default: 0, "The block of the answer, counted from 0; no effect beyond the last one."
    )
    private static let leftOutBlocks = FaultKey(
        "by", .integer(1...15), default: 1, "The number of blocks missing at the end.")
    private static let zeroedBlocks = FaultKey(
        "count", .integer(1...15), default: 15, "The number of blocks, starting there.")
    private static let firstTornByte = FaultKey(
        "at", .integer(1...15), default: 8, "The first byte of the rest.")
    private static let tornRest = FaultKey(
        "rest", default: TornRest.next, "The rest: the next block's bytes (zeros after the last block), 00 or FF.")
}
