import FuzzSupport
import TapField

@testable import TapTransports
@testable import TapReaders
@testable import TapWire

/// A reader whose host communicates with it over a byte stream.
struct StreamSession<Reader: StreamReader & SpokenTo>: TransportSession {
    private var reader: Reader
    private var world: World

    init(_ reader: Reader, _ world: World) {
        (self.reader, self.world) = (reader, world)
    }

    static func message(_ choices: inout Choices) -> [UInt8] { Reader.message(&choices) }

    mutating func receive(_ bytes: ArraySlice<UInt8>, into sent: inout [UInt8]) -> Bool {
        reader.receive(bytes)
        while let action = reader.next() {
            switch action {
            case .send(let bytes): sent += bytes
            case .work: reader.work(in: &world)
            // The time passes at once, and no card arrives.
            case .wait(let limit): if limit != nil { reader.giveUp() }
            case .hangUp: return false
            }
        }
        return true
    }
}

/// A reader with its own kind of messages.
protocol SpokenTo {
    static func message(_ choices: inout Choices) -> [UInt8]
}

extension WiredPN532: SpokenTo {
    static func message(_ choices: inout Choices) -> [UInt8] { PN532Frame.information(packet(&choices)).bytes }

    /// Returns a packet to the chip.
    static func packet(_ choices: inout Choices) -> [UInt8] {
        let codes: [PN532Code] = [
            .inListPassiveTarget, .inDataExchange, .inCommunicateThru, .inAutoPoll, .inRelease, .inDeselect, .inSelect,
            .rfConfiguration, .readRegister, .writeRegister, .getFirmwareVersion, .getGeneralStatus, .diagnose,
            .setParameters, .samConfiguration, .powerDown, .resetMode, .rfRegulationTest, .inPSL, .inATR,
            .inJumpForDEP, .tgInitAsTarget, .communicateThruEx, .readGPIO, .writeGPIO, .setSerialBaudRate,
        ]
        let code = choices.pick(codes)
        let data: [UInt8] =
            switch (code, choices.number(below: 4)) {
            case (.inListPassiveTarget, 0): [1, 0]
            case (.inListPassiveTarget, 1): [2, 1, 0x00, 0xFF, 0xFF, 0x01, 0x03]
            case (.inDataExchange, 0...2): [1] + choices.cardFrame()
            case (.inCommunicateThru, 0...2): choices.cardFrame()
            default: choices.counted(below: 24)
            }
        return [PN532Packet.toChip, code.rawValue] + data
    }
}

extension Proxmark3: SpokenTo {
    static func message(_ choices: inout Choices) -> [UInt8] {
        let codes: [Proxmark3Command.Code] = [
            .felica, .typeA, .readPage, .readPages, .writePage, .downloadBuffer, .ping, .version, .capabilities,
            .dropField, .status, .breakLoop,
        ]
        let code = choices.pick(codes)
        let isNG = choices.byte() < 0x80
        var arguments: [UInt8] = []
        for _ in 0..<(isNG ? 0 : 3) { arguments += [choices.byte(), choices.byte(), 0, 0, 0, 0, 0, 0] }
        let data = choices.oneIn(4) ? choices.counted(below: 64) : choices.cardFrame()
        return Proxmark3Command(code, isNG: isNG, arguments + data).frame
    }
}

extension FelicaRemote: SpokenTo {
    static func message(_ choices: inout Choices) -> [UInt8] {
        let bitrate = choices.pick(["212F", "424F", "212F/424F", "106A"])
        let text =
            if choices.oneIn(3) {
                #"{"type":"detect_type_f","bitrate":"\#(bitrate)","system_code":\#(choices.pick([0xFFFF, 3])),"#
                    + #""request_code":\#(choices.byte() % 4),"time_slots":\#(choices.byte() % 16)}"#
            } else {
                #"{"type":"transceive","bitrate":"\#(bitrate)","data":"\#(Hex.text(choices.cardFrame()))","#
                    + #""timeout_ms":\#(choices.pick(["null", "0", "5", "100", "65535"]))}"#
            }
        return Array(text.utf8) + [0x0A]
    }
}
