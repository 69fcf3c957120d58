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
    /// The protocols an ATR offers: T=0 if it names none, nothing if it is no ATR or begins with another.
    ///
    /// Source: ISO/IEC 7816-3, sections 8.2.2 and 8.2.3.
    init(offeredBy atr: [UInt8]) {
        self = []
        guard atr.count > 1, [0x3B, 0x3F].contains(atr[0]) else { return }
        var offset = 1
        var group = 1
        while offset < atr.count {
            // Bits 5 to 8 of T0 and of each TD say which of TA, TB, TC and TD come next.
            let follows = atr[offset] >> 4
            if group == 2, follows & 1 != 0, offset + 1 < atr.count {
                // TA2 names the one protocol there is.
                self = Self(number: atr[offset + 1])
                return
            }
            guard follows & 8 != 0 else { break }
            offset += follows.nonzeroBitCount
            guard offset < atr.count else { break }
            formUnion(Self(number: atr[offset]))
            if isEmpty { return }
            group += 1
        }
        if isEmpty { self = .t0 }
    }

    /// The protocol in the low half of a TD or TA2; nothing for one that is not for commands.
    private init(number: UInt8) {
        switch number & 0x0F {
        case 0: self = .t0
        case 1: self = .t1
        default: self = []
        }
    }
}
