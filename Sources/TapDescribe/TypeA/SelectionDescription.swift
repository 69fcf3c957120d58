import TapWire

// REQA, WUPA, anticollision and SELECT, and their answers.

extension FrameDescription {
    static func shortFrame(_ frame: AirFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        let short = ShortFrame(frame.bytes.first ?? 0)
        let isKnown = short == .reqa || short == .wupa
        let meaning = short == .reqa ? "to idle cards" : short == .wupa ? "to idle and halted cards" : "no known frame"
        walk.append("short frame", bitCount: walk.bitsLeft, meaning: meaning)
        if !isKnown { walk.remark("no short frame TapSim knows") }
        return FrameDescription(
            isKnown ? "\(short) command" : "short frame", CommandName(of: frame), walk, line: "\(short)")
    }

    static func atqa(_ frame: AirFrame, _ name: CommandName?) -> FrameDescription {
        var walk = FrameWalk(frame)
        let kind = FieldKind.little(
            "ATQA",
            meaning: { bits in
                let size = ATQA(bits).uidByteCount.map { "UID of \($0) bytes" } ?? "UID of a reserved size"
                return ATQA(bits).supportsAnticollision ? size : "\(size), no bit frame anticollision"
            }, words: { "ATQA \(ATQA($0))" })
        try? walk.walk([.field(kind)])
        walk.finish()
        return FrameDescription("ATQA", name, walk, line: walk.words.joined())
    }

    static func sak(_ frame: AirFrame, _ name: CommandName?) -> FrameDescription {
        var walk = FrameWalk(frame)
        let kind = FieldKind.byte(
            "SAK",
            meaning: { byte in
                let sak = SAK(byte)
                guard sak.isUIDComplete else { return "the UID goes on in the next cascade level" }
                return sak.speaksISO14443Part4 ? "selected, speaks ISO/IEC 14443-4" : "selected"
            }, words: { SAK($0).isUIDComplete ? "SAK \(SAK($0))" : "SAK \(SAK($0)), the UID goes on" })
        try? walk.walk([.field(kind)])
        walk.finish()
        return FrameDescription("SAK", name, walk, line: walk.words.joined())
    }

    static func select(_ frame: AirFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        let level = CascadeLevel(sel: frame.bytes.first ?? 0)?.rawValue ?? 0
        try? walk.walk([
            .field(sel),
            .field(.byte("NVB", meaning: { $0 == Select.nvb ? "all forty bits" : "of a SELECT it is 70" })),
            .field(FieldKind("UID part", 4, meaning: { partMeaning($0) })),
            .field(.byte("BCC", meaning: { bccMeaning($0, of: Array(frame.bytes.dropFirst(2).prefix(4))) })),
        ])
        walk.finish()
        if frame.bytes.count > 1, frame.bytes[1] != Select.nvb { walk.remark("NVB of a SELECT is 70") }
        return FrameDescription(
            "SELECT command", CommandName(of: frame), walk, line: "SELECT cascade level \(level)")
    }

    static func anticollision(command frame: AirFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        let level = CascadeLevel(sel: frame.bytes.first ?? 0)?.rawValue ?? 0
        let nvb = frame.bytes.count > 1 ? frame.bytes[1] : 0
        let announced = Int(nvb >> 4) * 8 + Int(nvb & 0x0F)
        try? walk.walk([
            .field(sel),
            .field(.byte("NVB", meaning: { "\($0 >> 4) bytes and \($0 & 0x0F) bits in this frame" })),
        ])
        let known = walk.bitsLeft
        walk.append("known bits of the UID part", bitCount: known, meaning: "\(known) bits")
        if announced != frame.bitCount { walk.remark("NVB says \(announced) bits, there are \(frame.bitCount)") }
        let line = "ANTICOLLISION cascade level \(level)" + (known > 0 ? ", \(known) bits known" : "")
        return FrameDescription("ANTICOLLISION command", CommandName(of: frame), walk, line: line)
    }

    /// An answer begins inside the part where the known bits of the command end.
    static func anticollision(answer frame: AirFrame, to command: AirFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        let known = max(0, command.bitCount - Anticollision.headerBits)
        let dataBits = CascadePart.bitCount - 8
        let expected = CascadePart.bitCount - known
        let part = try? Anticollision.Request(parsing: command.bytes).part(completedBy: frame)
        if frame.bitCount == expected {
            let bytes = part.map { Array($0.bytes.prefix(4)) } ?? []
            let meaning = partMeaning(bytes)
            walk.append(known == 0 ? "UID part" : "rest of the UID part", bitCount: dataBits - known, meaning: meaning)
            let bcc = part.map { bccMeaning($0.bcc, of: bytes) } ?? ""
            walk.append(known <= dataBits ? "BCC" : "rest of the BCC", bitCount: walk.bitsLeft, meaning: bcc)
        } else {
            walk.append("bits not understood", bitCount: walk.bitsLeft)
            walk.remark("\(frame.bitCount) bits where \(expected) complete the UID part")
        }
        let line = part.map { "UID part \(Hex.text($0.bytes, separator: " "))" } ?? "UID part"
        return FrameDescription("ANTICOLLISION answer", CommandName(of: command), walk, line: line)
    }

    private static let sel = FieldKind.byte(
        "SEL", meaning: { byte in CascadeLevel(sel: byte).map { "cascade level \($0.rawValue)" } ?? "no level" })

    private static func partMeaning(_ bytes: [UInt8]) -> String {
        guard bytes.count == 4 else { return "" }
        return bytes[0] == UID.cascadeTag
            ? "cascade tag, then UID bytes \(Hex.text(bytes.dropFirst(), separator: " "))"
            : "UID bytes \(Hex.text(bytes, separator: " "))"
    }

    private static func bccMeaning(_ bcc: UInt8, of data: [UInt8]) -> String {
        let right = data.reduce(0, ^)
        return bcc == right ? "right" : "wrong, it should be \(Hex.digits(right, width: 2))"
    }
}
