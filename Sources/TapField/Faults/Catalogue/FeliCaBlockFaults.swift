import TapWire

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
