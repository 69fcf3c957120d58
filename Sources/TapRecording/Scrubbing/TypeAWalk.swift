import TapWire

extension SessionWalk {
    /// A command to a type A card and its answer, with placeholders.
    mutating func typeA(_ exchange: CardExchange) -> CardExchange {
        let command = exchange.command
        guard let first = command.first else { return exchange }
        var found = exchange
        if let page = pageToCome, command.count == ReadPages.Response.length {
            pageToCome = nil
            let rest = Array(command.dropFirst(PageData.byteCount))
            found.command = self.page(Array(command.prefix(PageData.byteCount)), at: page) + placeholders.data(rest)
            return found
        }
        pageToCome = nil
        if let level = CascadeLevel(sel: first), command.count > 1 {
            return selection(exchange, level)
        }
        let argument = command.count > 1 ? Int(command[1]) : 0
        switch Type2Opcode(first) {
        case .read, .fastRead: found.answer = exchange.answer.map { pages($0, from: argument) }
        case .write where command.count == 2 + PageData.byteCount:
            found.command = command.prefix(2) + page(Array(command.dropFirst(2)), at: argument)
        case .compatibilityWrite: pageToCome = argument
        case .passwordAuthentication:
            found.command = [first] + placeholders.secret(Array(command.dropFirst()))
            found.answer = exchange.answer.map { placeholders.secret($0) }
        case .readSignature: found.answer = exchange.answer.map { placeholders.data($0, as: .signature) }
        case .getVersion:
            if let version = exchange.answer.flatMap({ try? GetVersion.Response(parsing: $0) }) {
                tag.saw(version: version)
            }
        case .readCounter, .halt: break
        default: found.answer = exchange.answer.map { unknown($0, to: first) }
        }
        return found
    }

    /// The answer to an unknown command; a short answer identifies nobody.
    private mutating func unknown(_ answer: [UInt8], to code: UInt8) -> [UInt8] {
        guard answer.count > 2 else { return answer }
        placeholders.remark(
            "The answer to command \(Hex.digits(code, width: 2)) was replaced, because the command is unknown.")
        return placeholders.data(answer)
    }

    /// Anticollision and SELECT: the complete or partial UID part of the level, and the answer.
    private mutating func selection(_ exchange: CardExchange, _ level: CascadeLevel) -> CardExchange {
        let known = Array(exchange.command.dropFirst(2).prefix(CascadePart.byteCount))
        let part = known + (known.count < CascadePart.byteCount ? exchange.answer ?? [] : [])
        guard part.count == CascadePart.byteCount, let new = self.part(part, level) else { return exchange }
        var found = exchange
        found.command.replaceSubrange(2..<2 + known.count, with: new.prefix(known.count))
        if known.count < CascadePart.byteCount { found.answer = Array(new.dropFirst(known.count)) }
        return found
    }

    private mutating func part(_ part: [UInt8], _ level: CascadeLevel) -> [UInt8]? {
        if level == .first, part[0] != UID.cascadeTag, let short = UID(Array(part.prefix(4))) {
            let new = placeholders.uid(short).cascadeParts[0].bytes
            return new.dropLast() + [part[4] ^ part.prefix(4).reduce(0, ^) ^ new[4]]
        }
        guard let uid = tag.uid, uid.cascadeParts.count >= level.rawValue,
            uid.cascadeParts[level.rawValue - 1].bytes == part
        else { return nil }
        return placeholders.uid(uid).cascadeParts[level.rawValue - 1].bytes
    }

    mutating func pages(_ bytes: [UInt8], from first: Int) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: PageData.byteCount).flatMap { start in
            let page = Array(bytes[start..<min(start + PageData.byteCount, bytes.count)])
            return self.page(page, at: tag.address(first + start / PageData.byteCount))
        }
    }

    mutating func page(_ page: [UInt8], at address: Int) -> [UInt8] {
        guard page.count == PageData.byteCount, address <= Int(UInt8.max) else { return placeholders.data(page) }
        guard placeholders.isSettled else {
            tag.saw(page, at: address)
            if let uid = tag.uid { _ = placeholders.uid(uid) }
            (_, _) = (placeholders.data(page), placeholders.secret(page))
            return page
        }
        switch tag.place(of: address) {
        case .uid:
            guard let uid = tag.uid else { return placeholders.data(page) }
            return placeholders.bytes(.uid, page, by: tag.uidPage(page, at: address, placeholders.uid(uid)))
        case .container, .configuration: return page
        case .password: return placeholders.secret(page)
        case .pack: return placeholders.secret(Array(page.prefix(2))) + page.dropFirst(2)
        case .user:
            guard let new = tag.placeholder(for: page, at: address) else { return placeholders.data(page) }
            return placeholders.bytes(.text, page, by: new)
        }
    }
}
