import TapCards
import TapWire

extension FaultCatalogue {
    /// What is wrong with the data of READ and FAST_READ.
    static let ntagReads: [FaultKind] = [
        FaultKind(
            "ntag.short_read", "The answer has fewer bytes than the command asks for, and a good CRC.",
            models: "A reader with a small buffer, or a clone that sends no page it may not read.",
            [
                FaultParameter(
                    "keep", .integer(1...1_023), nil, "Bytes that are left; without it the last one is missing.")
            ], scope: .ntagRead,
            effect: .answer { answer, strike in
                answer.rewriteData { $0 = Array($0.prefix(strike.arguments.integer("keep") ?? max(1, $0.count - 1))) }
            }),
        FaultKind(
            "ntag.long_read", "The answer has more bytes than the command asks for, and a good CRC.",
            models: "A reader hands over the CRC with the data, or what was left in its buffer.",
            [FaultParameter("bytes", .bytes(1...64), .bytes([0, 0, 0, 0]), "The bytes behind the data.")],
            scope: .ntagRead,
            effect: .answer { answer, strike in answer.rewriteData { $0 += strike.arguments.bytes("bytes") ?? [] } }),
        FaultKind(
            "ntag.wrong_page", "The tag answers with other pages than those the command names.",
            models: "The address is damaged inside the tag, or a reader answers from a cache.",
            [
                FaultParameter(
                    "by", .integer(1...255), .integer(1), "How many pages lower; higher, where that is below page 00.")
            ], scope: .ntagRead,
            effect: .command { command, strike in
                command.frame?.movePages(by: strike.arguments.integer("by") ?? 0)
            }),
        FaultKind(
            "ntag.roll_over", "A READ that passes the last page does not go on at page 00.",
            models: "Emulators read on behind their image, and clones repeat the last page.",
            [
                FaultParameter("pages", .integer(1...255), .integer(135), "Pages of the tag: 45, 135 or 231."),
                FaultParameter(
                    "with", .word(["zero", "ones", "last"]), .word("zero"),
                    "What stands behind the last page: 00, FF, or the last page again."),
            ], scope: .commands("ntag.read"),
            effect: .answer { answer, strike in
                let pageCount = strike.arguments.integer("pages") ?? 0
                answer.rewritePages { address, pages, index in
                    guard address >= pageCount else { return }
                    switch strike.arguments.word("with") {
                    case "last": pages[index] = pages[max(0, index - 1)]
                    case "ones": pages[index] = PageData(0xFF, 0xFF, 0xFF, 0xFF)
                    default: pages[index] = .zero
                    }
                }
            }),
        FaultKind(
            "ntag.fast_read_limit", "FAST_READ gives no more than some pages at once.",
            models: "Readers have buffers of 64 or 255 bytes, and clones limits of their own.",
            [
                FaultParameter("pages", .integer(1...255), .integer(15), "The most pages of an answer."),
                FaultParameter(
                    "beyond", .word(["nak", "cut", "silence"]), .word("nak"),
                    "What becomes of a longer read: NAK 0 and IDLE, its first pages alone, or nothing."),
            ], scope: .commands("ntag.fast_read"), times: .always,
            effect: .all([
                .card { card, strike in
                    guard strike.exceedsFastReadLimit, strike.arguments.word("beyond") == "nak",
                        var tag = card as? NTAGCard
                    else { return }
                    tag.loseSelection()
                    card = tag
                },
                .answer { answer, strike in answer.limitFastRead(strike) },
            ])),
    ]
}

extension FaultStrike {
    /// Whether the command is a FAST_READ of more pages than `pages` allows.
    fileprivate var exceedsFastReadLimit: Bool {
        guard let read = try? FastRead.Request(parsing: command.bytes) else { return false }
        return Int(read.last) - Int(read.first) + 1 > arguments.integer("pages") ?? 0
    }
}

extension AnswerOnAir {
    fileprivate mutating func limitFastRead(_ strike: FaultStrike) {
        guard strike.exceedsFastReadLimit else { return }
        switch strike.arguments.word("beyond") {
        case "cut":
            let length = (strike.arguments.integer("pages") ?? 0) * PageData.byteCount
            rewriteData { $0 = Array($0.prefix(length)) }
        case "silence": frame = nil
        default: put(.invalidArgument)
        }
    }
}

extension AirFrame {
    /// Lets a READ or FAST_READ name pages some lower, or higher where there are none.
    fileprivate mutating func movePages(by offset: Int) {
        func moved(_ page: UInt8, _ first: UInt8) -> UInt8 {
            UInt8(clamping: Int(first) >= offset ? Int(page) - offset : Int(page) + offset)
        }
        if let read = try? ReadPages.Request(parsing: bytes) {
            bytes = ReadPages.Request(page: moved(read.page, read.page)).bytes
        } else if let read = try? FastRead.Request(parsing: bytes) {
            bytes = FastRead.Request(first: moved(read.first, read.first), last: moved(read.last, read.first)).bytes
        }
    }
}
