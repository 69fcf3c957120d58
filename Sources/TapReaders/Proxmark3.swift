import TapField
import TapWire

/// A Proxmark3 as its client sees it over a connection: only the commands that read FeliCa and type A cards.
///
/// An unknown command is answered with status -1, so that the client continues at once. Bytes that are not a frame end the
/// connection. Source: Proxmark3, `include/pm3_cmd.h` and the firmware of 2026-08; observed on the wire.
package struct Proxmark3: StreamReader {
    private var commands = Proxmark3CommandReader()
    private var actions: [StreamAction] = []
    private var command: Proxmark3Command?
    /// The last pages read, for the client to download.
    var buffer: [UInt8] = []

    package init() {}

    package mutating func receive(_ bytes: ArraySlice<UInt8>) { commands.append(bytes) }

    package mutating func next() -> StreamAction? {
        if !actions.isEmpty { return actions.removeFirst() }
        do throws(Proxmark3CommandReader.Lost) {
            command = try commands.next()
            return command == nil ? nil : .work
        } catch {
            commands = Proxmark3CommandReader()
            return .hangUp
        }
    }

    package mutating func work(in world: inout World) {
        guard let command else { return }
        self.command = nil
        let before = world.rfCount
        let responses = responses(to: command, in: &world)
        world.noteHost(since: before)
        actions += responses.map { .send($0.frame) }
    }

    private mutating func responses(to command: Proxmark3Command, in world: inout World) -> [Proxmark3Response] {
        switch command.code {
        case .ping: return [.ng(.ping, .success, command.data)]
        case .capabilities: return [.ng(.capabilities, .success, Self.capabilities)]
        case .version: return [.ng(.version, .success, Self.version)]
        case .status, .setDebugMode, .standalone, .setFieldTimeout, .setTypeAConfig:
            return [.ng(command.code, .success, [])]
        case .quitSession, .breakLoop: return []
        case .dropField:
            world.switchField(on: false)
            return [.ng(.dropField, .success, [])]
        case .felica: return felica(command, in: &world)
        case .typeA: return typeA(command, in: &world)
        case .readPage: return [readPage(command.data, in: &world)]
        case .readPages: return [readPages(command.data, in: &world)]
        case .writePage: return [writePage(command.data, in: &world)]
        case .downloadBuffer: return download(command)
        default: return [.ng(command.code, .undefined, [])]
        }
    }

    /// The version of the structure, its baud rate, the size of the buffer, and a bit for each capability: USB (1), type A
    /// (14), FeliCa (17).
    ///
    /// A client accepts only its own version and length.
    private static let capabilities: [UInt8] =
        [8] + UInt32(115_200).littleEndianBytes + UInt32(bufferSize).littleEndianBytes
        + UInt32(1 << 1 | 1 << 14 | 1 << 17).littleEndianBytes

    private static let bufferSize = 40_000

    /// The chip, an AT91SAM7S512, the size of its program, and a text with its length.
    private static let version: [UInt8] = {
        let text = Array(" [ ARM ]\n  OS......... TapSim\n".utf8) + [0]
        return UInt32(0x270B_0A40).littleEndianBytes + UInt32(0).littleEndianBytes
            + UInt32(text.count).littleEndianBytes + text
    }()

    /// Sends bytes of the buffer in pieces, padded with zeros beyond the data read.
    private func download(_ command: Proxmark3Command) -> [Proxmark3Response] {
        guard let (arguments, _) = command.mix, arguments[0] <= UInt64(Self.bufferSize),
            arguments[1] <= UInt64(Self.bufferSize) - arguments[0]
        else { return [.ng(command.code, .badArgument, [])] }
        let (start, count) = (Int(arguments[0]), Int(arguments[1]))
        let pieces = stride(from: 0, to: count, by: Proxmark3Frame.maximumData).map { offset in
            let length = min(Proxmark3Frame.maximumData, count - offset)
            let bytes = (start + offset..<start + offset + length).map { buffer.indices.contains($0) ? buffer[$0] : 0 }
            return Proxmark3Response.old(.downloadedBuffer, [UInt64(offset), UInt64(length)], bytes)
        }
        return pieces + [.mix(.acknowledgement, [1], [])]
    }
}

extension Proxmark3 {
    private struct FelicaFlags: OptionSet {
        let rawValue: UInt8
        static let connect = FelicaFlags(rawValue: 0x01)
        static let keepField = FelicaFlags(rawValue: 0x02)
        static let raw = FelicaFlags(rawValue: 0x08)
        static let appendCRC = FelicaFlags(rawValue: 0x20)
        static let noSelect = FelicaFlags(rawValue: 0x40)
    }

    /// The number of polls before it gives up, and the timeout for an answer: 1,024 bytes at 212 kbit/s.
    private static let pollings = 25
    private static let felicaPatience = Duration.microseconds(1_024 * 8 * 1_000 / 212)
    private static let synchronisation: [UInt8] = [0xB2, 0x4D]

    /// Selects a card, sends a frame, or both, each with its own response.
    ///
    /// ```
    /// flags | bits (2, LE) | length (2, LE) | frame without LEN
    /// ```
    fileprivate func felica(_ command: Proxmark3Command, in world: inout World) -> [Proxmark3Response] {
        let data = command.data
        guard command.isNG, data.count >= 5 else { return [.ng(.felica, .badArgument, [])] }
        let flags = FelicaFlags(rawValue: data[0])
        let count = Int(data.span.littleEndian16(at: 3))
        guard count <= data.count - 5 else { return [.ng(.felica, .badArgument, [])] }
        var responses: [Proxmark3Response] = []
        if flags.contains(.connect), !flags.contains(.noSelect) {
            let (status, card) = selectFelica(in: &world)
            responses.append(.ng(.felica, status, card))
            guard status == .success else {
                world.switchField(on: false)
                return responses
            }
        }
        if flags.contains(.raw) {
            responses.append(send(Array(data[5..<5 + count]), hasCRC: flags.contains(.appendCRC), in: &world))
        }
        if !flags.contains(.keepField) { world.switchField(on: false) }
        return responses
    }

    /// Returns the status, and IDm, PMm and their parts; zeros without a card.
    private func selectFelica(in world: inout World) -> (Proxmark3Response.Status, card: [UInt8]) {
        let polling = RFFrame(.felica212, Polling.Request(systemCode: .any).bytes)
        var status = Proxmark3Response.Status.timeout
        for _ in 0..<Self.pollings {
            guard let answer = world.exchangeWithOneCard(polling, waiting: Self.felicaPatience) else { continue }
            guard answer.integrity == .good else {
                status = .badCRC
                break
            }
            guard let response = try? Polling.Response(parsing: answer.bytes) else { continue }
            let (idm, pmm) = (response.idm.rawValue.octets, response.pmm.rawValue.octets)
            return (.success, idm + idm + pmm + pmm + [0, 0])
        }
        return (status, [UInt8](repeating: 0, count: 34))
    }

    private func send(_ payload: [UInt8], hasCRC: Bool, in world: inout World) -> Proxmark3Response {
        guard payload.count < UInt8.max else { return .ng(.felica, .tooLong, []) }
        let bytes = [UInt8(payload.count + 1)] + payload
        // Without the flag, two zeros are sent instead of the CRC.
        let integrity: FrameIntegrity = hasCRC && !payload.isEmpty ? .good : .badCRC
        let frame = RFFrame(.felica212, bytes, integrity: integrity)
        guard let answer = world.exchangeWithOneCard(frame, waiting: Self.felicaPatience) else {
            return .ng(.felica, .rfError, [])
        }
        var received = CRC16FeliCa.appending(to: answer.bytes)
        if answer.integrity != .good { received[received.count - 1] ^= 0xFF }
        return .ng(.felica, .success, Self.synchronisation + received)
    }
}

extension Proxmark3 {
    private struct TypeAFlags: OptionSet {
        let rawValue: UInt64
        static let connect = TypeAFlags(rawValue: 0x01)
        static let keepField = TypeAFlags(rawValue: 0x02)
        static let raw = TypeAFlags(rawValue: 0x08)
        static let appendCRC = TypeAFlags(rawValue: 0x20)
        static let setTimeout = TypeAFlags(rawValue: 0x40)
        static let noSelect = TypeAFlags(rawValue: 0x80)
    }

    /// The unit of a timeout: 128 periods of the carrier.
    private static let timeoutUnit = Duration.nanoseconds(9_440)
    private static let typeAPatience = Duration.milliseconds(10)
    /// The maximum number of bytes in a response besides its arguments.
    private static let maximumPayload = Proxmark3Frame.maximumData - Proxmark3Frame.argumentsLength
    /// The length of UID, UID length, ATQA, SAK, ATS length and ATS; no emulated card has an ATS.
    private static let cardLength = 10 + 1 + 2 + 1 + 1 + 256
    /// The values of the first argument after a selection: a card without ATS, and no card.
    private static let (selected, nothing): (UInt64, UInt64) = (2, 0)

    /// Selects a card, sends a frame, or both, each with its own response.
    ///
    /// The arguments are flags; length, and from bit 16 on the number of bits; timeout; and the frame.
    fileprivate func typeA(_ command: Proxmark3Command, in world: inout World) -> [Proxmark3Response] {
        guard let (arguments, payload) = command.mix else { return [.ng(.typeA, .badArgument, [])] }
        let flags = TypeAFlags(rawValue: arguments[0])
        var responses: [Proxmark3Response] = []
        if flags.contains(.connect), !flags.contains(.noSelect) {
            let tag = world.selectTypeA(.wupa, waiting: ReaderWait.search)
            responses.append(Self.response(for: tag))
            guard tag != nil else {
                world.switchField(on: false)
                return responses
            }
        }
        if flags.contains(.raw) {
            let bits = Int(arguments[1] >> 16 & 0xFFFF)
            let count = min(bits > 0 ? (bits + 7) / 8 : Int(arguments[1] & 0xFFFF), payload.count)
            let isTimed = flags.contains(.setTimeout)
            let patience = isTimed ? Self.timeoutUnit * Int(arguments[2] & 0xFFFF_FFFF) : Self.typeAPatience
            let channel = RawChannel(
                appendsCRC: flags.contains(.appendCRC), checksCRC: false, lastBits: UInt8(bits % 8))
            let received = channel.exchange(Array(payload[..<count]), in: &world, waiting: patience)?.bytes ?? []
            let shown = received.prefix(Self.maximumPayload)
            let padding = [UInt8](repeating: 0, count: Self.maximumPayload - shown.count)
            responses.append(.mix(.acknowledgement, [UInt64(shown.count)], shown + padding))
        }
        if !flags.contains(.keepField) { world.switchField(on: false) }
        return responses
    }

    private static func response(for tag: TypeATag?) -> Proxmark3Response {
        let uid = tag?.uid.bytes ?? []
        let atqa = tag?.atqa.rawValue.littleEndianBytes ?? [0, 0]
        var card = uid + [UInt8](repeating: 0, count: 10 - uid.count)
        card += [UInt8(uid.count)] + atqa + [tag?.sak.rawValue ?? 0]
        card += [UInt8](repeating: 0, count: cardLength - card.count)
        return .mix(.acknowledgement, [tag == nil ? nothing : selected, UInt64(uid.count)], card)
    }
}

/// Type 2 tags: each command selects the tag, authenticates if a password is given, and halts the tag.
extension Proxmark3 {
    /// The key type for a password; the other types belong to tags that are not emulated.
    private static let password: UInt8 = 2
    /// The number of attempts to read a page that is not answered.
    private static let readTries = 5

    /// ```
    /// secure channel | page | count | kind of key | its length | key (16)
    /// ```
    fileprivate func readPage(_ data: [UInt8], in world: inout World) -> Proxmark3Response {
        guard data.count >= 21 else { return .ng(.readPage, .badArgument, []) }
        guard open(data[3], key: data[5..<9], in: &world) else { return .ng(.readPage, .failed, []) }
        let page = read(data[1], in: &world)
        close(&world)
        return page.map { .ng(.readPage, .success, $0) } ?? .ng(.readPage, .cardExchange, [])
    }

    /// Reads pages into the buffer up to the first unreadable one; the response is the number of bytes and their offset.
    fileprivate mutating func readPages(_ data: [UInt8], in world: inout World) -> Proxmark3Response {
        guard data.count >= 21 else { return .ng(.readPages, .badArgument, []) }
        guard open(data[3], key: data[5..<9], in: &world) else { return .ng(.readPages, .failed, []) }
        buffer = []
        for index in 0..<Int(data[2]) {
            guard let pages = read(UInt8(truncatingIfNeeded: Int(data[1]) + index), in: &world) else { break }
            buffer += pages.prefix(PageData.byteCount)
        }
        close(&world)
        guard !buffer.isEmpty else { return .ng(.readPages, .cardExchange, []) }
        let place = UInt16(buffer.count).littleEndianBytes + UInt32(0).littleEndianBytes
        return .ng(.readPages, .success, place)
    }

    /// Writes a page; as in the firmware, a refusal is reported under the code for reading.
    ///
    /// ```
    /// secure channel | page | kind of key | its length | key (16) | data (16, of which 4 are written)
    /// ```
    fileprivate func writePage(_ data: [UInt8], in world: inout World) -> Proxmark3Response {
        guard data.count >= 36 else { return .ng(.writePage, .badArgument, []) }
        guard open(data[2], key: data[4..<8], in: &world) else { return .ng(.readPage, .failed, []) }
        let request = WritePage.Request(page: data[1], data: PageData(data[20..<24]))
        let answer = exchange(request.bytes, in: &world)
        close(&world)
        guard answer == [Acknowledgement.ack.rawValue] else { return .ng(.readPage, .cardExchange, []) }
        return .ng(.writePage, .success, [])
    }

    private func open(_ kind: UInt8, key: ArraySlice<UInt8>, in world: inout World) -> Bool {
        guard world.selectTypeA(.wupa, waiting: ReaderWait.search) != nil else { return false }
        guard kind != 0 else { return true }
        let request = PasswordAuthentication.Request(password: PageData(key))
        return kind == Self.password && exchange(request.bytes, in: &world)?.count == 2
    }

    private func close(_ world: inout World) {
        world.halt()
        world.switchField(on: false)
    }

    private func read(_ page: UInt8, in world: inout World) -> [UInt8]? {
        for _ in 0..<Self.readTries {
            guard let answer = exchange(ReadPages.Request(page: page).bytes, in: &world) else { continue }
            return answer.count == ReadPages.Response.length ? answer : nil
        }
        return nil
    }

    /// Returns the answer without its CRC; `nil` if there is none or it is damaged.
    private func exchange(_ bytes: [UInt8], in world: inout World) -> [UInt8]? {
        let frame = RFFrame(.typeA106, bytes)
        let answer = world.exchangeWithOneCard(frame, waiting: Self.typeAPatience)
        return answer.flatMap { $0.integrity == .good ? $0.bytes : nil }
    }
}
