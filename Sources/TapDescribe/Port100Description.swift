import TapWire

/// Descriptions of the traffic between a host and an NFC Port-100.
extension FrameDescription {
    /// Describes a packet, alone or in its frame.
    static func port100(_ bytes: [UInt8], packet: [UInt8], at start: Int) -> FrameDescription {
        var walk = FrameWalk(host: bytes)
        let isCommand = packet.first == Port100Packet.toChip
        let code = packet.count > 1 ? Port100Packet.Code(isCommand ? packet[1] : packet[1] &- 1) : nil
        let name = code.map { $0.name ?? "command \($0)" } ?? "packet"
        let data = Array(packet.dropFirst(2))
        let meaning = code.map { isCommand ? $0.meaning(of: data) : $0.meaning(ofAnswer: data) } ?? ""
        walk.append("preamble, start code, length", bitCount: start * 8)
        walk.append(
            "direction", bitCount: min(1, packet.count) * 8,
            meaning: isCommand ? "from the host to the chip" : "from the chip to the host")
        walk.append("code", bitCount: min(1, max(0, packet.count - 1)) * 8, meaning: name)
        walk.append("data", bitCount: data.count * 8, meaning: meaning)
        walk.append("checksum, postamble", bitCount: walk.bitsLeft)
        let title = "\(name) \(isCommand ? "command" : "answer") of a Port-100"
        return FrameDescription(title, nil, walk, line: meaning.isEmpty ? title : "\(title): \(meaning)")
    }
}

extension Port100Packet.Code {
    /// The name in open drivers.
    var name: String? {
        switch self {
        case .setRF: "InSetRF"
        case .setProtocol: "InSetProtocol"
        case .exchange: "InCommRF"
        case .switchRF: "SwitchRF"
        case .getFirmwareVersion: "GetFirmwareVersion"
        case .getDataVersion: "GetPDDataVersion"
        case .getCommandTypes: "GetCommandType"
        case .setCommandType: "SetCommandType"
        default: nil
        }
    }

    fileprivate func meaning(of data: [UInt8]) -> String {
        switch self {
        case .setRF:
            switch Port100Packet.technology(setting: data) {
            case .felica212?: "FeliCa at 212 kbit/s"
            case .felica424?: "FeliCa at 424 kbit/s"
            case .typeA106?: "type A at 106 kbit/s"
            case nil: "another technology"
            }
        case .exchange where data.count > 2: Self.line(of: Array(data.dropFirst(2)), isCommand: true)
        case .switchRF: data.first == 0 ? "off" : "on"
        default: ""
        }
    }

    fileprivate func meaning(ofAnswer data: [UInt8]) -> String {
        guard self == .exchange, data.count >= 4 else { return "" }
        switch Port100Packet.Status(rawValue: UInt32(data.span.littleEndian16(at: 0))) {
        case .success?: return data.count > 5 ? Self.line(of: Array(data.dropFirst(5)), isCommand: false) : ""
        case .timeout?: return "no answer in time"
        case .badCRC?: return "wrong CRC"
        case .badParity?: return "wrong parity"
        case nil: return "an error of the reader"
        }
    }

    /// Returns a frame of a card in one line: FeliCa begins with its length.
    private static func line(of frame: [UInt8], isCommand: Bool) -> String {
        guard Int(frame[0]) != frame.count else {
            return FrameGuess.all(for: RFFrame(.felica212, frame)).first?.description.line ?? ""
        }
        return isCommand
            ? FrameDescription(command: RFFrame(.typeA106, frame)).line : CountText.of(frame.count, "byte")
    }
}

extension FrameReading {
    /// Interprets bytes as a frame or a packet of a Port-100.
    static func port100(_ bytes: [UInt8]) -> FrameReading? {
        if case .packet(let packet)? = Port100Frame(bytes) {
            return FrameReading(
                .port100, bytes, "start code, length and checksum are right",
                .port100(bytes, packet: packet, at: bytes.count - 2 - packet.count), weight: Weight.rightCRC)
        }
        guard bytes.count >= 2 else { return nil }
        let isCommand = bytes[0] == Port100Packet.toChip
        guard isCommand || bytes[0] == Port100Packet.toHost,
            Port100Packet.Code(isCommand ? bytes[1] : bytes[1] &- 1).name != nil
        else { return nil }
        return FrameReading(
            .port100, bytes, isCommand: isCommand,
            "\(isCommand ? "D6 and a command" : "D7 and an answer") of the Port-100",
            .port100(bytes, packet: bytes, at: 0), weight: Weight.knownCommand)
    }
}
