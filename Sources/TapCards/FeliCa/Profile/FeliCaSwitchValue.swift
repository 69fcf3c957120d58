import TapWire

/// A type a switch can have: it reads and prints as text, each the inverse of the other.
protocol FeliCaSwitchValue: Hashable, Sendable {
    init?(switchText: String)
    var switchText: String { get }
}

extension FeliCaSwitchValue where Self: RawRepresentable, RawValue == String {
    init?(switchText: String) { self.init(rawValue: switchText) }
    var switchText: String { rawValue }
}

extension FeliCaProfile.StatusLocation: FeliCaSwitchValue {}
extension FeliCaProfile.Reaction: FeliCaSwitchValue {}
extension FeliCaProfile.ServiceListCheck: FeliCaSwitchValue {}
extension FeliCaProfile.EncryptionListOrder: FeliCaSwitchValue {}
extension FeliCaProfile.BlockInfoArea: FeliCaSwitchValue {}
extension FeliCaProfile.OptionCommandModes: FeliCaSwitchValue {}
extension FeliCaProfile.PollingRequestCodes: FeliCaSwitchValue {}

extension Int: FeliCaSwitchValue {
    init?(switchText: String) { self.init(switchText) }
    var switchText: String { description }
}

extension Bool: FeliCaSwitchValue {
    init?(switchText: String) {
        switch switchText {
        case "true": self = true
        case "false": self = false
        default: return nil
        }
    }

    var switchText: String { self ? "true" : "false" }
}

extension StatusFlag2: FeliCaSwitchValue {
    init?(switchText: String) {
        guard let byte = hexadecimal(switchText, count: 1)?[0] else { return nil }
        self.init(byte)
    }

    var switchText: String { description }
}

extension FeliCaProfile.WarningFlag: FeliCaSwitchValue {
    init?(switchText: String) {
        guard let byte = hexadecimal(switchText, count: 1)?[0] else { return nil }
        self.init(byte)
    }

    var switchText: String { Hex.digits(rawValue, width: 2) }
}

extension FeliCaProfile.PerformanceBytes: FeliCaSwitchValue {
    init?(switchText: String) {
        guard let bytes = hexadecimal(switchText, count: 2) else { return nil }
        self.init(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
    }

    var switchText: String { Hex.digits(rawValue, width: 4) }
}

extension FeliCaCommandSet: FeliCaSwitchValue {
    init?(switchText: String) {
        var codes: [CommandCode] = []
        for word in switchText.split(separator: " ") {
            guard let bytes = hexadecimal(word) else { return nil }
            let code = CommandCode(bytes[0], bytes.count == 2 ? bytes[1] : 0)
            guard bytes.count == code.byteCount else { return nil }
            codes.append(code)
        }
        self.init(codes)
    }

    var switchText: String { codes.map(\.description).joined(separator: " ") }
}

extension FeliCaProfile.TrailingBytes: FeliCaSwitchValue {
    init?(switchText: String) {
        switch switchText {
        case "ignore": self = .ignore
        case "silence": self = .silence
        default:
            guard let commands = FeliCaCommandSet(switchText: switchText) else { return nil }
            self = .silenceFor(commands)
        }
    }

    var switchText: String {
        switch self {
        case .ignore: "ignore"
        case .silence: "silence"
        case .silenceFor(let commands): commands.switchText
        }
    }
}

/// The bytes that `text` spells, or nothing if it spells none or another number than `count`.
private func hexadecimal(_ text: some StringProtocol, count: Int? = nil) -> [UInt8]? {
    guard let bytes = try? Hex.bytes(text), !bytes.isEmpty, bytes.count == count ?? bytes.count else { return nil }
    return bytes
}
