import TapWire

extension FrameDescription {
    static func typeA(command frame: RFFrame) -> FrameDescription {
        if frame.bitCount == TypeAFraming.shortFrameBits { return shortFrame(frame) }
        guard frame.bitCount > 0 else { return empty(frame) }
        if frame.bytes.count == CompatibilityWrite.Data.length, frame.bitCount % 8 == 0 { return writeData(frame) }
        guard CascadeLevel(sel: frame.bytes[0]) != nil else { return type2(command: frame) }
        return isAnticollision(frame) ? anticollision(command: frame) : select(frame)
    }

    static func typeA(answer frame: RFFrame, to command: RFFrame) -> FrameDescription {
        guard frame.bitCount > 0 else { return empty(frame) }
        let name = CommandName(of: command)
        let isData = command.bytes.count == CompatibilityWrite.Data.length
        if command.bitCount == TypeAFraming.shortFrameBits { return atqa(frame, name) }
        // Four bits are a refusal of a command that only looks like an anticollision frame, unless the command asks for four
        // bits.
        let asksForFour = command.bitCount == Anticollision.headerBits + CascadePart.bitCount - Acknowledgement.bitCount
        let isAcknowledgement = frame.bitCount == Acknowledgement.bitCount && !asksForFour
        if isAnticollision(command), !isData, !isAcknowledgement { return anticollision(answer: frame, to: command) }
        if isAcknowledgement { return acknowledgement(frame, name, to: command) }
        guard let first = command.bytes.first, !isData else { return unknownAnswer(frame, name) }
        if CascadeLevel(sel: first) != nil { return sak(frame, name) }
        let opcode = Type2Opcode(first)
        guard let layout = opcode.explanation?.layout?.answer else { return unknownAnswer(frame, name) }
        return type2(answer: frame, layout, of: opcode, firstPage: command.bytes.count > 1 ? command.bytes[1] : 0, name)
    }

    /// Returns whether a command is meant as an anticollision frame, even if its NVB is wrong.
    private static func isAnticollision(_ command: RFFrame) -> Bool {
        guard command.bytes.count >= 2, CascadeLevel(sel: command.bytes[0]) != nil else { return false }
        return command.bytes[1] < Select.nvb
    }

    private static func empty(_ frame: RFFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        if frame.integrity == .good { walk.remark("an empty frame") } else { walk.remark("shorter than a CRC") }
        return FrameDescription("empty frame", nil, walk, line: "")
    }

    private static func unknownAnswer(_ frame: RFFrame, _ name: CommandName?) -> FrameDescription {
        var walk = FrameWalk(frame)
        walk.append("bytes not understood", bitCount: walk.bitsLeft)
        walk.remark("not an answer to this command")
        return FrameDescription("unknown answer", name, walk, line: "")
    }

    private static func type2(command frame: RFFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        let opcode = Type2Opcode(frame.bytes[0])
        walk.append("opcode", bitCount: min(8, frame.bitCount), meaning: opcode.explanation?.name ?? "unknown")
        if let layout = opcode.explanation?.layout {
            try? walk.walk(layout.command)
            walk.finish()
        } else if opcode.explanation != nil {
            walk.append("parameters", bitCount: walk.bitsLeft)
        } else {
            if walk.bitsLeft > 0 { walk.append("bytes not understood", bitCount: walk.bitsLeft) }
            walk.remark("not a command that TapSim knows")
        }
        let name = opcode.explanation.map { "\($0.name) command" } ?? "unknown \(opcode)"
        let line = ([opcode.description] + walk.words).joined(separator: " ")
        return FrameDescription(name, CommandName(of: frame), walk, line: line)
    }

    static func type2(
        answer frame: RFFrame, _ layout: [LayoutPart], of opcode: Type2Opcode, firstPage: UInt8?, _ name: CommandName?
    ) -> FrameDescription {
        var walk = FrameWalk(frame, firstPage: firstPage)
        try? walk.walk(layout)
        walk.finish()
        if opcode == .read, walk.remarks.isEmpty, frame.bytes.count != ReadPages.Response.length {
            walk.remark("an answer to READ has \(ReadPages.Response.length) bytes")
        }
        if opcode == .getVersion, let version = try? GetVersion.Response(parsing: frame.bytes) {
            let product = NTAGProduct.allCases.first { $0.version == version }?.rawValue
            walk.words.append(product ?? "version \(Hex.text(frame.bytes, separator: " "))")
        }
        let line = walk.words.joined(separator: " ")
        return FrameDescription("\(opcode) answer", name, walk, line: line)
    }

    /// Describes the second command of COMPATIBILITY_WRITE, which has no opcode.
    static func writeData(_ frame: RFFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        walk.append("data", bitCount: 32, meaning: "the data to write")
        walk.append("ignored", bitCount: walk.bitsLeft, meaning: "not written")
        let line = "COMP_WRITE data \(Hex.text(frame.bytes.prefix(4), separator: " "))"
        return FrameDescription("COMP_WRITE data", CommandName("ntag.compatibility_write"), walk, line: line)
    }

    static func acknowledgement(
        _ frame: RFFrame, _ name: CommandName?, to command: RFFrame? = nil
    ) -> FrameDescription {
        var walk = FrameWalk(frame)
        let nibble = Acknowledgement(frame.bytes.first ?? 0)
        let reason = nibble == .invalidArgument ? command.flatMap { refusal(of: $0) } : nil
        let meaning = reason ?? nibble.meaning
        walk.append(nibble.isAck ? "ACK" : "NAK", bitCount: Acknowledgement.bitCount, meaning: meaning)
        let line = nibble.isAck ? "ACK" : "\(nibble)  \(meaning)"
        return FrameDescription(nibble.isAck ? "ACK" : "NAK", name, walk, line: line)
    }

    /// Returns the reason why a command receives NAK 0, as far as the command reveals it.
    private static func refusal(of command: RFFrame) -> String? {
        let isData = command.bytes.count == CompatibilityWrite.Data.length
        guard let first = command.bytes.first, !isData, command.integrity == .good else { return nil }
        let opcode = Type2Opcode(first)
        guard opcode.explanation?.isKnownToNTAG21x == true else { return "this tag does not have the command" }
        guard FrameDescription(command: command).remark == nil else { return "the command has a wrong length" }
        return switch opcode {
        case .read: "no such page, or it needs the password"
        case .fastRead: "no such pages, or one of them needs the password"
        case .write, .compatibilityWrite: "a page that cannot be written, is locked, or needs the password"
        case .passwordAuthentication: "wrong password"
        case .readCounter: "no such counter, it is off, or it needs the password"
        case .readSignature: "the address is not 00"
        default: nil
        }
    }
}

// REQA, WUPA, anticollision and SELECT, and their answers.

extension FrameDescription {
    static func shortFrame(_ frame: RFFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        let short = ShortFrame(frame.bytes.first ?? 0)
        let isKnown = short == .reqa || short == .wupa
        let meaning = short == .reqa ? "to idle cards" : short == .wupa ? "to idle and halted cards" : "no known frame"
        walk.append("short frame", bitCount: walk.bitsLeft, meaning: meaning)
        if !isKnown { walk.remark("not a short frame that TapSim knows") }
        return FrameDescription(
            isKnown ? "\(short) command" : "short frame", CommandName(of: frame), walk, line: "\(short)")
    }

    static func atqa(_ frame: RFFrame, _ name: CommandName?) -> FrameDescription {
        var walk = FrameWalk(frame)
        let atqa = try? ATQA(parsing: Array(frame.bytes.prefix(2)))
        let size = atqa?.uidByteCount.map { "UID of \($0) bytes" } ?? "UID of a reserved size"
        let meaning = atqa?.supportsAnticollision == false ? "\(size), no bit frame anticollision" : size
        _ = try? walk.take("ATQA", 2, meaning: { _ in meaning })
        walk.finish()
        return FrameDescription("ATQA", name, walk, line: atqa.map { "ATQA \($0)" } ?? "")
    }

    static func sak(_ frame: RFFrame, _ name: CommandName?) -> FrameDescription {
        var walk = FrameWalk(frame)
        var line = ""
        _ = try? walk.takeByte("SAK") { byte in
            let sak = SAK(byte)
            line = sak.isUIDComplete ? "SAK \(sak)" : "SAK \(sak), the UID continues"
            guard sak.isUIDComplete else { return "the UID continues in the next cascade level" }
            return sak.speaksISO14443Part4 ? "selected, speaks ISO/IEC 14443-4" : "selected"
        }
        walk.finish()
        return FrameDescription("SAK", name, walk, line: line)
    }

    static func select(_ frame: RFFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        let level = CascadeLevel(sel: frame.bytes.first ?? 0)?.rawValue ?? 0
        do {
            try walk.takeByte("SEL", meaning: levelText)
            try walk.takeByte("NVB") { $0 == Select.nvb ? "all forty bits" : "70 in a SELECT" }
            let part = try walk.take("UID part", 4, meaning: partMeaning)
            try walk.takeByte("BCC") { bccMeaning($0, of: part) }
            walk.finish()
        } catch {
            // The walk has recorded where the frame ends.
        }
        if frame.bytes.count > 1, frame.bytes[1] != Select.nvb { walk.remark("the NVB of a SELECT is 70") }
        return FrameDescription(
            "SELECT command", CommandName(of: frame), walk, line: "SELECT cascade level \(level)")
    }

    static func anticollision(command frame: RFFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        let level = CascadeLevel(sel: frame.bytes.first ?? 0)?.rawValue ?? 0
        let nvb = frame.bytes.count > 1 ? frame.bytes[1] : 0
        let announced = Int(nvb >> 4) * 8 + Int(nvb & 0x0F)
        do {
            try walk.takeByte("SEL", meaning: levelText)
            try walk.takeByte("NVB") { "\($0 >> 4) bytes and \($0 & 0x0F) bits in this frame" }
        } catch {
            // The walk has recorded where the frame ends.
        }
        let known = walk.bitsLeft
        walk.append("known bits of the UID part", bitCount: known, meaning: "\(known) bits")
        if announced != frame.bitCount { walk.remark("NVB is for \(announced) bits, but there are \(frame.bitCount)") }
        let line = "ANTICOLLISION cascade level \(level)" + (known > 0 ? ", \(known) bits known" : "")
        return FrameDescription("ANTICOLLISION command", CommandName(of: frame), walk, line: line)
    }

    /// Describes an answer, which begins inside the UID part, where the known bits of the command end.
    static func anticollision(answer frame: RFFrame, to command: RFFrame) -> FrameDescription {
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
            walk.remark("\(frame.bitCount) bits, but \(expected) complete the UID part")
        }
        let line = part.map { "UID part \(Hex.text($0.bytes, separator: " "))" } ?? "UID part"
        return FrameDescription("ANTICOLLISION answer", CommandName(of: command), walk, line: line)
    }

    private static func levelText(_ sel: UInt8) -> String {
        CascadeLevel(sel: sel).map { "cascade level \($0.rawValue)" } ?? "no level"
    }

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
