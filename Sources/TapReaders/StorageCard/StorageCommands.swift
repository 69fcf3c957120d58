import TapField
import TapWire

/// How readers answer the commands of PC/SC part 3.
extension CommandAPDU {
    /// The answer to get data: UID or IDm.
    func answerGetData(_ card: FoundCard?) -> ResponseAPDU {
        guard p1 == CardProperty.identifier.rawValue, p2 == 0, data.isEmpty else {
            return ResponseAPDU([], .notSupported)
        }
        guard let card else { return ResponseAPDU([], .noCardAnswer) }
        return answer(card.identifier)
    }

    /// An object as Le asks for it: 0 or no Le is all of it, less than it has is refused.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - beyond: The status word where more is asked for than there is; readers disagree on it.
    func answer(_ object: [UInt8], beyond: StatusWord = .endReached) -> ResponseAPDU {
        switch expected ?? 0 {
        case 0, object.count: ResponseAPDU(object)
        case ..<object.count: ResponseAPDU([], .exactly(UInt8(truncatingIfNeeded: object.count)))
        default: ResponseAPDU(object, beyond)
        }
    }
}

extension AccessFailure {
    /// The status word for it.
    var status: StatusWord {
        switch self {
        case .silence: .noCardAnswer
        case .refused: .noInformation
        case .memory: .memoryFailure
        }
    }
}

extension CardLine {
    /// What the slot holds, with an ATR of PC/SC part 3.
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
        // Whatever the host did, the next command of the reader's own selects the card.
        deselect()
        return ResponseAPDU(response.objects.flatMap(\.bytes), response.outer)
    }

    /// Answers read binary: pages of a type 2 tag, or blocks of a FeliCa card named in the data.
    mutating func readBinary(_ command: CommandAPDU, in world: inout World) -> ResponseAPDU {
        do throws(AccessFailure) {
            switch card?.identity {
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

    /// Answers update binary: pages of a type 2 tag, or blocks of a FeliCa card named in the data.
    mutating func updateBinary(_ command: CommandAPDU, in world: inout World) -> ResponseAPDU {
        do throws(AccessFailure) {
            switch card?.identity {
            case .typeA: return try writePages(command, in: &world)
            case .felica(let polling, _): return try writeBlocks(command, polling.idm, in: &world)
            case nil: throw .silence
            }
        } catch {
            return ResponseAPDU([], error.status)
        }
    }

    /// Writes up to four pages, one after the other; a failure leaves those before it written.
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
