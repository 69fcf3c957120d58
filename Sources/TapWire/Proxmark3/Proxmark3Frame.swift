/// The frames between a Proxmark3 client and the device, on a connection without CRC.
///
/// ```
/// command    50 4D 33 61 | length (15 bits) and NG (2, LE) | code (2, LE) | data | 61 33
/// response   50 4D 33 62 | length (15 bits) and NG (2, LE) | status | reason | code (2, LE) | data | 62 33
/// old        code (8, LE) | three arguments (8 each, LE) | data (512)
/// ```
/// Without NG, the data of commands and responses is three arguments and a payload ("MIX"). The old form has no length;
/// downloads use it. Source: Proxmark3, `include/pm3_cmd.h` of 2026-08, and observed traffic.
package enum Proxmark3Frame {
    package static let maximumData = 512
    /// The length of the three MIX arguments in bytes.
    package static let argumentsLength = 24
    static let headerLength = 8
    static let trailerLength = 2
    static let commandStart: [UInt8] = [0x50, 0x4D, 0x33, 0x61]
    static let commandEnd: [UInt8] = [0x61, 0x33]
    static let responseStart: [UInt8] = [0x50, 0x4D, 0x33, 0x62]
    static let responseEnd: [UInt8] = [0x62, 0x33]
    static let isNG: UInt16 = 0x8000
}

/// A command from a client to a Proxmark3.
package struct Proxmark3Command: Hashable, Sendable {
    package struct Code: OpenCode, CustomStringConvertible {
        package let rawValue: UInt16
        package init(_ rawValue: UInt16) { self.rawValue = rawValue }

        package static let acknowledgement = Code(0x00FF)
        package static let version = Code(0x0107)
        package static let status = Code(0x0108)
        package static let ping = Code(0x0109)
        package static let capabilities = Code(0x0112)
        /// The client quits; not answered.
        package static let quitSession = Code(0x0113)
        package static let setDebugMode = Code(0x0114)
        package static let standalone = Code(0x0115)
        package static let breakLoop = Code(0x0118)
        package static let setFieldTimeout = Code(0x011A)
        package static let downloadBuffer = Code(0x0207)
        package static let downloadedBuffer = Code(0x0208)
        package static let typeA = Code(0x0385)
        package static let felica = Code(0x03A2)
        package static let setTypeAConfig = Code(0x03B2)
        package static let dropField = Code(0x0430)
        package static let readPage = Code(0x0720)
        package static let readPages = Code(0x0721)
        package static let writePage = Code(0x0722)
    }

    package let code: Code
    package let isNG: Bool
    package let data: [UInt8]

    package init(_ code: Code, isNG: Bool = true, _ data: [UInt8] = []) {
        (self.code, self.isNG, self.data) = (code, isNG, data)
    }

    /// The arguments and payload of a MIX command; `nil` for other commands.
    package var mix: (arguments: [UInt64], payload: [UInt8])? {
        guard !isNG, data.count >= Proxmark3Frame.argumentsLength else { return nil }
        let arguments = (0..<3).map { UInt64(octets: data[8 * $0..<8 * $0 + 8].reversed()) }
        return (arguments, Array(data[Proxmark3Frame.argumentsLength...]))
    }

    /// The code, low byte first, and the data.
    package var bytes: [UInt8] { code.rawValue.littleEndianBytes + data }

    /// The whole frame.
    package var frame: [UInt8] {
        let length = UInt16(data.count) | (isNG ? Proxmark3Frame.isNG : 0)
        return Proxmark3Frame.commandStart + length.littleEndianBytes + bytes + Proxmark3Frame.commandEnd
    }
}

/// Extracts commands from the bytes of a client, however they are split.
package struct Proxmark3CommandReader: Sendable {
    /// The bytes are not a frame, so the start of the next frame is unknown.
    package struct Lost: Error, Hashable, Sendable {}

    private var input: [UInt8] = []

    package init() {}

    package mutating func append(_ bytes: ArraySlice<UInt8>) { input += bytes }

    /// The next command, or `nil` if more bytes are needed.
    package mutating func next() throws(Lost) -> Proxmark3Command? {
        let start = Proxmark3Frame.commandStart
        guard input.prefix(start.count).elementsEqual(start.prefix(input.count)) else { throw Lost() }
        guard input.count >= Proxmark3Frame.headerLength else { return nil }
        let field = input.span.littleEndian16(at: start.count)
        let count = Int(field & ~Proxmark3Frame.isNG)
        guard count <= Proxmark3Frame.maximumData else { throw Lost() }
        let end = Proxmark3Frame.headerLength + count
        guard input.count >= end + Proxmark3Frame.trailerLength else { return nil }
        guard input[end..<end + Proxmark3Frame.trailerLength].elementsEqual(Proxmark3Frame.commandEnd) else {
            throw Lost()
        }
        let code = Proxmark3Command.Code(input.span.littleEndian16(at: start.count + 2))
        let data = Array(input[Proxmark3Frame.headerLength..<end])
        input.removeFirst(end + Proxmark3Frame.trailerLength)
        return Proxmark3Command(code, isNG: field & Proxmark3Frame.isNG != 0, data)
    }
}

/// A response from a Proxmark3.
package enum Proxmark3Response: Hashable, Sendable {
    package typealias Code = Proxmark3Command.Code

    package enum Status: Int8, Hashable, Sendable {
        case success = 0
        case undefined = -1
        case badArgument = -2
        case timeout = -4
        case rfError = -7
        /// A step before the requested operation failed, such as the selection of a card.
        case failed = -10
        case tooLong = -27
        case cardExchange = -18
        case badCRC = -24
    }

    case ng(Code, Status, [UInt8])
    /// Up to three arguments and a payload.
    case mix(Code, [UInt64], [UInt8])
    case old(Code, [UInt64], [UInt8])

    /// The whole frame.
    package var frame: [UInt8] {
        switch self {
        case .ng(let code, let status, let data): return Self.frame(code, status, isNG: true, data)
        case .mix(let code, let arguments, let payload):
            return Self.frame(code, .success, isNG: false, Self.bytes(arguments) + payload)
        case .old(let code, let arguments, let payload):
            let rest = [UInt8](repeating: 0, count: max(0, Proxmark3Frame.maximumData - payload.count))
            return UInt64(code.rawValue).littleEndianBytes + Self.bytes(arguments) + payload + rest
        }
    }

    private static func bytes(_ arguments: [UInt64]) -> [UInt8] {
        (0..<3).flatMap { (arguments.indices.contains($0) ? arguments[$0] : 0).littleEndianBytes }
    }

    private static func frame(_ code: Code, _ status: Status, isNG: Bool, _ data: [UInt8]) -> [UInt8] {
        let length = UInt16(data.count) | (isNG ? Proxmark3Frame.isNG : 0)
        let head = length.littleEndianBytes + [UInt8(bitPattern: status.rawValue), 0] + code.rawValue.littleEndianBytes
        return Proxmark3Frame.responseStart + head + data + Proxmark3Frame.responseEnd
    }
}
