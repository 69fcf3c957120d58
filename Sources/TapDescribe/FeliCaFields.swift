import TapWire

// The fields FeliCa packets are made of.

extension FieldKind {
    /// The name of a service code in a list that block list elements refer to.
    static let serviceCodeName = "service code"

    static let idm = FieldKind("IDm", 8, meaning: { idmMeaning($0) })
    static let pmm = FieldKind("PMm", 8, meaning: { pmmMeaning($0) }, words: { pmmWords($0) })
    /// The IDm of an answer to Polling, which the one line shows.
    static let foundIDm = FieldKind("IDm", 8, meaning: { idmMeaning($0) }, words: { "IDm \(fours($0))  " })
    static let containerIDm = FieldKind("container IDm", 8, words: { "container \(fours($0))" })

    static let systemCode = FieldKind.big(
        "system code", meaning: { SystemCode($0).meaning }, words: { SystemCode($0).description })
    static let polledSystem = FieldKind.big(
        "system code",
        meaning: { $0 == SystemCode.any.rawValue ? "any system" : SystemCode($0).meaning },
        words: { SystemCode($0).description })
    static let requestCode = FieldKind.byte(
        "request code", meaning: { requestCodeText($0) }, words: { $0 == 0 ? "" : "asking for \(requestCodeText($0))" })
    static let timeSlot = FieldKind.byte(
        "time slot", meaning: { $0 == 0 ? "1 slot" : "\(Int($0) + 1) slots" },
        words: { $0 == 0 ? "" : "in \(Int($0) + 1) slots" })
    static let requestData = FieldKind.big(
        "request data",
        meaning: { "the system code \(SystemCode($0)), or communication performance \(performance($0))" },
        words: { "  data \(Hex.digits($0, width: 4))" })

    /// A service of a Read or Write, which the one line names with its blocks.
    static let service = FieldKind.little(serviceCodeName, meaning: { NodeCode($0).meaning })
    static let node = FieldKind.little(
        "node code", meaning: { NodeCode($0).meaning }, words: { NodeCode($0).description })
    static let area = FieldKind.little(
        "area code", meaning: { NodeCode($0).meaning }, words: { NodeCode($0).description })
    static let endService = FieldKind.little(
        "end service code", meaning: { _ in "the last code of the area" }, words: { "to \(NodeCode($0))" })
    static let listedService = FieldKind.little(
        "service code", meaning: { NodeCode($0).meaning }, words: { NodeCode($0).description })
    static let searchedNode = FieldKind.little(
        "area or service code", meaning: { $0 == 0xFFFF ? "the index is beyond the last node" : NodeCode($0).meaning },
        words: { $0 == 0xFFFF ? "no more" : NodeCode($0).description })

    static let keyVersion = FieldKind.little(
        "key version", meaning: { $0 == RequestService.absent ? "no such node or key" : "version \($0)" },
        words: { $0 == RequestService.absent ? "absent" : Hex.digits($0, width: 4) })
    static let mode = FieldKind.byte("mode", meaning: { "Mode\($0)" }, words: { "Mode\($0)" })

    /// A count that the one line leaves out, for it shows what is counted.
    static func count(_ things: String) -> FieldKind { .byte("number of \(things)", meaning: { "\($0)" }) }

    /// A count that the one line shows, with `mark` between it and what is counted.
    static func countOf(_ one: String, _ many: String, mark: String = "") -> FieldKind {
        .byte("number of \(many)", meaning: { "\($0)" }, words: { CountText.of($0, one, many) + mark })
    }

    /// A number of two bytes that the one line shows.
    static func number(_ name: String, _ words: String = "") -> FieldKind {
        .little(name, words: { words.isEmpty ? "\($0)" : "\(words) \($0)" })
    }

    /// All bytes that are left.
    static func rest(_ name: String, _ meaning: String = "") -> FieldKind {
        FieldKind(
            name, nil, meaning: { _ in meaning },
            words: { CountText.of($0.count, "byte") })
    }

    /// Bytes that only a key can tell.
    static func cipher(_ name: String, _ count: Int?) -> FieldKind {
        FieldKind(name, count, meaning: { _ in "encrypted" })
    }
}

/// Digits in groups of four.
private func fours(_ bytes: [UInt8]) -> String {
    stride(from: 0, to: bytes.count, by: 2).map { Hex.text(bytes[$0..<min($0 + 2, bytes.count)]) }
        .joined(separator: " ")
}

private func idmMeaning(_ bytes: [UInt8]) -> String {
    let idm = IDm(UInt64(octets: bytes.prefix(8)))
    let kind =
        switch idm.rawValue >> 48 {
        case 0x01FE: ", NFC-DEP target"
        case 0x02FE: ", host card emulation"
        case 0x03FE: ", FeliCa Plug or Link"
        default: ""
        }
    return "system \(idm.systemNumber) of the card\(kind)"
}

private func pmmMeaning(_ bytes: [UInt8]) -> String {
    let pmm = PMm(UInt64(octets: bytes.prefix(8)))
    return "ROM type \(Hex.digits(pmm.romType, width: 2)), IC type \(Hex.digits(pmm.icType, width: 2)), "
        + "then maximum response times"
}

private func pmmWords(_ bytes: [UInt8]) -> String {
    let pmm = PMm(UInt64(octets: bytes.prefix(8)))
    return "PMm \(Hex.text(bytes.prefix(2)))…   IC \(Hex.digits(pmm.icType, width: 2))"
}

private func requestCodeText(_ code: UInt8) -> String {
    switch Polling.RequestCode(code) {
    case .none: "nothing more"
    case .systemCode: "the system code"
    case .communicationPerformance: "the communication performance"
    default: "request code \(Hex.digits(code, width: 2)), reserved"
    }
}

private func performance(_ bits: UInt16) -> String {
    let names = [(0, "212 kbit/s"), (1, "424 kbit/s"), (7, "automatic rate")]
    let found = names.filter { bits >> $0.0 & 1 == 1 }.map(\.1)
    return found.isEmpty ? Hex.digits(bits, width: 4) : found.joined(separator: ", ")
}

extension NodeCode {
    /// The code with what its attribute says, and what a known service holds.
    var meaning: String {
        let known = ApplicationService.known(self).map { ", \($0.application): \($0.service.title)" } ?? ""
        return "\(self), \(self == .system ? "the system" : attribute.text)\(known)"
    }
}

extension SystemCode {
    /// The code with whose it is.
    var meaning: String { entry.map { "\(self), \($0.name)" } ?? description }
}

extension NodeAttribute {
    /// What kind of node it is, in words.
    var text: String {
        let pin = rawValue & 0x20 == 0 ? "" : ", PIN needed"
        switch kind {
        case .area: return (rawValue & 1 == 0 ? "area" : "area without sub-areas") + pin
        case .undefined: return "undefined attribute \(self)"
        case .random: return "random service, \(accessText)\(pin)"
        case .cyclic: return "cyclic service, \(accessText)\(pin)"
        case .purse: return "purse service, \(accessText)\(pin)"
        }
    }

    private var accessText: String {
        let what =
            switch access {
            case .readWrite: kind == .purse ? "direct access" : "read and write"
            case .cashbackDecrement: "cashback and decrement"
            case .decrement: "decrement"
            case .readOnly: "read only"
            }
        return "\(what) \(isAuthenticationFree || rawValue & 0x01 == 1 ? "without" : "with") key"
    }
}
