import TapWire

extension FrameDescription {
    /// Describes a FeliCa command.
    static func feliCa(command frame: AirFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        guard let code = walk.takeHeader() else { return walk.headless() }
        if code.isResponse { walk.remark("its code is that of a response, which a card ignores") }
        walk.takeBody(PacketLayout.of(code)?.command, of: code)
        let name = code.entry.map { "\($0.name) command" } ?? code.name
        return FrameDescription(name, CommandName(of: frame), walk, line: walk.commandLine(code))
    }

    /// Describes a FeliCa answer; without its command blocks stay without their services.
    static func feliCa(answer frame: AirFrame, to command: AirFrame?) -> FrameDescription {
        let asked = command.map { feliCaBlocks(of: $0) } ?? []
        var walk = FrameWalk(frame, blocks: asked)
        guard let code = walk.takeHeader() else { return walk.headless() }
        if !code.isResponse, code != .echo { walk.remark("its code is that of a command") }
        if let command, let sent = feliCaCode(of: command), sent.response != code {
            walk.remark("it does not answer \(sent.name)")
        }
        walk.takeBody(PacketLayout.of(code)?.response, of: code)
        let name = code == .echo ? "Echo response" : code.name
        let commandName = CommandName(answeredBy: code) ?? command.flatMap { CommandName(of: $0) }
        return FrameDescription(name, commandName, walk, line: walk.answerLine(code))
    }

    private static func feliCaCode(of frame: AirFrame) -> CommandCode? {
        let slice = frame.bytes[...]
        return CommandCode(of: slice.span)
    }

    /// The blocks a command asks for.
    private static func feliCaBlocks(of command: AirFrame) -> [BlockPlace] {
        var walk = FrameWalk(command)
        guard let code = walk.takeHeader(), let layout = PacketLayout.of(code) else { return [] }
        try? walk.walk(layout.command)
        return walk.blocks
    }
}

extension FrameWalk {
    /// LEN and code, or nothing if the frame ends before them.
    fileprivate mutating func takeHeader() -> CommandCode? {
        let announced = Int(frame.bytes.first ?? 0)
        let count = frame.bytes.count
        guard count > 0 else {
            remark("an empty frame")
            return nil
        }
        if announced != count { remark("LEN says \(announced), there are \(count) bytes") }
        append("LEN", bitCount: 8, meaning: announced == 1 ? "1 byte" : "\(announced) bytes, LEN included")
        let slice = frame.bytes[...]
        guard let code = CommandCode(of: slice.span) else {
            remark("ends before its command code")
            finish()
            return nil
        }
        append(
            code.isResponse ? "response code" : "command code", bitCount: 8 * code.byteCount, meaning: code.name)
        return code
    }

    /// The description of a frame without a code.
    fileprivate func headless() -> FrameDescription {
        FrameDescription("FeliCa frame without a code", nil, self, line: "")
    }

    /// Everything behind the code.
    fileprivate mutating func takeBody(_ layout: [LayoutPart]?, of code: CommandCode) {
        if let layout {
            try? walk(layout)
            finish()
        } else if code.entry != nil {
            try? walk(PacketLayout.sealed)
        } else if bitsLeft > 0 {
            append("bytes not understood", bitCount: bitsLeft)
        }
    }

    fileprivate func commandLine(_ code: CommandCode) -> String {
        let name = code.shortName
        switch code {
        case .readWithoutEncryption, .writeWithoutEncryption:
            return blocks.isEmpty ? name : "\(name) \(BlockPlace.text(blocks))"
        default: return ([name] + words).joined(separator: " ")
        }
    }

    fileprivate func answerLine(_ code: CommandCode) -> String {
        switch code.command {
        case .requestService, .requestServiceV2, .requestBlockInformation:
            return ([code.command == .requestBlockInformation ? "blocks" : "key versions"] + words)
                .joined(separator: " ")
        case .echo: return (["Echo"] + words).joined(separator: " ")
        default: return words.isEmpty ? code.name : words.joined(separator: " ")
        }
    }
}

extension CommandCode {
    /// The name as the one line of a frame has it.
    var shortName: String {
        switch self {
        case .readWithoutEncryption: "Read"
        case .writeWithoutEncryption: "Write"
        default: name
        }
    }
}
