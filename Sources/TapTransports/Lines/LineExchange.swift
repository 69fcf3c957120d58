import TapSystem
import TapField
import TapWire

/// Exchanges lines of text with the cards of a field: each line contains a frame or an event and gets one line back.
///
/// FeliCa frames are LEN ‖ payload and type A frames have no CRC; with `hasCRC` both carry it in both directions.
/// Lines that begin with `@` are events: `@select` looks for a card and selects it, `@off` and `@on` switch the field, `@cycle`
/// switches it off and on. Silence and the answer to switching the field are `-`. Any other line gets `?`, since the client
/// counts lines.
public struct LineExchange: Sendable {
    /// The maximum length of a line in bytes: more than the longest frame with blanks between all digits.
    public static let maximumLineLength = 1 << 14

    /// The reason why a line is invalid.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The error and the fix, as a phrase without a full stop.
        public let description: String
    }

    public private(set) var world: World
    private let technology: Technology
    private let hasCRC: Bool
    /// A buffer for the bytes of a frame, reused for each line.
    private var spareBytes: [UInt8] = []

    /// - Parameters:
    ///   - technology: The technology of the frames.
    ///   - hasCRC: A Boolean value that indicates whether frames carry their CRC, in both directions.
    public init(_ world: World, technology: Technology, hasCRC: Bool = false) {
        self.world = world
        self.technology = technology
        self.hasCRC = hasCRC
    }

    /// Appends the answer to a line, with a line feed; blank lines and comments, which begin with `#`, get no answer.
    ///
    /// - Returns: The reason why the line is invalid and was answered with `?`; `nil` if it is valid.
    public mutating func answer(_ line: consuming LineBuffer.Line, into output: inout [UInt8]) -> Problem? {
        do throws(Problem) {
            guard case .whole(let text) = line else {
                throw Problem(description: "a line has at most \(Self.maximumLineLength) bytes")
            }
            guard let first = text.first(where: { !Hex.isBlank($0) }), first != UInt8(ascii: "#") else { return nil }
            if first == UInt8(ascii: "@") {
                try answerEvent(String(decoding: text, as: UTF8.self), &output)
            } else {
                try answerFrame(text, &output)
            }
        } catch {
            output += "?\n".utf8
            return error
        }
        output.append(UInt8(ascii: "\n"))
        return nil
    }

    @inline(__always)
    private mutating func answerFrame(_ text: ArraySlice<UInt8>, _ output: inout [UInt8]) throws(Problem) {
        let bitCount: Int
        do {
            bitCount = try FrameText.parse(text, into: &spareBytes)
        } catch {
            throw Problem(description: error.description)
        }
        send(frame(spareBytes, bitCount), &output)
    }

    private mutating func answerEvent(_ text: String, _ output: inout [UInt8]) throws(Problem) {
        let name = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
        switch name {
        case "@select": return select(&output)
        case "@off": world.switchField(on: false)
        case "@on": world.switchField(on: true)
        case "@cycle":
            world.switchField(on: false)
            world.switchField(on: true)
        default: throw Problem(description: "unknown event `\(name)`; use @select, @cycle, @off or @on")
        }
        output.append(Self.silence)
    }

    private static let silence = UInt8(ascii: "-")

    /// Selects a card and answers with the last frame of the selection.
    private mutating func select(_ output: inout [UInt8]) {
        if technology.isFeliCa {
            return send(RFFrame(technology, Polling.Request(systemCode: .any).bytes), &output)
        }
        guard let tag = world.selectTypeA(.wupa, waiting: nil) else { return output.append(Self.silence) }
        let select = Select.Request(.first, CascadePart(data: 0))
        write(RFFrame(.typeA106, tag.sak.bytes), answering: RFFrame(.typeA106, select.bytes), &output)
    }

    @inline(__always)
    private mutating func send(_ frame: RFFrame, _ output: inout [UInt8]) {
        if let answer = world.exchangeWithOneCard(frame, waiting: nil) {
            write(answer, answering: frame, &output)
        } else {
            output.append(Self.silence)
        }
    }

    private func frame(_ bytes: [UInt8], _ bitCount: Int) -> RFFrame {
        guard hasCRC else { return RFFrame(technology, bytes, bitCount: bitCount) }
        guard technology.isFeliCa else { return TypeAFraming.command(rfBytes: bytes, bitCount: bitCount) }
        let (packet, integrity) = CRC16FeliCa.checking(bytes)
        return RFFrame(technology, packet, integrity: integrity)
    }

    private func write(_ answer: RFFrame, answering command: RFFrame, _ output: inout [UInt8]) {
        guard hasCRC else { return FrameText.append(answer.bytes, bitCount: answer.bitCount, to: &output) }
        let bytes =
            technology.isFeliCa
            ? CRC16FeliCa.appending(to: answer.bytes) : TypeAFraming.rfBytes(answer: answer, to: command)
        let bitCount = answer.bitCount % 8 == 0 ? bytes.count * 8 : answer.bitCount
        FrameText.append(bytes, bitCount: bitCount, to: &output)
    }
}
