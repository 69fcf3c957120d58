/// What a client may not do to a card unless its clean runs or its scenario ask for it.
public enum SafetyRule: String, Hashable, Sendable, CaseIterable {
    /// Writes to static or dynamic lock bytes, which cannot be cleared.
    case lockPages = "lock_pages"
    /// Writes to the capability container, whose bits can only be set.
    case otp
    /// Writes to configuration: CFG0 and CFG1, or block MC of a FeliCa Lite.
    case configPages = "config_pages"
    /// Writes to PWD and PACK, or to the keys of a FeliCa Lite.
    case passwordPages = "password_pages"
    /// Wrong passwords one after the other; AUTHLIM of them lock a tag for ever.
    case passwordGuessing = "password_guessing"
    /// A write that is sent again though nobody knows what became of it, without reading back.
    case blindWrites = "blind_writes"
    /// An NDEF message of which only a part was written.
    case halfWritten = "half_written"
    /// Any write to a page or block that neither the clean runs nor the scenario write to.
    case unaskedWrites = "unasked_writes"

    /// Whether it forbids writes to certain places.
    var isOfPlaces: Bool {
        switch self {
        case .lockPages, .otp, .configPages, .passwordPages, .unaskedWrites: true
        case .passwordGuessing, .blindWrites, .halfWritten: false
        }
    }

    /// What it forbids, the end of a sentence that begins with the client.
    public var summary: String {
        switch self {
        case .lockPages: "writes to lock bytes, which cannot be cleared"
        case .otp: "writes to the capability container, whose bits can only be set"
        case .configPages: "writes to configuration: CFG0 and CFG1, or block MC of a FeliCa Lite"
        case .passwordPages: "writes to PWD and PACK, or to the keys of a FeliCa Lite"
        case .passwordGuessing: "tries wrong passwords one after the other"
        case .blindWrites: "repeats a write of which it does not know what became, without reading back"
        case .halfWritten: "leaves an NDEF message of which only a part was written"
        case .unaskedWrites: "writes to any other page or block that the clean runs do not write to"
        }
    }
}

/// The rules of safety a case holds its client to.
public struct SafetyPolicy: Hashable, Sendable {
    /// What the client may not do.
    public var forbidden: Set<SafetyRule>

    public init(forbidding rules: Set<SafetyRule>) {
        forbidden = rules
    }

    /// What holds where a case states nothing: everything but ``SafetyRule/unaskedWrites``.
    public static let usual = SafetyPolicy(forbidding: Set(SafetyRule.allCases).subtracting([.unaskedWrites]))
    /// Everything.
    public static let strict = SafetyPolicy(forbidding: Set(SafetyRule.allCases))
    public static let off = SafetyPolicy(forbidding: [])
}
