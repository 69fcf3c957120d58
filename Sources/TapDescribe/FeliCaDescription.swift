import TapWire

extension FrameDescription {
    static func feliCa(command frame: RFFrame) -> FrameDescription {
        var walk = FrameWalk(frame)
        guard let code = walk.takeHeader() else { return walk.headless() }
        if code.isResponse { walk.remark("it has a response code, which a card ignores") }
        walk.takeBody(CommandDescription.of(code)?.layout?.command, of: code)
        let name = CommandDescription.of(code).map { "\($0.name) command" } ?? code.name
        return FrameDescription(name, CommandName(of: frame), walk, line: walk.commandLine(code))
    }

    /// Describes a FeliCa answer.
    ///
    /// - Parameter service: If the command is unknown, the service whose records the blocks may be.
    static func feliCa(
        answer frame: RFFrame, to command: RFFrame?, guessing service: NodeCode? = nil, isOpened: Bool = false
    ) -> FrameDescription {
        let asked = command.map { feliCaBlocks(of: $0) } ?? []
        var walk = FrameWalk(frame, blocks: asked)
        walk.guessedService = service
        guard let code = walk.takeHeader() else { return walk.headless() }
        if !code.isResponse, code != .echo { walk.remark("it has a command code") }
        if let command, let sent = feliCaCode(of: command), sent.response != code {
            walk.remark("it does not answer \(sent.name)")
        }
        let layout = CommandDescription.of(code)?.layout
        walk.takeBody(isOpened ? layout?.openedResponse ?? layout?.response : layout?.response, of: code)
        let name = code == .echo ? "Echo response" : code.name
        let commandName = CommandName(answeredBy: code) ?? command.flatMap { CommandName(of: $0) }
        return FrameDescription(name, commandName, walk, line: walk.answerLine(code))
    }

    private static func feliCaCode(of frame: RFFrame) -> CommandCode? {
        let slice = frame.bytes[...]
        return CommandCode(of: slice.span)
    }

    private static func feliCaBlocks(of command: RFFrame) -> [NamedBlock] {
        var walk = FrameWalk(command)
        guard let code = walk.takeHeader(), let layout = CommandDescription.of(code)?.layout else { return [] }
        try? walk.walk(layout.command)
        return walk.blocks
    }
}

extension FrameWalk {
    /// Takes LEN and the code; returns `nil` if the frame ends before them.
    fileprivate mutating func takeHeader() -> CommandCode? {
        let announced = Int(frame.bytes.first ?? 0)
        let count = frame.bytes.count
        guard count > 0 else {
            remark("an empty frame")
            return nil
        }
        if announced != count { remark("LEN is \(announced), but there are \(count) bytes") }
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

    fileprivate func headless() -> FrameDescription {
        FrameDescription("FeliCa frame without a code", nil, self, line: "")
    }

    fileprivate mutating func takeBody(_ layout: [LayoutPart]?, of code: CommandCode) {
        if let layout {
            try? walk(layout)
            finish()
        } else if CommandDescription.of(code) != nil {
            try? walk(.sealed)
        } else if bitsLeft > 0 {
            append("bytes not understood", bitCount: bitsLeft)
        }
    }

    fileprivate func commandLine(_ code: CommandCode) -> String {
        let said = blocks.isEmpty ? words : [NamedBlock.text(blocks)]
        return ([CommandDescription.of(code)?.shortName ?? code.name] + said).joined(separator: " ")
    }

    fileprivate func answerLine(_ code: CommandCode) -> String {
        let lead = CommandDescription.of(code)?.answerSummary ?? ""
        guard lead.isEmpty else { return ([lead] + words).joined(separator: " ") }
        return words.isEmpty ? code.name : words.joined(separator: " ")
    }
}

/// A block as a command names it: by service, number and access mode.
struct NamedBlock: Hashable, Sendable, CustomStringConvertible {
    /// The service; `nil` if the element does not refer to a service in the list.
    let service: NodeCode?
    let order: UInt8
    let number: UInt16
    let accessMode: UInt8

    init(_ element: BlockListElement, service: NodeCode?) {
        self.service = service
        order = element.serviceOrder
        number = element.blockNumber
        accessMode = element.accessMode
    }

    var serviceText: String { service?.description ?? "(service order \(order))" }

    /// The access mode in words; empty for the normal one.
    var modeText: String {
        switch accessMode {
        case BlockListElement.AccessMode.normal: ""
        case BlockListElement.AccessMode.cashback: " as cashback"
        default: " with access mode \(accessMode)"
        }
    }

    /// Returns whether `other` is the next block of the same service, the second half of a pair that begins with this block.
    func isFollowed(by other: NamedBlock) -> Bool {
        other.service == service && other.order == order && other.number == number &+ 1 && number % 2 == 0
    }

    /// The service and the block, such as `090F block 3`.
    var description: String { "\(serviceText) block \(number)\(liteName)\(modeText)" }

    /// The name of a block of FeliCa Lite, in brackets after its number; empty for user data.
    private var liteName: String {
        guard service == Type3Services.read || service == Type3Services.write, number >= 0x80 else { return "" }
        return LiteBlock(number).shortName.map { " (\($0))" } ?? ""
    }

    /// Returns the blocks of a command as text, such as `008B block 0, 090F blocks 0..9`.
    static func text(_ places: [NamedBlock]) -> String {
        var groups: [[NamedBlock]] = []
        for place in places {
            if let last = groups.last?.last, last.order == place.order, last.accessMode == place.accessMode {
                groups[groups.count - 1].append(place)
            } else {
                groups.append([place])
            }
        }
        return groups.map { group in
            guard let first = group.first else { return "" }
            let noun = group.count == 1 ? "block" : "blocks"
            return "\(first.serviceText) \(noun) \(numbers(group))\(first.modeText)"
        }.joined(separator: ", ")
    }

    /// Returns numbers with runs combined, such as `0, 3..5`.
    private static func numbers(_ places: [NamedBlock]) -> String {
        var runs: [(first: NamedBlock, last: NamedBlock)] = []
        for place in places {
            if let run = runs.last, run.last.number &+ 1 == place.number, place.number > 0, run.last.liteName.isEmpty {
                runs[runs.count - 1].last = place
            } else {
                runs.append((place, place))
            }
        }
        return runs.map { run in
            let first = "\(run.first.number)\(run.first.liteName)"
            return run.first.number == run.last.number ? first : "\(first)..\(run.last.number)\(run.last.liteName)"
        }.joined(separator: ", ")
    }
}

extension StatusFlags {
    /// The flags in the one-line summary of a frame, such as `FF A2  illegal number of blocks`.
    var line: String {
        let place =
            switch flag1 {
            case 0x00, Self.noPosition: ""
            case 0x01, 0x02: ", entry \(flag1)"
            default: ", place \(Hex.digits(flag1, width: 2))"
            }
        return "\(self)  \(reason.name)\(place)"
    }

    /// Status flag 1 in words.
    var placeText: String {
        switch flag1 {
        case 0x00: return "success"
        case Self.noPosition: return "an error without a position in a list"
        case 0x01, 0x02: return "an error at entry \(flag1) of the list"
        default:
            let bits = (0..<8).filter { flag1 >> $0 & 1 == 1 }.map { "\($0 + 1)" }.joined(separator: ", ")
            return "an error at entry \(flag1) of the list, or at entries \(bits) on cards that return a bitmap"
        }
    }
}

extension StatusFlag2 {
    var meaning: String { entry.map { "\($0.name): \($0.explanation)" } ?? name }
}
