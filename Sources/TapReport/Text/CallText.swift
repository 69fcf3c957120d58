import TapField
import TapWire

/// What a host asked of its reader, and what it got, in words.
struct CallText {
    /// Most bytes of either that are shown.
    private static let maximumBytes = 40

    private let call: HostCall

    init(_ call: HostCall) {
        self.call = call
    }

    /// The command: `APDU FF A4 00 01 02 0F 09`.
    var command: String {
        let bytes = Self.hex(call.command)
        return switch call.layer {
        case .apdu: "APDU \(bytes)"
        case .control(let code) where ControlCode(code).isEscape: "escape \(bytes)"
        case .control(let code): "control \(ControlCode(code)) \(bytes)"
        case .pn532: "PN532 \(bytes)"
        }
    }

    /// What came of it: `6D00`, or data and a status word.
    var outcome: String {
        switch call.outcome {
        case .answer(let bytes): answer(bytes) + (call.isRefused ? "   refused" : "")
        case .unsupported: "the driver knows no such command"
        case .noCard: "no card"
        case .failed: "no answer from the reader"
        case .waiting: "no answer yet"
        }
    }

    private func answer(_ bytes: [UInt8]) -> String {
        guard call.layer != .pn532, let response = try? ResponseAPDU(parsing: bytes) else { return Self.hex(bytes) }
        return response.data.isEmpty ? "\(response.status)" : "\(Self.hex(response.data))   \(response.status)"
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let text = Hex.text(bytes.prefix(maximumBytes), separator: " ")
        return bytes.count > maximumBytes ? "\(text) … \(CountText.of(bytes.count, "byte"))" : text
    }
}
