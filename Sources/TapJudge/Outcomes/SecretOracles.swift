import TapCards
import TapField
import TapScenario
import TapWire

/// Oracles for secrets that others must not see, and for the proof that a tag knows its password.
extension Oracle {
    /// Finds PWD, PACK and keys of the cards among the hexadecimal numbers that a client prints or logs.
    static func secretsInOutput(_ facts: RunFacts) -> [Misdeed] {
        let secrets = facts.world.cards.flatMap { slot in Secret.all(of: slot.original) }
        guard !secrets.isEmpty else { return [] }
        let (output, error) = (facts.client.standardOutput, facts.client.standardError)
        let texts =
            facts.end.isOfFunction
            ? [("result", output, "it returns"), ("error", error, "its error contains")]
            : [("standard output", output, "it writes"), ("standard error", error, "it writes")]
        return texts.flatMap { name, text, verb -> [Misdeed] in
            let numbers = HexNumbers.all(in: text)
            let goal = facts.end.isOfFunction ? "" : " to its \(name)"
            return secrets.filter { secret in numbers.contains(where: secret.isIn) }.map { secret in
                Misdeed(
                    .safety, key: "\(secret.name) on \(name)", at: facts.place,
                    "\(verb) \(secret.name)\(goal), where others can read it")
            }
        }
    }

    /// Finds tags that the client treats as unlocked although their answer to PWD_AUTH is not their PACK.
    ///
    /// Source: NTAG213/215/216 data sheet, "password verification": PACK shows that the tag knows PWD, too.
    static func wrongAcknowledges(_ facts: RunFacts) -> [Misdeed] {
        var wrong: (item: SeenExchange, pack: [UInt8], right: [UInt8])?
        for item in facts.typeA {
            if item.command.password != nil {
                wrong = nil
                guard case .data(let bytes) = item.reply, let right = facts.pack(of: item), bytes != right else {
                    continue
                }
                wrong = (item, bytes, right)
            } else if item.isSelection {
                // The client starts over and may authenticate again.
                if facts.end.exit != 0 { wrong = nil }
            } else if item.isWrite, item.isAccepted, let wrong {
                return [misdeed(wrong.item, wrong.pack, wrong.right, "wrote to the tag")]
            }
        }
        guard let wrong, facts.end.exit == 0 else { return [] }
        return [misdeed(wrong.item, wrong.pack, wrong.right, "exited successfully")]
    }

    private static func misdeed(
        _ item: SeenExchange, _ pack: [UInt8], _ right: [UInt8], _ end: String
    ) -> Misdeed {
        Misdeed(
            .safety, key: "wrong PACK", at: item.number,
            "it accepted \(Hex.text(pack, separator: " ")) as the PACK of the tag, which is "
                + "\(Hex.text(right, separator: " ")), and \(end)")
    }

    /// Finds writes to a card from which the client has read nothing, although it has read another.
    ///
    /// Another card may have arrived between two commands; a client that writes has to check which card it is.
    static func writesToOthers(_ facts: RunFacts) -> [Misdeed] {
        var read: [String] = []
        for item in facts.exchanges {
            let names = facts.world.cards.map(\.name).filter(item.wasAnswered)
            if item.command.name?.isRead == true, item.isAccepted { read += names.filter { !read.contains($0) } }
            guard item.isWrite, item.isAccepted, let name = names.first, !read.contains(name),
                let first = read.first(where: { facts.areOfOneKind($0, name) })
            else { continue }
            let place = WriteTarget.all(of: item.command).first?.text ?? "a place"
            return [
                Misdeed(
                    .safety, key: "other card \(name)", at: item.number,
                    "it wrote to \(place) of \(name), from which it had read nothing, after it had read \(first)")
            ]
        }
        return []
    }
}

/// Something that only the card and its authorised users should know.
private struct Secret {
    let name: String
    let bytes: [UInt8]
    /// A Boolean value that indicates whether the secret is so short that longer numbers contain it by chance.
    private var isShort: Bool { bytes.count < 4 }

    /// Returns the secrets of a card that differ from its delivery state.
    static func all(of card: any CardEngine) -> [Secret] {
        let all: [Secret]
        switch card {
        case let tag as NTAGCard where tag.template.definition.isPasswordKnown:
            let layout = tag.template.definition.product.layout
            all = [
                Secret(name: "the PWD", bytes: tag[page: layout.passwordPage].bytes),
                Secret(name: "the PACK", bytes: Array(tag[page: layout.packPage].bytes.prefix(2))),
            ]
        case let card as FeliCaLiteCard: all = [Secret(name: "the card key CK", bytes: card.definition.cardKey.bytes)]
        case let card as FeliCaCard:
            let keys = card.definition.systems.flatMap { system in
                [system.keys] + system.areas.map(\.keys) + system.services.map(\.keys)
            }
            all = keys.flatMap { [$0.desKey, $0.aesKey] }.compactMap(\.self).map { Secret(name: "a key", bytes: $0) }
        default: all = []
        }
        // FF FF FF FF and zeros, the delivery state, are publicly known.
        return all.filter { Set($0.bytes).count > 1 }
    }

    func isIn(_ number: [UInt8]) -> Bool {
        isShort ? number == bytes : number.indices.contains { number[$0...].starts(with: bytes) }
    }
}

/// The hexadecimal numbers in a text: pairs of digits, alone or with the same separator between all pairs.
private enum HexNumbers {
    static func all(in text: String) -> [[UInt8]] {
        var numbers: [[UInt8]] = []
        for separators in ["", " ", ":", "-", " 0x"] as [String] {
            numbers += words(in: text, separator: separators)
        }
        return numbers
    }

    private static func words(in text: String, separator: String) -> [[UInt8]] {
        let (bytes, between) = (Array(text.utf8), Array(separator.utf8))
        var numbers: [[UInt8]] = []
        var place = 0
        while place < bytes.count {
            guard place == 0 || !isWord(bytes[place - 1]), var end = pair(in: bytes, at: place) else {
                place += 1
                continue
            }
            var number = [value(bytes, place)]
            while bytes[end...].starts(with: between), let next = pair(in: bytes, at: end + between.count) {
                number.append(value(bytes, end + between.count))
                end = next
            }
            if end == bytes.count || !isWord(bytes[end]) { numbers.append(number) }
            place = end
        }
        return numbers
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init) }

    private static func isWord(_ byte: UInt8) -> Bool {
        let character = Character(UnicodeScalar(byte))
        return byte < 0x80 && (character.isLetter || character.isNumber)
    }

    /// Returns the place after two digits.
    private static func pair(in bytes: [UInt8], at place: Int) -> Int? {
        guard place + 2 <= bytes.count, digit(bytes[place]) != nil, digit(bytes[place + 1]) != nil else { return nil }
        return place + 2
    }

    private static func value(_ bytes: [UInt8], _ place: Int) -> UInt8 {
        (digit(bytes[place]) ?? 0) << 4 | (digit(bytes[place + 1]) ?? 0)
    }
}

extension RunFacts {
    fileprivate func areOfOneKind(_ one: String, _ other: String) -> Bool {
        let kinds = [one, other].map { world.card(named: $0)?.original is NTAGCard }
        return kinds[0] == kinds[1]
    }

    /// Returns the PACK of the tag that was asked, if its password is known.
    fileprivate func pack(of item: SeenExchange) -> [UInt8]? {
        let tags = world.cards.filter { $0.original is NTAGCard }
        let tag = (tags.first { item.wasAnswered(by: $0.name) } ?? tags.first)?.original as? NTAGCard
        guard let tag, tag.template.definition.isPasswordKnown else { return nil }
        return Array(tag[page: tag.template.definition.product.layout.packPage].bytes.prefix(2))
    }
}
