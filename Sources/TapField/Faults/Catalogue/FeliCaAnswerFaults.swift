import TapWire

extension FaultCatalogue {
    /// What FeliCa cards answer wrongly, or not at all.
    static let felica: [FaultKind] = feliCaPackets + feliCaBlocks + feliCaDirectory + feliCaConduct
}

extension FaultScope {
    /// Commands whose answers carry the IDm.
    static let feliCaIDm = feliCa(\.answersWithIDm)
    /// Commands whose answers have status flags.
    static let feliCaStatus = feliCa(\.hasStatusFlags)
    /// Commands that name services by their codes.
    static let feliCaServices = feliCa { $0.nodeCountOffset != nil }
    /// Reading blocks.
    static let feliCaRead = FaultScope.commands("felica.read")
    /// Polling.
    static let feliCaPolling = FaultScope.commands("felica.polling")

    /// FeliCa commands by their descriptions; no card here answers those that need a key.
    private static func feliCa(_ fits: (CommandDescription) -> Bool) -> FaultScope {
        FaultScope(
            commands: Set(CommandName.all.filter { $0.feliCa.map { !$0.needsKey && fits($0) } ?? false }))
    }
}

extension FaultParameter {
    /// How a number in an answer lies.
    static func lie(_ what: String) -> FaultParameter {
        FaultParameter(
            "say", .word(["more", "less", "zero"]), .word("more"),
            "Whether \(what) says more than there is, less, or 00.")
    }

    /// By how much a number in an answer lies.
    static let lieBy = FaultParameter("by", .integer(1...254), .integer(1), "How much more or less.")
}

extension FaultArguments {
    /// The code of a service, given as people say it.
    func service(_ name: String) -> NodeCode? {
        bytes(name).map { NodeCode(UInt16(truncatingIfNeeded: UInt64(octets: $0))) }
    }

    /// A number with the lie that `say` and `by` state.
    func lie(about number: UInt8) -> UInt8 {
        let by = integer("by") ?? 0
        return switch word("say") {
        case "less": UInt8(clamping: Int(number) - by)
        case "zero": 0
        default: UInt8(clamping: Int(number) + by)
        }
    }
}

extension FaultCatalogue {
    /// What is wrong with an answer as a packet, whatever it answers.
    static let feliCaPackets: [FaultKind] = [
        FaultKind(
            "felica.length", "The LEN byte of the answer does not count its bytes.",
            models: "An emulator or a relay rebuilds packets and counts LEN without itself, or with the CRC.",
            [.lie("LEN"), .lieBy], scope: .felica,
            effect: .answer { answer, strike in
                answer.rewriteFeliCa { $0.length = strike.arguments.lie(about: $0.length) }
            }),
        FaultKind(
            "felica.response_code", "The answer has the response code of another command.",
            models: "An answer to an earlier command arrives late, or a relay echoes the command.",
            [
                FaultParameter(
                    "code", .bytes(1...1), nil,
                    "The response code; without it the code of the command, as an echo has it.")
            ], scope: .felica,
            effect: .answer { answer, strike in
                let code = strike.arguments.bytes("code")?.first
                answer.rewriteFeliCa { $0.code = code ?? $0.code.map { $0 & 0xFE } }
            }),
        FaultKind(
            "felica.idm", "The answer carries another IDm than the card has.",
            models: "A second card in the field answers, or a phone changes its IDm between two commands.",
            [
                FaultParameter("idm", .bytes(8...8), nil, "The IDm; without it one bit of the right one is flipped."),
                FaultParameter("bit", .integer(0...63), .integer(0), "The bit, 0 for the lowest of the last byte."),
            ], scope: .feliCaIDm,
            effect: .answer { answer, strike in
                let other = strike.arguments.bytes("idm").map { UInt64(octets: $0) }
                let bit = UInt64(1) << UInt64(strike.arguments.integer("bit") ?? 0)
                answer.rewriteFeliCa { $0.idm = $0.idm.map { IDm(other ?? $0.rawValue ^ bit) } }
            }),
        FaultKind(
            "felica.status", "The answer has other status flags.",
            models: "Memory fails (70), a chip has other limits (A1, A2), or a service asks for authentication (A5).",
            [
                FaultParameter("sf1", .bytes(1...1), .bytes([0xFF]), "Status flag 1; 00 is a success."),
                FaultParameter("sf2", .bytes(1...1), .bytes([0x70]), "Status flag 2, the reason."),
                FaultParameter("with_data", .flag, .flag(false), "Whether the data stay behind the status flags."),
            ], scope: .feliCaStatus,
            effect: .answer { answer, strike in strikeStatus(of: &answer, strike.arguments) }),
        FaultKind(
            "felica.truncate", "The answer ends too early, while LEN and counts say what they said.",
            models: "A reader or a relay with a buffer that is too small cuts packets.",
            [
                FaultParameter("keep_blocks", .integer(0...15), nil, "Blocks that are left of the answer to a read."),
                FaultParameter(
                    "keep_bytes", .integer(1...254), nil,
                    "Bytes that are left, LEN among them; without either one is cut."),
            ], scope: .felica,
            effect: .answer { answer, strike in
                let blocks = strike.arguments.integer("keep_blocks").map(FeliCaAnswer.length)
                answer.rewriteFeliCa { packet in
                    packet.keep(strike.arguments.integer("keep_bytes") ?? blocks ?? packet.bytes.count - 1)
                }
            }),
        FaultKind(
            "felica.extra_bytes", "Bytes follow the answer that LEN does not count.",
            models: "A reader hands over its buffer with the CRC, or with what was left of a longer answer.",
            [
                FaultParameter(
                    "bytes", .bytes(1...64), .bytes([0x00, 0x00]), "The bytes; those beyond 255 in all are left out.")
            ],
            scope: .felica,
            effect: .answer { answer, strike in
                answer.rewriteFeliCa { $0.bytes += strike.arguments.bytes("bytes") ?? [] }
            }),
    ]

    private static func strikeStatus(of answer: inout AnswerOnAir, _ arguments: FaultArguments) {
        answer.rewriteFeliCa { packet in
            guard packet.status != nil else { return }
            let flags = (arguments.bytes("sf1") ?? []) + (arguments.bytes("sf2") ?? [])
            packet.status = StatusFlags(flags[0], flags[1])
            guard !arguments.flag("with_data") else { return }
            packet.keep(FeliCaPacket.statusLength)
            packet.length = UInt8(FeliCaPacket.statusLength)
        }
    }
}

extension FaultCatalogue {
    /// What is wrong with the blocks of an answer to a read.
    static let feliCaBlocks: [FaultKind] = [
        FaultKind(
            "felica.block_count", "The number of blocks in the answer is not that of the blocks behind it.",
            models: "An emulator answers with the number that was asked for, whatever it has.",
            [.lie("the number"), .lieBy], scope: .feliCaRead,
            effect: .answer { answer, strike in
                answer.rewriteFeliCa { packet in
                    packet.blockCount = packet.blockCount.map(strike.arguments.lie)
                }
            }),
        FaultKind(
            "felica.reorder", "The blocks of the answer are in another order than the command asks for.",
            models: "A card or an emulator sorts the block list before it reads.",
            [
                FaultParameter(
                    "order", .word(["reversed", "rotated"]), .word("reversed"),
                    "Whether the last block comes first, or the first one last.")
            ], scope: .feliCaRead,
            effect: .answer { answer, strike in
                let isReversed = strike.arguments.word("order") == "reversed"
                answer.rewriteBlocks { blocks in
                    blocks = isReversed ? blocks.reversed() : Array(blocks.dropFirst() + blocks.prefix(1))
                }
            }),
        FaultKind(
            "felica.repeat_block", "A block stands twice in the answer, in place of the one behind it.",
            models: "A buffer is not filled again between two blocks.", [blockParameter], scope: .feliCaRead,
            effect: .answer { answer, strike in
                let block = strike.arguments.integer("block") ?? 0
                answer.rewriteBlocks { if block + 1 < $0.count { $0[block + 1] = $0[block] } }
            }),
        FaultKind(
            "felica.zero_blocks", "Blocks of the answer are zero, and the status says success.",
            models: "The memory was not read in time, or an emulator fills in what it has not stored.",
            [
                blockParameter,
                FaultParameter("count", .integer(1...15), .integer(15), "How many blocks from there on."),
            ], scope: .feliCaRead,
            effect: .answer { answer, strike in
                let first = strike.arguments.integer("block") ?? 0
                let end = first + (strike.arguments.integer("count") ?? 0)
                answer.rewriteBlocks { for block in $0.indices.clamped(to: first..<end) { $0[block] = .zero } }
            }),
        FaultKind(
            "felica.torn_block", "A block of the answer is half itself and half something else.",
            models: "A write was torn by a loss of power, and the chip keeps no copy of the block before.",
            [
                blockParameter,
                FaultParameter("at", .integer(1...15), .integer(8), "The first byte that is something else."),
                FaultParameter(
                    "rest", .word(["next", "zero", "ones"]), .word("next"),
                    "What it is: the block behind (zero behind the last), 00 or FF."),
            ], scope: .feliCaRead,
            effect: .answer { answer, strike in answer.rewriteBlocks { tear(&$0, strike.arguments) } }),
    ]

    private static let blockParameter = FaultParameter(
        "block", .integer(0...14), .integer(0), "Which block of the answer, from 0; beyond the last nothing happens.")

    private static func tear(_ blocks: inout [BlockData], _ arguments: FaultArguments) {
        let block = arguments.integer("block") ?? 0
        guard blocks.indices.contains(block) else { return }
        let rest: BlockData =
            switch arguments.word("rest") {
            case "ones": BlockData(SIMD16(repeating: 0xFF))
            case "next" where block + 1 < blocks.count: blocks[block + 1]
            default: .zero
            }
        for byte in (arguments.integer("at") ?? 0)..<BlockData.byteCount { blocks[block][byte] = rest[byte] }
    }
}
