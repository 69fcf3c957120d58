import TapReaders
import TapWire

/// Commands of a program to a reader, with the frames and blocks that they carry.
extension SessionWalk {
    /// A command APDU and its answer, with placeholders.
    mutating func apdu(_ exchange: CardExchange) -> CardExchange {
        if exchange.command.first == PN532Packet.toChip { return pn532(exchange) }
        guard let command = try? SessionRequest.apdu(exchange.command) else {
            placeholders.remark("Commands that are not APDUs were kept unchanged.")
            return exchange
        }
        let isGetResponse = command.cla == CommandAPDU.reader && command.ins == .getResponse
        if isGetResponse, let open = openCommand {
            return CardExchange(
                command: exchange.command, answer: apdu(CardExchange(command: open, answer: exchange.answer)).answer)
        }
        // A Get Response without a preceding command leaves nothing open.
        let hasMore = exchange.answer?.count == 2 && exchange.answer?.first == 0x61
        openCommand = hasMore && !isGetResponse ? exchange.command : nil
        let status = exchange.answer.map { Array($0.suffix(StatusWord.length)) } ?? []
        let inside = CardExchange(
            command: command.data, answer: exchange.answer.map { Array($0.dropLast(status.count)) })
        let new = command.cla == CommandAPDU.reader ? reader(command, inside) : card(command, inside)
        var found = exchange
        let start = command.isExtended ? 7 : 5
        if !command.data.isEmpty {
            found.command.replaceSubrange(start..<start + command.data.count, with: new.command)
        }
        found.answer = new.answer.map { $0 + status }
        return found
    }

    /// The data of a command to the reader itself, with placeholders.
    private mutating func reader(_ command: CommandAPDU, _ inside: CardExchange) -> CardExchange {
        var found = inside
        switch command.ins {
        case .getData:
            let names = [CardProperty.identifier, .cardID].contains { $0.rawValue == command.p1 }
            if names { found.answer = inside.answer.map { identifier($0) } }
        case .acs where command.p1 == 0 && command.p2 == 0 && !inside.command.isEmpty:
            return inside.command.first == PN532Packet.toChip ? pn532(inside) : carried(inside.command, inside.answer)
        case .transparent where command.p1 == 0, .sonyTransparent: return session(inside)
        case .selectService where inside.command.count == 2:
            selectedService = NodeCode(UInt16(inside.command[0]) | UInt16(inside.command[1]) << 8)
        case .sonyRaw: return carried(inside.command, inside.answer, isFeliCa: true)
        case .loadKeys: found.command = placeholders.secret(inside.command)
        case .readBinary, .updateBinary: return binary(command, inside)
        default: break
        }
        return found
    }

    private mutating func identifier(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.count == MemoryLayout<UInt64>.size { return idm(bytes) }
        return UID(bytes).map { placeholders.uid($0).bytes } ?? bytes
    }

    /// A command to a card that speaks APDUs, which no table here describes.
    private mutating func card(_ command: CommandAPDU, _ inside: CardExchange) -> CardExchange {
        var found = inside
        if command.ins == Self.verify { found.command = placeholders.secret(inside.command) }
        if let answer = inside.answer, !answer.isEmpty {
            placeholders.remark("Answers of the card to its own APDUs were replaced, because their meaning is unknown.")
            found.answer = placeholders.data(answer)
        }
        return found
    }

    /// VERIFY of ISO/IEC 7816-4, which carries a PIN.
    private static let verify = Instruction(0x20)
}

// Read binary and update binary.

extension SessionWalk {
    private mutating func binary(_ command: CommandAPDU, _ inside: CardExchange) -> CardExchange {
        var found = inside
        guard let (places, rest) = places(command) else {
            if command.ins == .updateBinary {
                found.command = pages(inside.command, from: Int(command.address))
            } else {
                found.answer = inside.answer.map { pages($0, from: Int(command.address)) }
            }
            return found
        }
        if command.ins == .updateBinary {
            found.command = inside.command.dropLast(rest.count) + data(rest, at: places)
        } else {
            found.answer = inside.answer.map { data($0, at: places) }
        }
        return found
    }

    /// The blocks that a command names, and the bytes after their list, or `nil` if it names pages.
    private func places(_ command: CommandAPDU) -> (places: [BlockLocation], rest: [UInt8])? {
        if let service = selectedService {
            return command.sonyBlocks.map { (BlockLocation.all([service], $0.blocks), $0.rest) }
        }
        guard isFeliCa ?? !command.data.isEmpty, command.address == 0,
            let (selection, rest) = try? FeliCaBlockSelection.parse(command.data)
        else { return nil }
        return (BlockLocation.all(selection.services, selection.blocks), rest)
    }

    /// Consecutive blocks with placeholders; an incomplete block counts as data.
    private mutating func data(_ bytes: [UInt8], at places: [BlockLocation]) -> [UInt8] {
        let count = bytes.count / BlockData.byteCount
        let whole = (0..<count).map { BlockData(bytes[($0 * BlockData.byteCount)...]) }
        let rest = Array(bytes.dropFirst(count * BlockData.byteCount))
        return blocks(whole, at: places).flatMap(\.bytes) + placeholders.data(rest)
    }
}

// Frames that readers pass on.

extension SessionWalk {
    private mutating func pn532(_ exchange: CardExchange) -> CardExchange {
        let command = exchange.command
        guard command.count > 1 else { return exchange }
        switch PN532Code(command[1]) {
        case .inDataExchange: return carried(exchange, after: 3)
        case .inCommunicateThru: return carried(exchange, after: 2)
        case .inListPassiveTarget:
            return CardExchange(command: command, answer: exchange.answer.map { targets($0, command) })
        default: return exchange
        }
    }

    /// A frame after the header of a command, and its answer after TFI, code and error.
    private mutating func carried(_ exchange: CardExchange, after head: Int) -> CardExchange {
        guard exchange.command.count > head else { return exchange }
        let answer = exchange.answer.flatMap { $0.count > Self.answerHead ? Array($0.dropFirst(Self.answerHead)) : nil }
        let new = carried(Array(exchange.command.dropFirst(head)), answer)
        return CardExchange(
            command: exchange.command.prefix(head) + new.command,
            answer: new.answer.map { (exchange.answer ?? []).prefix(Self.answerHead) + $0 } ?? exchange.answer)
    }

    private static let answerHead = 3

    private mutating func targets(_ answer: [UInt8], _ command: [UInt8]) -> [UInt8] {
        guard let request = try? InListPassiveTarget.Request(data: Array(command.dropFirst(2))),
            let response = try? InListPassiveTarget.Response(data: Array(answer.dropFirst(2))),
            let targets = try? response.targets(request.modulation)
        else { return answer }
        let bytes = targets.flatMap { target in
            var target = target
            switch target.card {
            case .typeA(var tag):
                tag.uid = placeholders.uid(tag.uid)
                target.card = .typeA(tag)
            case .felica(var polling, let technology):
                polling.idm = placeholders.idm(polling.idm)
                target.card = .felica(polling, technology)
            }
            return target.bytes
        }
        let head = answer.prefix(Self.answerHead)
        return head.count + bytes.count == answer.count ? head + bytes : answer
    }

    private mutating func session(_ exchange: CardExchange) -> CardExchange {
        let objects = SessionObject.list(exchange.command).objects
        let sent = objects.first { [.transmit, .transceive].contains($0.tag) && !$0.value.isEmpty }?.value
        let answers = exchange.answer.map { SessionObject.list($0).objects } ?? []
        let received = answers.first { $0.tag == .received && !$0.value.isEmpty }?.value
        guard let command = sent ?? sentInSession else { return exchange }
        sentInSession = command
        let new = carried(command, received)
        var found = exchange
        if let sent { found.command = exchange.command.replacing(sent, with: new.command) }
        if let received, let answer = new.answer {
            found.answer = exchange.answer?.replacing(received, with: answer)
        }
        return found
    }
}

extension [UInt8] {
    /// The bytes with the last occurrence of a subsequence replaced by one of the same length.
    fileprivate func replacing(_ old: [UInt8], with new: [UInt8]) -> [UInt8] {
        guard count >= old.count, old.count == new.count else { return self }
        let start = (0...count - old.count).last { self[$0..<$0 + old.count].elementsEqual(old) }
        guard let start else { return self }
        var bytes = self
        bytes.replaceSubrange(start..<start + old.count, with: new)
        return bytes
    }
}
