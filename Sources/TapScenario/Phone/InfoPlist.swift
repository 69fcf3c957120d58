import TapWire

/// What the Info.plist of an app declares about reading cards.
///
/// Source: Apple, Information Property List, NFCReaderUsageDescription and
/// com.apple.developer.nfc.readersession.felica.systemcodes.
struct InfoPlist {
    /// Most bytes that are read.
    static let maximumBytes = 1 << 18

    /// The FeliCa system codes in the order of the file; none where it declares none.
    let systemCodes: [SystemCode]
    /// What the app says it reads cards for; empty where it does not say it.
    let usage: String

    private static let systemCodesKey = "com.apple.developer.nfc.readersession.felica.systemcodes"
    private static let usageKey = "NFCReaderUsageDescription"

    init(reading bytes: [UInt8]) throws(InfoPlistProblem) {
        if bytes.starts(with: Array("bplist".utf8)) {
            throw InfoPlistProblem(
                "is a binary property list", hint: "write it as XML, as it lies in a project: `plutil -convert xml1`")
        }
        guard bytes.count <= Self.maximumBytes else {
            throw InfoPlistProblem("is too large", hint: "it has at most \(Self.maximumBytes) bytes")
        }
        guard let list = PropertyList(reading: String(decoding: bytes, as: UTF8.self)), case .map = list else {
            throw InfoPlistProblem("is no property list in XML", hint: "name the Info.plist of the app")
        }
        systemCodes = try Self.systemCodes(list[Self.systemCodesKey])
        switch list[Self.usageKey] {
        case .text(let text)?: usage = text
        case nil: usage = ""
        default: throw InfoPlistProblem("has no text under \(Self.usageKey)", hint: "make it a string")
        }
    }

    private static func systemCodes(_ value: PropertyList?) throws(InfoPlistProblem) -> [SystemCode] {
        guard let value else { return [] }
        guard case .list(let items) = value, items.count <= PhoneLanguage.maximumSystemCodes else {
            throw InfoPlistProblem(
                "has no list of system codes under \(systemCodesKey)",
                hint: "make it an array of at most \(PhoneLanguage.maximumSystemCodes) strings")
        }
        var codes: [SystemCode] = []
        for item in items {
            guard case .text(let text) = item, let code = SystemCode(digits: text) else {
                let name = if case .text(let text) = item { "`\(text)`" } else { "what is no string" }
                throw InfoPlistProblem(
                    "declares \(name) as a system code", hint: "a system code is four hexadecimal digits, such as 0003")
            }
            codes.append(code)
        }
        return codes
    }
}

/// Why a file is no Info.plist that can be used.
struct InfoPlistProblem: Error, Hashable {
    /// What is wrong; goes on after the path.
    let message: String
    let hint: String

    init(_ message: String, hint: String) {
        self.message = message
        self.hint = hint
    }
}
