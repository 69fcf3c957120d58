import TapWire

extension PCSCProtocols {
    /// T=0 or T=1, as clients of old say it.
    static let anyAsOfOld = PCSCProtocols(rawValue: 0x1000)
    /// What a client of a card must name one of.
    static let known: PCSCProtocols = [.t0, .t1, .raw, .anyAsOfOld]
}

extension ResourceManager {
    func checkProtocols(_ protocols: PCSCProtocols, _ mode: PCSCShareMode) throws(Refusal) {
        if mode != .direct, protocols.isDisjoint(with: .known) { throw Refusal(.protocolMismatch) }
    }

    func checkShareMode(_ mode: PCSCShareMode) throws(Refusal) {
        guard [.exclusive, .shared, .direct].contains(mode) else { throw Refusal(.invalidValue) }
    }

    /// Settles the protocol of a reader, unless it is settled and suits.
    mutating func agree(
        on protocols: PCSCProtocols, _ mode: PCSCShareMode, with id: ReaderID
    ) throws(Refusal) {
        guard let reader = readers[id] else { return }
        if protocols.contains(.raw) {
            readers[id]?.activeProtocol = .raw
        } else if mode != .direct {
            if reader.activeProtocol.isEmpty {
                let wanted: PCSCProtocols = protocols.contains(.anyAsOfOld) ? [.t0, .t1] : protocols
                let chosen = try Self.chosen(of: wanted, reader.state.atr)
                readers[id]?.activeProtocol = chosen
            } else if protocols.isDisjoint(with: reader.activeProtocol) {
                throw Refusal(.protocolMismatch)
            }
        }
    }

    /// T=1 before T=0, of those that are wanted and that the card has.
    private static func chosen(of wanted: PCSCProtocols, _ atr: [UInt8]) throws(Refusal) -> PCSCProtocols {
        let common = wanted.intersection(PCSCProtocols(offeredBy: atr))
        if common.contains(.t1) { return .t1 }
        if common.contains(.t0) { return .t0 }
        throw Refusal(.protocolMismatch)
    }
}

extension PCSCProtocols {
    /// The protocols an ATR offers; T=0 if it names none.
    ///
    /// Source: ISO/IEC 7816-3, section 8.2.3.
    init(offeredBy atr: [UInt8]) {
        self = []
        var offset = 1
        var follows = atr.count > 1 ? atr[1] >> 4 : 0
        var group = 1
        while true {
            let isSpecific = group == 2 && follows & 1 != 0
            if isSpecific, offset + 1 < atr.count {
                // TA2 names the one protocol there is.
                self = atr[offset + 1] & 0x0F == 0 ? .t0 : .t1
                return
            }
            offset += (follows & 0x0F).nonzeroBitCount
            guard follows & 8 != 0, offset < atr.count else { break }
            switch atr[offset] & 0x0F {
            case 0: insert(.t0)
            case 1: insert(.t1)
            default: break
            }
            follows = atr[offset] >> 4
            group += 1
        }
        if isEmpty { self = .t0 }
    }
}
