import TapField
import TapWire

/// A PC/SC part 3 reader without vendor commands, as many current readers are.
///
/// Where the standard leaves a choice: a FeliCa card is read and written with services and a block list in the data of read and
/// update binary, as the class driver of Windows expects. Le beyond the end of an object returns the object and 6282; a command
/// that the card refuses returns 6300, and one it does not answer returns 6401. After either error, the reader reselects a type
/// A card.
package struct StorageCardReader: LineReader {
    /// A name that belongs to no vendor.
    public static let defaultName = "TapSim Contactless Reader"

    public let name: String
    package var line = CardLine([.typeA106, .felica212])
    package var session = TransparentSession()

    public init(name: String = defaultName) {
        self.name = name
    }

    package mutating func close() {
        session.close()
    }

    /// Answers escape commands as APDUs, with or without a card.
    public mutating func control(_ code: UInt32, _ data: [UInt8], in world: inout World) -> ReaderAnswer {
        ReaderControl.answer(code) { .answer(answer(data, in: &world).bytes) }
    }

    public func attribute(_ id: UInt32) -> [UInt8]? { ReaderAttribute(vendor: "TapSim", release: 0x0100)[id] }

    package mutating func answer(_ bytes: [UInt8], in world: inout World) -> ResponseAPDU {
        guard let command = try? CommandAPDU(parsing: bytes) else { return ResponseAPDU([], .wrongLength) }
        guard command.cla == CommandAPDU.reader else { return ResponseAPDU([], .unknownClass) }
        switch command.ins {
        case .transparent where command.p1 == 0: return line.session(bytes, &session, in: &world)
        case .getData: return command.answerGetData(line.card)
        case .readBinary: return line.readBinary(command, in: &world)
        case .updateBinary: return line.updateBinary(command, in: &world)
        case .loadKeys, .generalAuthenticate, .authenticate, .transparent: return ResponseAPDU([], .notSupported)
        default: return ResponseAPDU([], .unknownInstruction)
        }
    }
}

/// Answers to the commands of PC/SC part 3.
extension CommandAPDU {
    /// Returns the answer to get data: UID or IDm.
    func answerGetData(_ card: FoundCard?) -> ResponseAPDU {
        guard p1 == CardProperty.identifier.rawValue, p2 == 0, data.isEmpty else {
            return ResponseAPDU([], .notSupported)
        }
        guard let card else { return ResponseAPDU([], .noCardAnswer) }
        return answer(card.identifier)
    }

    /// Returns an object as requested by Le: all of it without Le or if Le is 0; a shorter Le is refused.
    ///
    /// - Parameter beyond: The status word for a longer Le, on which readers disagree.
    func answer(_ object: [UInt8], beyond: StatusWord = .endReached) -> ResponseAPDU {
        switch expected ?? 0 {
        case 0, object.count: ResponseAPDU(object)
        case ..<object.count: ResponseAPDU([], .exactly(UInt8(truncatingIfNeeded: object.count)))
        default: ResponseAPDU(object, beyond)
        }
    }
}

extension AccessFailure {
    var status: StatusWord {
        switch self {
        case .silence: .noCardAnswer
        case .refused: .noInformation
        case .memory: .memoryFailure
        }
    }
}

extension CardLine {
    /// The content of the slot, with an ATR according to PC/SC part 3.
    var content: SlotContent {
        card.map { $0.inSlot(ContactlessATR($0.storageCard)) } ?? .empty
    }

    /// Answers a command of a transparent session; the reader takes the card back when the session has ended.
    mutating func session(
        _ bytes: [UInt8], _ session: inout TransparentSession, in world: inout World
    ) -> ResponseAPDU {
        guard let request = try? SessionRequest(parsing: bytes) else { return ResponseAPDU([], .wrongLength) }
        guard request.step.rawValue <= SessionRequest.Step.switchProtocol.rawValue else {
            return ResponseAPDU([], .notSupported)
        }
        let response = session.answer(request, in: &world)
        // The reader's own next command reselects the card, whatever the host did.
        deselect()
        return ResponseAPDU(response.objects.flatMap(\.bytes), response.outer)
    }

    /// Answers read binary: pages of a Type 2 tag, or the blocks of a FeliCa card named in the data.
    mutating func readBinary(_ command: CommandAPDU, in world: inout World) -> ResponseAPDU {
        do throws(AccessFailure) {
            switch card?.tag {
            case .typeA: return try readPages(command, in: &world)
            case .felica(let polling, _): return try readBlocks(command, polling.idm, in: &world)
            case nil: throw .silence
            }
        } catch {
            return ResponseAPDU([], error.status)
        }
    }

    private mutating func readPages(
        _ command: CommandAPDU, in world: inout World
    ) throws(AccessFailure) -> ResponseAPDU {
        guard command.data.isEmpty, let expected = command.expected else { return ResponseAPDU([], .wrongLength) }
        guard let page = UInt8(exactly: command.address) else { return ResponseAPDU([], .notFound) }
        let whole = ReadPages.Response.length
        guard expected > whole || expected % PageData.byteCount == 0 else {
            return ResponseAPDU([], .exactly(UInt8(whole)))
        }
        let pages = try readPages(page, in: &world)
        return expected < whole && expected > 0 ? ResponseAPDU(Array(pages.prefix(expected))) : command.answer(pages)
    }

    private mutating func readBlocks(
        _ command: CommandAPDU, _ idm: IDm, in world: inout World
    ) throws(AccessFailure) -> ResponseAPDU {
        guard command.address == 0 else { return ResponseAPDU([], .wrongParameters) }
        guard let (selection, rest) = try? FeliCaBlockSelection.parse(command.data), rest.isEmpty else {
            return ResponseAPDU([], .wrongLength)
        }
        return command.answer(try readBlocks(idm, selection, in: &world))
    }

    /// Answers update binary: pages of a Type 2 tag, or the blocks of a FeliCa card named in the data.
    mutating func updateBinary(_ command: CommandAPDU, in world: inout World) -> ResponseAPDU {
        do throws(AccessFailure) {
            switch card?.tag {
            case .typeA: return try writePages(command, in: &world)
            case .felica(let polling, _): return try writeBlocks(command, polling.idm, in: &world)
            case nil: throw .silence
            }
        } catch {
            return ResponseAPDU([], error.status)
        }
    }

    /// Writes up to four pages in order; after a failure, the earlier pages stay written.
    private mutating func writePages(
        _ command: CommandAPDU, in world: inout World
    ) throws(AccessFailure) -> ResponseAPDU {
        let data = command.data
        guard 1...ReadPages.Response.length ~= data.count, data.count % PageData.byteCount == 0 else {
            return ResponseAPDU([], .wrongLength)
        }
        let last = Int(command.address) + data.count / PageData.byteCount - 1
        guard last <= Int(UInt8.max) else { return ResponseAPDU([], .notFound) }
        for (index, start) in stride(from: 0, to: data.count, by: PageData.byteCount).enumerated() {
            let page = UInt8(Int(command.address) + index)
            try writePage(page, PageData(data[start...]), in: &world)
        }
        return ResponseAPDU()
    }

    private mutating func writeBlocks(
        _ command: CommandAPDU, _ idm: IDm, in world: inout World
    ) throws(AccessFailure) -> ResponseAPDU {
        guard command.address == 0 else { return ResponseAPDU([], .wrongParameters) }
        guard let (selection, data) = try? FeliCaBlockSelection.parse(command.data), !data.isEmpty,
            data.count == BlockData.byteCount * selection.blocks.count
        else { return ResponseAPDU([], .wrongLength) }
        try writeBlocks(idm, selection, data, in: &world)
        return ResponseAPDU()
    }
}
