import TapField
import TapWire

/// Searches for targets.
extension PN532 {
    /// Looks for targets of one kind; nothing while it looks for ever.
    ///
    /// WUPA calls a type A card, so that one deselected before is found again.
    mutating func list(
        _ request: InListPassiveTarget.Request, in world: inout World
    ) throws(WireError) -> InListPassiveTarget.Response? {
        guard 1...InListPassiveTarget.maximumTargets ~= Int(request.maximum) else {
            throw WireError(.wrongValue, at: 2, in: "number of targets", "it is 1 or 2")
        }
        forget()
        let search = try Search(request)
        let isEndless = passiveRetries == .max
        for _ in 0...passiveRetries {
            let strikes = world.strikeCount
            find(search, upTo: Int(request.maximum), in: &world)
            // Nothing else changes in the field while a search for ever goes on.
            if !targets.isEmpty || isEndless && world.strikeCount == strikes { break }
        }
        guard !targets.isEmpty || !isEndless else { return nil }
        return InListPassiveTarget.Response(targets.compactMap(\.wireTarget))
    }

    /// Looks for several kinds of targets by turns; nothing while it looks for ever.
    mutating func poll(_ request: InAutoPoll.Request, in world: inout World) -> InAutoPoll.Response? {
        forget()
        for _ in 0..<max(1, request.rounds) {
            let strikes = world.strikeCount
            for type in request.types {
                guard let search = Search(type) else { continue }
                find(search, upTo: 1, in: &world)
                guard let target = targets.first?.wireTarget else { continue }
                return InAutoPoll.Response(found: [(type, target)])
            }
            // Nothing else changes in the field between two rounds.
            if world.strikeCount == strikes { break }
        }
        return request.rounds == .max ? nil : InAutoPoll.Response(found: [])
    }

    /// Takes a card that the reader around the chip has found for its one target.
    mutating func adopt(_ card: FoundCard) {
        targets = [Target(number: 1, card: card)]
        selected = card.technology.isFeliCa ? nil : 0
        registers.setModes(for: card.technology)
    }

    /// Whether a card is its one target, and selected if that means anything.
    func holds(_ card: FoundCard) -> Bool {
        guard targets.count == 1, let held = targets.first?.card else { return false }
        let isSame = held.index == card.index && held.visit == card.visit && held.technology == card.technology
        return isSame && (card.technology.isFeliCa || selected == 0)
    }

    private mutating func forget() {
        targets = []
        selected = nil
    }

    private mutating func find(_ search: Search, upTo maximum: Int, in world: inout World) {
        let cards: [FoundCard]
        switch search {
        case .typeA(let uid):
            cards = findTypeA(uid, upTo: maximum, in: &world)
            registers.noteTypeASearch(hasFound: !cards.isEmpty)
        case .felica(let polling, let technology):
            cards = world.findFeliCas(polling, technology, upTo: maximum)
        case .nothing: cards = []
        }
        targets = cards.enumerated().map { Target(number: UInt8($0.offset + 1), card: $0.element) }
        guard let first = cards.first else { return }
        registers.setModes(for: first.technology)
        selected = first.technology.isFeliCa ? nil : cards.count - 1
    }

    /// Selects a card, then puts it to rest and looks for another; the last one found stays selected.
    private mutating func findTypeA(_ uid: UID?, upTo maximum: Int, in world: inout World) -> [FoundCard] {
        guard let first = uid.map({ world.findTypeA($0) }) ?? world.findTypeA(.wupa) else { return [] }
        guard maximum > 1, uid == nil, case .typeA(let tag) = first.identity else { return [first] }
        world.halt()
        if let second = world.findTypeA(.reqa) { return [first, second] }
        return world.findTypeA(tag.uid) == nil ? [] : [first]
    }
}

/// What a PN532 looks for.
private enum Search {
    case typeA(UID?)
    case felica(Polling.Request, Technology)
    /// Something no card here is.
    case nothing

    init(_ request: InListPassiveTarget.Request) throws(WireError) {
        switch request.modulation.technology {
        case .typeA106:
            let data = request.initiatorData
            guard data.isEmpty || UID(cascaded: data) != nil else {
                throw WireError(.wrongValue, at: 4, in: "UID", "it has 4 bytes, or 8 or 12 with cascade tags")
            }
            self = .typeA(UID(cascaded: data))
        case .felica212?, .felica424?:
            guard let polling = request.polling else {
                throw WireError(.wrongValue, at: 4, in: "payload of Polling", "it has five bytes, 00 first")
            }
            self = .felica(polling, request.modulation.technology ?? .felica212)
        case nil: self = .nothing
        }
    }

    init?(_ type: InAutoPoll.TargetType) {
        let polling = Polling.Request(systemCode: .any, requestCode: .systemCode)
        switch type {
        case .anyTypeA, .mifare: self = .typeA(nil)
        case .any212, .felica212: self = .felica(polling, .felica212)
        case .any424, .felica424: self = .felica(polling, .felica424)
        default: return nil
        }
    }
}

extension PN532.Target {
    /// The target as answers give it.
    var wireTarget: PN532Target {
        switch card.identity {
        case .typeA(let tag): PN532Target(number: number, .typeA(tag))
        case .felica(let polling, _): PN532Target(number: number, .felica(polling))
        }
    }
}

extension World {
    /// How often faults have struck.
    fileprivate var strikeCount: Int { plan.tallies.reduce(0) { $0 + $1.struck.count } }
}

extension UID {
    /// Takes the bytes of cascade levels laid end to end, tags included and check bytes left out.
    fileprivate init?(cascaded bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count % 4 == 0 else { return nil }
        let parts = stride(from: 0, to: bytes.count, by: 4).map { start in
            CascadePart(data: bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        guard let uid = try? UID(cascadeParts: parts) else { return nil }
        self = uid
    }
}
