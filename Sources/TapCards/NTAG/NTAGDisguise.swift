import TapWire

/// A disguise in memory of its own, so that a card without one, as nearly all are, is small.
enum RareDisguise: Hashable {
    case none
    indirect case some(NTAGDisguise)
}

/// What a tag says of itself in selection where that is not what genuine silicon with its memory says.
///
/// It stays with the tag, whatever power does: a card that behaves so always does.
public struct NTAGDisguise: Hashable, Sendable {
    /// Which UID the tag shows.
    public enum Identity: Hashable, Sendable {
        /// That of its memory.
        case own
        /// Another one, of four, seven or ten bytes.
        case other(UID)
        /// Four bytes, drawn anew whenever a call is answered.
        case random
    }

    /// Which calls the tag hears.
    public enum Calls: String, Hashable, Sendable, CaseIterable {
        /// REQA and WUPA, as the standard has it.
        case all
        /// Only every second one.
        case everySecond = "every_second"
        /// Only WUPA.
        case wupaOnly = "wupa_only"
    }

    /// The first byte of a UID that is drawn by chance.
    ///
    /// Source: ISO/IEC 14443-3, type A, "UID contents and cascade levels".
    static let randomUIDTag: UInt8 = 0x08

    /// Which UID the tag shows.
    public let identity: Identity
    /// Which calls the tag hears.
    public let calls: Calls
    private var parts: (first: CascadePart?, second: CascadePart?, third: CascadePart?) = (nil, nil, nil)
    private var hasMissedCall = false

    public init(_ identity: Identity = .own, calls: Calls = .all) {
        self.identity = identity
        self.calls = calls
        guard case .other(let uid) = identity else { return }
        let all = uid.cascadeParts
        parts = (all.first, all.dropFirst().first, all.dropFirst(2).first)
    }

    /// Whether the tag hears a call; one that draws its UID draws it now.
    mutating func hears(_ call: ShortFrame, random: inout SeededGenerator) -> Bool {
        switch calls {
        case .all: break
        case .everySecond:
            hasMissedCall.toggle()
            if hasMissedCall { return false }
        case .wupaOnly:
            guard call == .wupa else { return false }
        }
        if identity == .random {
            let bits = UInt32(truncatingIfNeeded: random.next()) & ~0xFF | UInt32(Self.randomUIDTag)
            parts.first = CascadePart(data: bits)
        }
        return true
    }

    /// The part of the UID that the tag shows in a cascade level, or nothing where it shows its own.
    func part(_ level: CascadeLevel) -> CascadePart? {
        switch level {
        case .first: parts.first
        case .second: parts.second
        case .third: parts.third
        }
    }

    /// The last cascade level, or nothing where the tag shows its own UID.
    var lastLevel: CascadeLevel? {
        if parts.third != nil { return .third }
        if parts.second != nil { return .second }
        return parts.first == nil ? nil : .first
    }

    /// Whether two tags say the same of themselves from now on.
    public static func == (left: NTAGDisguise, right: NTAGDisguise) -> Bool {
        left.identity == right.identity && left.calls == right.calls && left.parts == right.parts
            && left.hasMissedCall == right.hasMissedCall
    }

    /// Hashes what the tag shows.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identity)
        hasher.combine(calls)
    }
}
