import TapField
import TapWire

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Exchanges lines of text with the cards of a field: a frame or an event in, one line out.
///
/// FeliCa frames are LEN ‖ payload, type A frames have no CRC; with `hasCRC` both carry it in both directions.
/// Lines that begin with `@` are events: `@select` looks for a card and selects it, `@off` and `@on` switch the field,
/// `@cycle` switches it off and on. Silence and the answer to switching the field are `-`. Any other line is answered with
/// `?`, since the client counts lines.
public struct LineExchange: Sendable {
    /// Longest line, in bytes: above the longest frame, with blanks between all of its digits.
    public static let maximumLineLength = 1 << 14

    /// Why a line is not understood.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong and what to write, a half sentence.
        public let description: String
    }

    public private(set) var world: World
    private let technology: Technology
    private let hasCRC: Bool
    /// Memory for the bytes of a frame, reused from line to line.
    private var spareBytes: [UInt8] = []

    /// - Parameters:
    ///   - technology: How frames are sent.
    ///   - hasCRC: Whether frames carry their CRC, in both directions.
    public init(_ world: World, technology: Technology, hasCRC: Bool = false) {
        self.world = world
        self.technology = technology
        self.hasCRC = hasCRC
    }

    /// Appends the answer to a line, with a line feed; blank lines and comments, which begin with `#`, have none.
    ///
    /// - Returns: Why the line is not understood and was answered with `?`; `nil` if it was.
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
        default: throw Problem(description: "there is no event `\(name)`; there are @select, @cycle, @off, @on")
        }
        output.append(Self.silence)
    }

    private static let silence = UInt8(ascii: "-")

    /// Selects a card and answers with the last frame of the selection.
    private mutating func select(_ output: inout [UInt8]) {
        if technology.isFeliCa {
            return send(AirFrame(technology, Polling.Request(systemCode: .any).bytes), &output)
        }
        guard let tag = world.selectTypeA(.wupa, waiting: nil) else { return output.append(Self.silence) }
        let select = Select.Request(.first, CascadePart(data: 0))
        write(AirFrame(.typeA106, tag.sak.bytes), answering: AirFrame(.typeA106, select.bytes), &output)
    }

    @inline(__always)
    private mutating func send(_ frame: AirFrame, _ output: inout [UInt8]) {
        if let answer = world.exchangeWithOneCard(frame, waiting: nil) {
            write(answer, answering: frame, &output)
        } else {
            output.append(Self.silence)
        }
    }

    private func frame(_ bytes: [UInt8], _ bitCount: Int) -> AirFrame {
        guard hasCRC else { return AirFrame(technology, bytes, bitCount: bitCount) }
        guard technology.isFeliCa else { return TypeAFraming.command(onAir: bytes, bitCount: bitCount) }
        let (packet, integrity) = CRC16FeliCa.checking(bytes)
        return AirFrame(technology, packet, integrity: integrity)
    }

    private func write(_ answer: AirFrame, answering command: AirFrame, _ output: inout [UInt8]) {
        guard hasCRC else { return FrameText.append(answer.bytes, bitCount: answer.bitCount, to: &output) }
        let bytes =
            technology.isFeliCa
            ? CRC16FeliCa.appending(to: answer.bytes) : TypeAFraming.onAir(answer: answer, to: command)
        let bitCount = answer.bitCount % 8 == 0 ? bytes.count * 8 : answer.bitCount
        FrameText.append(bytes, bitCount: bitCount, to: &output)
    }
}

/// Splits a stream into lines, each as soon as it is complete.
public struct LineBuffer: Sendable {
    public enum Line: Hashable, Sendable {
        /// The bytes of a line without its end.
        case whole(ArraySlice<UInt8>)
        /// A line longer than the maximum; it was dropped.
        case tooLong

        /// The line as text, with U+FFFD for invalid UTF-8; `nil` for a line that is too long.
        public var text: String? {
            guard case .whole(let bytes) = self else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private let maximumLength: Int
    /// The beginning of an unfinished line.
    private var beginning: [UInt8] = []
    /// Whether the line that has begun is longer than the maximum.
    private(set) var isTooLong = false
    /// The bytes of the stream not yet taken as lines.
    private var pending: ArraySlice<UInt8> = []
    /// Where in `pending` the next line begins.
    private var position = 0

    /// - Parameter maximumLength: Longest line, in bytes; a longer one is dropped as it arrives.
    public init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Whether a line has begun and not ended.
    public var isInsideLine: Bool { !beginning.isEmpty || isTooLong }

    /// Adds bytes of the stream.
    public mutating func append(_ bytes: ArraySlice<UInt8>) {
        pending = position == pending.endIndex ? bytes : pending[position...] + bytes
        position = pending.startIndex
    }

    /// The next whole line, not copied if it arrived in one piece; `nil` until more bytes arrive.
    public mutating func next() -> Line? {
        guard position < pending.endIndex else {
            // Even an empty slice would keep the caller's memory alive.
            pending = []
            position = pending.endIndex
            return nil
        }
        guard let end = endOfLine() else {
            keep(pending[position...])
            position = pending.endIndex
            return next()
        }
        let piece = pending[position..<end]
        position = end + 1
        guard isInsideLine else { return line(of: piece) }
        keep(piece)
        return rest()
    }

    /// Where the next line ends; `memchr` looks at many bytes at once.
    @inline(__always)
    private func endOfLine() -> Int? {
        let offset = position - pending.startIndex
        let length = unsafe pending.withUnsafeBytes { bytes -> Int? in
            guard let start = unsafe bytes.baseAddress.map({ unsafe $0 + offset }),
                let end = unsafe memchr(start, Int32(UInt8(ascii: "\n")), bytes.count - offset)
            else { return nil }
            return unsafe UnsafeRawPointer(end) - start
        }
        return length.map { position + $0 }
    }

    /// The unfinished last line, at the end of the stream.
    public mutating func rest() -> Line? {
        guard isInsideLine else { return nil }
        defer {
            beginning = []
            isTooLong = false
        }
        return isTooLong ? .tooLong : line(of: beginning[...])
    }

    private mutating func keep(_ piece: ArraySlice<UInt8>) {
        isTooLong = isTooLong || beginning.count + piece.count > maximumLength
        if isTooLong { beginning = [] } else { beginning += piece }
    }

    @inline(__always)
    private func line(of bytes: consuming ArraySlice<UInt8>) -> Line {
        guard bytes.count <= maximumLength else { return .tooLong }
        return .whole(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
    }
}
