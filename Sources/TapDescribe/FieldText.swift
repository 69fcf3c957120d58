import TapWire

// The meaning of a field's bytes, by the field's role.

extension FrameField {
    /// Returns the meaning of the bytes; empty if there is nothing to say.
    func meaning(of bytes: [UInt8]) -> String {
        let number = value(of: bytes)
        return switch role {
        case .plain, .shown, .named, .data, .containerIDm, .signature: ""
        case .encrypted: "encrypted"
        case .text: printable(bytes)
        case .reserved: number == 0 ? "zero, as required" : "must be zero"
        case .number, .counter: "\(number)"
        case .idm, .foundIDm: IDm(number).meaning
        case .pmm: PMm(number).meaning
        case .systemCode: SystemCode(UInt16(number)).meaning
        case .polledSystem:
            UInt16(number) == SystemCode.any.rawValue ? "any system" : SystemCode(UInt16(number)).meaning
        case .requestCode: requestCodeText(UInt8(number))
        case .timeSlot: CountText.of(Int(number) + 1, "slot")
        case .requestData:
            "the system code \(SystemCode(UInt16(number))), or communication performance \(performance(number))"
        case .node, .service: NodeCode(UInt16(number)).meaning
        case .areaEnd: "the last code of the area"
        case .searchedNode:
            number == 0xFFFF ? "the index is beyond the last node" : NodeCode(UInt16(number)).meaning
        case .keyVersion: isAbsent(number) ? "no such node or key" : "version \(number)"
        case .mode: "Mode\(number)"
        case .continueFlag: number == 0 ? "the last packet" : "more packets follow"
        case .encryptionType: number == UInt64(SetParameter.EncryptionType.srm1) ? "SRM1" : "SRM2"
        case .packetType: number == UInt64(SetParameter.PacketType.twoByteNodes) ? "2-byte nodes" : "4-byte nodes"
        case .propertyType: propertyText(UInt8(number))
        case .encryptionIdentifier: encryptionText(UInt8(number))
        case .version:
            number == 0 ? "none" : "version \(RequestSpecificationVersion.Version(UInt16(number)))"
        case .purseLimits: purseLimits(bytes)
        case .macCommunication: number == 0 ? "not used" : "used"
        case .page: "page \(Hex.digits(UInt8(number), width: 2))"
        case .counterAddress: number == UInt64(ReadCounter.nfcCounter) ? "NFC counter" : "no counter"
        case .password: "the password"
        case .pack: "password acknowledge"
        case .signatureAddress: number == 0 ? "the only one" : "not defined"
        case .header: "fixed"
        case .vendor: number == 0x04 ? "NXP" : "another maker"
        case .productType: number == 0x04 ? "NTAG" : "another product"
        case .productSubtype:
            number == 0x01 ? "17 pF" : number == 0x02 ? "50 pF" : number == 0x04 ? "F type" : "not defined"
        case .storageSize: storageText(UInt8(number))
        case .protocol: number == 0x03 ? "ISO/IEC 14443-3" : "another protocol"
        }
    }

    /// Returns the field's part of the frame's one-line summary; empty for none.
    func words(for bytes: [UInt8]) -> String {
        let number = value(of: bytes)
        return switch role {
        case .shown: Hex.text(bytes)
        case .named: "\(name) \(Hex.text(bytes))"
        case .data: CountText.of(bytes.count, "byte")
        case .text: printable(bytes)
        case .number(let words): words.text(number)
        case .foundIDm: "IDm \(fours(bytes))  "
        case .containerIDm: "container \(fours(bytes))"
        case .pmm: PMm(number).words
        case .systemCode, .polledSystem: SystemCode(UInt16(number)).description
        case .requestCode: number == 0 ? "" : "asking for \(requestCodeText(UInt8(number)))"
        case .timeSlot: number == 0 ? "" : "in \(number + 1) slots"
        case .requestData: "  data \(Hex.digits(number, width: 4))"
        case .node: NodeCode(UInt16(number)).description
        case .areaEnd: "to \(NodeCode(UInt16(number)))"
        case .searchedNode: number == 0xFFFF ? "no more" : NodeCode(UInt16(number)).description
        case .keyVersion: isAbsent(number) ? "absent" : Hex.digits(number, width: 4)
        case .mode: "Mode\(number)"
        case .propertyType:
            number == 0 ? "purse limits of" : number == 1 ? "MAC communication of" : "type \(number) of"
        case .encryptionIdentifier: "keys \(Hex.digits(number, width: 2)):"
        case .version: number == 0 ? "-" : "\(RequestSpecificationVersion.Version(UInt16(number)))"
        case .page(let words): "\(words) \(Hex.digits(number, width: 2))"
        case .counter: "counter \(number)"
        case .pack: "PACK \(Hex.text(bytes))"
        case .signature: "signature"
        case .plain, .encrypted, .reserved, .idm, .service, .continueFlag, .encryptionType, .packetType, .purseLimits,
            .macCommunication, .counterAddress, .password, .signatureAddress, .header, .vendor, .productType,
            .productSubtype, .storageSize, .protocol:
            ""
        }
    }

    /// Returns the first eight bytes as a number.
    private func value(of bytes: [UInt8]) -> UInt64 {
        let first = bytes.prefix(8)
        return form == .littleEndian ? UInt64(octets: first.reversed()) : UInt64(octets: first)
    }
}

extension FrameField.NumberForm {
    fileprivate func text(_ number: UInt64) -> String {
        switch self {
        case .none: ""
        case .plain: "\(number)"
        case .after(let words): "\(words) \(number)"
        case .counting(let one, let many, let mark): CountText.of(Int(number), one, many) + mark
        }
    }
}

private func printable(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
}

/// Returns digits in groups of four.
private func fours(_ bytes: [UInt8]) -> String {
    stride(from: 0, to: bytes.count, by: 2).map { Hex.text(bytes[$0..<min($0 + 2, bytes.count)]) }
        .joined(separator: " ")
}

private func isAbsent(_ keyVersion: UInt64) -> Bool { keyVersion == UInt64(RequestService.absent) }

private func requestCodeText(_ code: UInt8) -> String {
    switch Polling.RequestCode(code) {
    case .none: "nothing more"
    case .systemCode: "the system code"
    case .communicationPerformance: "the communication performance"
    default: "request code \(Hex.digits(code, width: 2)), reserved"
    }
}

private func performance(_ bits: UInt64) -> String {
    let names = [(0, "212 kbit/s"), (1, "424 kbit/s"), (7, "automatic rate")]
    let found = names.filter { bits >> $0.0 & 1 == 1 }.map(\.1)
    return found.isEmpty ? Hex.digits(bits, width: 4) : found.joined(separator: ", ")
}

private func propertyText(_ type: UInt8) -> String {
    switch GetNodeProperty.PropertyType(type) {
    case .purseLimits: "limits of a purse"
    case .macCommunication: "MAC communication"
    default: "no known property"
    }
}

private func encryptionText(_ identifier: UInt8) -> String {
    switch RequestServiceV2.EncryptionIdentifier(identifier) {
    case .des56: "DES with 56 bits"
    case .des112: "DES with 112 bits"
    case .aesAndDES56: "AES, and DES with 56 bits"
    case .aesAndDES112: "AES, and DES with 112 bits"
    case .aes128: "AES with 128 bits"
    default: "no known identifier"
    }
}

private func purseLimits(_ bytes: [UInt8]) -> String {
    guard bytes.count == PurseLimits.byteCount else { return "" }
    let slice = bytes[...]
    let limits = PurseLimits(slice.span, at: 0)
    return limits.isEnabled
        ? "\(limits.lower) to \(limits.upper), generation \(limits.generation)" : "no limits"
}

private func storageText(_ byte: UInt8) -> String {
    guard let range = GetVersion.Response(UInt64(byte) << 8).storageBytes else { return "more than 4 GiB" }
    return range.count == 1 ? "\(range.lowerBound) bytes" : "\(range.lowerBound) to \(range.upperBound) bytes"
}

extension IDm {
    fileprivate var meaning: String {
        let kind =
            switch rawValue >> 48 {
            case 0x01FE: ", NFC-DEP target"
            case 0x02FE: ", host card emulation"
            case 0x03FE: ", FeliCa Plug or Link"
            // Source: pull request 3317 of Proxmark3.
            case 0x05FE: ", chosen at random by a phone that is not set up"
            default: ""
            }
        return "system \(systemNumber) of the card\(kind)"
    }
}

extension PMm {
    fileprivate var meaning: String {
        "ROM type \(Hex.digits(romType, width: 2)), IC type \(Hex.digits(icType, width: 2)), "
            + "then maximum response times"
    }

    fileprivate var words: String {
        "PMm \(Hex.text([romType, icType]))…   IC \(Hex.digits(icType, width: 2))"
    }
}

extension NodeCode {
    /// The code with the meaning of its attribute, and the contents of a known service.
    var meaning: String {
        let known = ApplicationService.known(self).map { ", \($0.application): \($0.service.title)" } ?? ""
        return "\(self), \(self == .system ? "the system" : attribute.text)\(known)"
    }
}

extension SystemCode {
    var meaning: String { entry.map { "\(self), \($0.name)" } ?? description }
}

extension NodeAttribute {
    /// The kind of node, in words.
    package var text: String {
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
