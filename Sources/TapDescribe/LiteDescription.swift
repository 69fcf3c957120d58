import TapWire

// The meaning of the system blocks of FeliCa Lite and Lite-S, and their explanations.

extension BlockMeaning {
    /// Returns the meaning of a block of a FeliCa Lite; `nil` for user data.
    static func lite(_ data: BlockData, _ block: LiteBlock) -> BlockMeaning? {
        guard let name = block.name else { return nil }
        let bytes = data.bytes
        func number(_ bytes: some Collection<UInt8>) -> String { "\(UInt64(octets: bytes.reversed()))" }
        switch block {
        case .memoryConfiguration: return of(LiteMemoryConfiguration(data), name)
        case .registers:
            return BlockMeaning(
                name, ["A": number(bytes[0..<4]), "B": number(bytes[4..<8]), "C": Hex.text(bytes[8...])])
        case .identification:
            return BlockMeaning(
                name,
                [
                    "IDm": Hex.text(bytes[..<8]), "data format code": Hex.text(bytes[8..<10]),
                    "free": Hex.text(bytes[10...]),
                ])
        case .deviceIdentification:
            return BlockMeaning(name, ["IDm": Hex.text(bytes[..<8]), "PMm": Hex.text(bytes[8...])])
        case .systemCode: return BlockMeaning(name, ["system code": Hex.text(bytes[..<2])])
        case .keyVersion: return BlockMeaning(name, ["version": number(bytes[..<2])])
        case .writeCounter: return BlockMeaning(name, ["writes": number(bytes[..<4])])
        case .mac: return BlockMeaning(name, ["MAC": Hex.text(bytes[..<8])])
        case .macA:
            let counter = UInt64(octets: bytes[8..<12].reversed())
            guard counter > 0 else { return BlockMeaning(name, ["MAC_A": Hex.text(bytes[..<8])]) }
            return BlockMeaning(name, ["MAC_A": Hex.text(bytes[..<8]), "write counter": "\(counter)"])
        case .state:
            return BlockMeaning(
                name,
                [
                    "external authentication": bytes[0] == 1 ? "done" : "not done",
                    "Polling": bytes[8] == 0 ? "answered" : "not answered",
                ])
        default: return BlockMeaning(name, [:])
        }
    }
}

extension Explanation {
    /// The system blocks of FeliCa Lite and Lite-S.
    static let liteBlocks: [Explanation] = LiteBlock.known.map { entry in
        let number = Hex.digits(UInt8(truncatingIfNeeded: entry.block.rawValue), width: 2)
        let cards = entry.isOfLiteS ? "FeliCa Lite-S" : "FeliCa Lite and Lite-S"
        return Explanation(
            .block, entry.name, title: entry.name, code: "\(cards), block \(number)",
            summary: "It contains \(entry.holds).", layouts: layouts(of: entry.block),
            notes: ["Reading: \(entry.reading).", "Writing: \(entry.writing)."] + notes(on: entry.block),
            source: "FeliCa Lite-S User's Manual, as cited in open-source projects", aliases: ["block \(number)"])
    }

    private static func layouts(of block: LiteBlock) -> [Layout] {
        let parts: [(String, String)]
        switch block {
        case .memoryConfiguration:
            parts = [
                ("bytes 0 to 1", "writable: bit n for block n, 14 for REG, 15 for bytes 0, 1 and 6 to 12 themselves"),
                ("byte 2", "MC_ALL: FF before the lock, 00 locks ID, SER_C, CKV, CK and bytes 2 to 5 forever"),
                ("byte 3", "SYS_OP: 01 answers Polling for 12FC as well, as an NDEF tag"),
                ("byte 4", "RF_PRM, 07"),
                ("byte 5", "01: CK and CKV may be changed with MAC_A after the lock"),
                ("bytes 6 to 7", "read only after external authentication, bits as in bytes 0 and 1"),
                ("bytes 8 to 9", "written only after external authentication"),
                ("bytes 10 to 11", "written only with MAC_A"),
                ("byte 12", "01: STATE is written only with MAC_A"),
            ]
        case .macA: parts = [("bytes 0 to 7", "MAC_A"), ("bytes 8 to 10", "the write counter, only in a write")]
        case .registers: parts = [("bytes 0 to 3", "A"), ("bytes 4 to 7", "B"), ("bytes 8 to 15", "C")]
        default: parts = []
        }
        guard !parts.isEmpty else { return [] }
        return [
            Layout(title: "block", line: "", parts: parts.map { FrameDescription.Detail(name: $0.0, meaning: $0.1) })
        ]
    }

    private static func notes(on block: LiteBlock) -> [String] {
        switch block {
        case .challenge:
            ["Sixteen random bytes. Both sides derive the session key from them and CK; power-off ends the session."]
        case .mac: ["Read it after up to three blocks; it is computed over their contents."]
        case .macA:
            [
                "In a read it comes last and is computed over the numbers and contents of the blocks before it.",
                "In a write it is the second block, computed over WCNT, the number and the content of the first.",
                "A wrong one, one for another WCNT, and any before RC was written are refused with B2.",
            ]
        case .state: ["External authentication: read WCNT, write 01 with MAC_A, read STATE with its MAC."]
        case .writeCounter:
            ["It counts every write except writes to RC, so that a recorded write with MAC_A cannot be replayed."]
        case .memoryConfiguration:
            ["A new MC takes effect at the next power-on. Protection can be added, but never removed."]
        case .cardKey: ["Each half is stored in the reverse byte order of ciphers and of nfcpy's passwords."]
        default: []
        }
    }
}
