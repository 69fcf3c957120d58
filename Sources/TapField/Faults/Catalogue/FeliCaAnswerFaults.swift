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
        FaultKey("say", default: .more, "Whether \(what) says more than there is, less, or 00.")
    }

    func told(of number: UInt8, by difference: Int) -> UInt8 {
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
            "felica.length", "The LEN byte of the answer does not count its bytes.",
            models: "An emulator or a relay rebuilds packets and counts LEN without itself, or with the CRC.",
            [lieOfLength, lieBy], scope: .felica,
            effect: .answer { answer, injection in
                answer.rewriteFeliCa { $0.length = injection[lieOfLength].told(of: $0.length, by: injection[lieBy]) }
            }),
        FaultKind(
            "felica.response_code", "The answer has the response code of another command.",
            models: "An answer to an earlier command arrives late, or a relay echoes the command.",
            [responseCode], scope: .felica,
            effect: .answer { answer, injection in
                answer.rewriteFeliCa { $0.code = injection[responseCode] ?? $0.code.map { $0 & 0xFE } }
            }),
        FaultKind(
            "felica.idm", "The answer carries another IDm than the card has.",
            models: "A second card in the field answers, or a phone changes its IDm between two commands.",
            [otherIDm, flippedBit], scope: .feliCaIDm,
            effect: .answer { answer, injection in
                let bit = UInt64(1) << UInt64(injection[flippedBit])
                answer.rewriteFeliCa { $0.idm = $0.idm.map { injection[otherIDm] ?? IDm($0.rawValue ^ bit) } }
            }),
        FaultKind(
            "felica.status", "The answer has other status flags.",
            models: "Memory fails (70), a chip has other limits (A1, A2), or a service asks for authentication (A5).",
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
            "felica.truncate", "The answer ends too early, while LEN and counts say what they said.",
            models: "A reader or a relay with a buffer that is too small cuts packets.",
            [keptBlocks, keptBytes], scope: .felica,
            effect: .answer { answer, injection in
                let blocks = injection[keptBlocks].map(FeliCaAnswer.length)
                answer.rewriteFeliCa { packet in
                    packet.keep(injection[keptBytes] ?? blocks ?? packet.bytes.count - 1)
                }
            }),
        FaultKind(
            "felica.extra_bytes", "Bytes follow the answer that LEN does not count.",
            models: "A reader hands over its buffer with the CRC, or with what was left of a longer answer.",
            [extraBytes], scope: .felica,
            effect: .answer { answer, injection in answer.rewriteFeliCa { $0.bytes += injection[extraBytes] } }),
    ]

    private static let lieOfLength = Miscount.key("LEN")
    private static let lieBy = FaultKey("by", .integer(1...254), default: 1, "How much more or less.")
    private static let responseCode = FaultKey<UInt8?>(
        "code", .bytes(1...1), "The response code; without it the code of the command, as an echo has it.")
    private static let otherIDm = FaultKey<[UInt8]?>(
        "idm", .bytes(8...8), "The IDm; without it one bit of the right one is flipped."
    ).map { $0.map { IDm(UInt64(octets: $0)) } }
    private static let flippedBit = FaultKey(
        "bit", .integer(0...63), default: 0, "The bit, 0 for the lowest of the last byte.")
    private static let flag1 = FaultKey<UInt8>("sf1", .bytes(1...1), default: 0xFF, "Status flag 1; 00 is a success.")
    private static let flag2 = FaultKey<UInt8>("sf2", .bytes(1...1), default: 0x70, "Status flag 2, the reason.")
    private static let keepsData = FaultKey(
        "with_data", .flag, default: false, "Whether the data stay behind the status flags.")
    private static let keptBlocks = FaultKey<Int?>(
        "keep_blocks", .integer(0...15), "Blocks that are left of the answer to a read.")
    private static let keptBytes = FaultKey<Int?>(
        "keep_bytes", .integer(1...254), "Bytes that are left, LEN among them; without either one is cut.")
    private static let extraBytes = FaultKey(
        "bytes", .bytes(1...64), default: [0x00, 0x00], "The bytes; those beyond 255 in all are left out.")
}

extension FaultCatalogue {
    static let feliCaBlocks: [FaultKind] = [
        FaultKind(
            "felica.block_count", "The number of blocks in the answer is not that of the blocks behind it.",
            models: "An emulator answers with the number that was asked for, whatever it has.",
            [lieOfCount, lieBy], scope: .feliCaRead,
            effect: .content { answer, injection in
                answer.rewriteFeliCa { packet in
                    packet.blockCount = packet.blockCount.map {
                        injection[lieOfCount].told(of: $0, by: injection[lieBy])
                    }
                }
            }),
        FaultKind(
            "felica.fewer_blocks", "A read succeeds with fewer blocks than it asks for, and LEN and count say so.",
            models: "An emulator gives what it has; a card would refuse.",
            [leftOutBlocks], scope: .feliCaRead,
            effect: .content { answer, injection in
                answer.rewriteBlocks { $0.removeLast(min($0.count, injection[leftOutBlocks])) }
            }),
        FaultKind(
            "felica.reorder", "The blocks of the answer are in another order than the command asks for.",
            models: "A card or an emulator sorts the block list before it reads.",
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
            "felica.repeat_block", "A block stands twice in the answer, in place of the one behind it.",
            models: "A buffer is not filled again between two blocks.", [block], scope: .feliCaRead,
            effect: .content { answer, injection in
                let block = injection[block]
                answer.rewriteBlocks { if block + 1 < $0.count { $0[block + 1] = $0[block] } }
            }),
        FaultKind(
            "felica.zero_blocks", "Blocks of the answer are zero, and the status says success.",
            models: "The memory was not read in time, or an emulator fills in what it has not stored.",
            [block, zeroedBlocks], scope: .feliCaRead,
            effect: .content { answer, injection in
                let first = injection[block]
                let end = first + injection[zeroedBlocks]
                answer.rewriteBlocks { for block in $0.indices.clamped(to: first..<end) { $0[block] = .zero } }
            }),
        FaultKind(
            "felica.torn_block", "A block of the answer is half itself and half something else.",
            models: "A write was torn by a loss of power, and the chip keeps no copy of the block before.",
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
        "order", default: BlockOrder.reversed, "Whether the last block comes first, or the first one last.")
    private static let block = FaultKey(
        "block", .integer(0...14), default: 0, "Which block of the answer, from 0; beyond the last nothing happens.")
    private static let leftOutBlocks = FaultKey(
        "by", .integer(1...15), default: 1, "How many blocks are missing at the end.")
    private static let zeroedBlocks = FaultKey(
        "count", .integer(1...15), default: 15, "How many blocks from there on.")
    private static let firstTornByte = FaultKey(
        "at", .integer(1...15), default: 8, "The first byte that is something else.")
    private static let tornRest = FaultKey(
        "rest", default: TornRest.next, "What it is: the block behind (zero behind the last), 00 or FF.")
}
