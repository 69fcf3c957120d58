import TapWire

extension FeliCaProfile.StatusLocation: QuirkValue {}
extension FeliCaProfile.Reaction: QuirkValue {}
extension FeliCaProfile.ServiceListCheck: QuirkValue {}
extension FeliCaProfile.EncryptionListOrder: QuirkValue {}
extension FeliCaProfile.BlockInfoArea: QuirkValue {}
extension FeliCaProfile.OptionCommandModes: QuirkValue {}
extension FeliCaProfile.PollingRequestCodes: QuirkValue {}

extension StatusFlag2: QuirkValue {
    init?(quirkText: String) {
        guard let byte = hexadecimal(quirkText, count: 1)?[0] else { return nil }
        self.init(byte)
    }

    var quirkText: String { description }
}

extension FeliCaProfile.WarningFlag: QuirkValue {
    init?(quirkText: String) {
        guard let byte = hexadecimal(quirkText, count: 1)?[0] else { return nil }
        self.init(byte)
    }

    var quirkText: String { Hex.digits(rawValue, width: 2) }
}

extension FeliCaProfile.PerformanceBytes: QuirkValue {
    init?(quirkText: String) {
        guard let bytes = hexadecimal(quirkText, count: 2) else { return nil }
        self.init(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
    }

    var quirkText: String { Hex.digits(rawValue, width: 4) }
}

extension FeliCaCommandSet: QuirkValue {
    init?(quirkText: String) {
        var codes: [CommandCode] = []
        for word in quirkText.split(separator: " ") {
            guard let bytes = hexadecimal(word) else { return nil }
            let code = CommandCode(bytes[0], bytes.count == 2 ? bytes[1] : 0)
            guard bytes.count == code.byteCount else { return nil }
            codes.append(code)
        }
        self.init(codes)
    }

    var quirkText: String { codes.map(\.description).joined(separator: " ") }
}

extension FeliCaProfile.TrailingBytes: QuirkValue {
    init?(quirkText: String) {
        switch quirkText {
        case "ignore": self = .ignore
        case "silence": self = .silence
        default:
            guard let commands = FeliCaCommandSet(quirkText: quirkText) else { return nil }
            self = .silenceFor(commands)
        }
    }

    var quirkText: String {
        switch self {
        case .ignore: "ignore"
        case .silence: "silence"
        case .silenceFor(let commands): commands.quirkText
        }
    }
}

/// The bytes that `text` spells, or nothing if it spells none or another number than `count`.
private func hexadecimal(_ text: some StringProtocol, count: Int? = nil) -> [UInt8]? {
    guard let bytes = try? Hex.bytes(text), !bytes.isEmpty, bytes.count == count ?? bytes.count else { return nil }
    return bytes
}
