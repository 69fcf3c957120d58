import TapCards
import TapWire

extension FaultCatalogue {
    static let ntag: [FaultKind] = ntagAcknowledgements + ntagReads + ntagIdentity + ntagConduct
}

extension FaultScope {
    static let ntagRead = FaultScope.commands("ntag.read", "ntag.fast_read")
    static let ntagData = FaultScope.commands(
        "ntag.read", "ntag.fast_read", "ntag.get_version", "ntag.read_cnt", "ntag.read_sig", "ntag.pwd_auth")
    static let ntagWrite = FaultScope.commands("ntag.write", "ntag.compatibility_write")
}

extension FaultEffect {
    /// Ends the tag's selection before the command, as any NAK does, unless `stay` keeps it.
    static let selectionLost = FaultEffect.card { card, injection in
        guard !injection[FaultCatalogue.staysSelected], var tag = card as? NTAGCard else { return }
        tag.loseSelection()
        card = tag
    }
}

extension FaultCatalogue {
    fileprivate static let staysSelected = FaultKey(
        "stay", .flag, default: false,
        "Whether the tag carries out the command and stays selected, as some clones do, instead of falling back to IDLE."
    )
}

extension FaultCatalogue {
    /// Acknowledgements in place of data, data in place of acknowledgements, and false acknowledgements.
    static let ntagAcknowledgements: [FaultKind] = [
        FaultKind(
            "ntag.nak", "The tag refuses the command with a NAK and is no longer selected.",
            models: "A page is locked or protected (0), a frame arrived damaged (1), or the memory is worn out (5).",
            [nibble, staysSelected], scope: .ntag,
            effect: .all([
                .selectionLost,
                .answer { answer, injection in answer.put(Acknowledgement(UInt8(injection[nibble]))) },
            ])),
        FaultKind(
            "ntag.ack_for_data", "The tag answers ACK to a command that requests data.",
            models: "The tag mistakes the frame for a write, or the acknowledgement of an earlier write arrives late.",
            scope: .ntagData, effect: .answer { answer, _ in answer.put(.ack) }),
        FaultKind(
            "ntag.data_for_ack", "The tag answers a write with data instead of an acknowledgement.",
            models: "The answer to an earlier read arrives late, or a reader passes on an ACK as a whole byte.",
            [dataForAck], scope: .ntagWrite,
            effect: .answer { answer, injection in answer.frame = RFFrame(.typeA106, injection[dataForAck]) }),
        FaultKind(
            "ntag.acked_not_written", "The tag acknowledges a write but stores nothing.",
            models: "A clone only pretends to write, or a page is worn out and the tag does not verify it.",
            scope: .commands("ntag.write"),
            effect: .all([
                .command { command, _ in command.frame = nil },
                .answer { answer, _ in answer.put(.ack, after: FrameDelay.afterOne + NTAGCard.programmingTime) },
            ])),
        FaultKind(
            "ntag.written_not_acked", "The tag stores a write, but its acknowledgement does not arrive.",
            models: "The field weakens while the memory is programmed, which needs the most power.",
            scope: .commands("ntag.write"), effect: .answer { answer, _ in answer.frame = nil }),
    ]

    private static let nibble = FaultKey(
        "code", .integer(0...15), default: 0, "The nibble: 0, 1, 4 or 5 on NTAG21x; A is an ACK.")
    private static let dataForAck = FaultKey(
        "data", .bytes(1...64), default: Array(repeating: 0, count: 16), "The data, such as `0A`.")
}

extension FaultCatalogue {
    static let ntagReads: [FaultKind] = [
        FaultKind(
            "ntag.short_read", "The answer has fewer bytes than requested, with a valid CRC.",
            models: "A reader has a small buffer, or a clone omits pages that may not be read.",
            [keptBytes], scope: .ntagRead,
            effect: .answer { answer, injection in
                answer.rewriteData { $0 = Array($0.prefix(injection[keptBytes] ?? max(1, $0.count - 1))) }
            }),
        FaultKind(
            "ntag.long_read", "The answer has more bytes than requested, with a valid CRC.",
            models: "A reader passes on the CRC with the data, or old content of its buffer.",
            [extraBytes], scope: .ntagRead,
            effect: .answer { answer, injection in answer.rewriteData { $0 += injection[extraBytes] } }),
        FaultKind(
            "ntag.wrong_page", "The tag answers with the wrong pages.",
            models: "The address is damaged inside the tag, or a reader answers from a cache.",
            [pageOffset], scope: .ntagRead,
            effect: .command { command, injection in command.frame?.movePages(by: injection[pageOffset]) }),
        FaultKind(
            "ntag.roll_over", "A READ past the last page does not continue at page 00.",
            models: "Emulators read past the end of their image, and clones repeat the last page.",
            [pageCount, pageAfterEnd], scope: .commands("ntag.read"),
            effect: .answer { answer, injection in
                answer.rewritePages { address, pages, index in
                    guard address >= injection[pageCount] else { return }
                    switch injection[pageAfterEnd] {
                    case .zero: pages[index] = .zero
                    case .ones: pages[index] = PageData(0xFF, 0xFF, 0xFF, 0xFF)
                    case .last: pages[index] = pages[max(0, index - 1)]
                    }
                }
            }),
        FaultKind(
            "ntag.fast_read_limit", "The tag limits the number of pages in a FAST_READ.",
            models: "Readers have buffers of 64 or 255 bytes, and clones have limits of their own.",
            [mostPages, longerRead], scope: .commands("ntag.fast_read"), times: .always,
            effect: .all([
                .card { card, injection in
                    guard exceedsFastReadLimit(injection), injection[longerRead] == .nak, var tag = card as? NTAGCard
                    else { return }
                    tag.loseSelection()
                    card = tag
                },
                .answer { answer, injection in
                    guard exceedsFastReadLimit(injection) else { return }
                    switch injection[longerRead] {
                    case .nak: answer.put(.invalidArgument)
                    case .cut:
                        answer.rewriteData { $0 = Array($0.prefix(injection[mostPages] * PageData.byteCount)) }
                    case .silence: answer.frame = nil
                    }
                },
            ])),
    ]

    private static func exceedsFastReadLimit(_ injection: FaultInjection) -> Bool {
        guard let read = try? FastRead.Request(parsing: injection.command.bytes) else { return false }
        return Int(read.last) - Int(read.first) + 1 > injection[mostPages]
    }

    private enum PageAfterEnd: String, CaseIterable {
        case zero
        case ones
        case last
    }

    private enum LongerRead: String, CaseIterable {
        case nak
        case cut
        case silence
    }

    private static let keptBytes = FaultKey<Int?>(
        "keep", .integer(1...1_023), "The number of bytes to keep. If omitted, the last byte is missing.")
    private static let extraBytes = FaultKey(
        "bytes", .bytes(1...64), default: [0, 0, 0, 0], "The bytes after the data.")
    private static let pageOffset = FaultKey(
        "by", .integer(1...255), default: 1, "The number of pages lower, or higher if that would be below page 00.")
    private static let pageCount = FaultKey(
        "pages", .integer(1...255), default: 135, "The number of pages of the tag: 45, 135 or 231.")
    private static let pageAfterEnd = FaultKey(
        "with", default: PageAfterEnd.zero, "The content after the last page: 00, FF, or the last page again.")
    private static let mostPages = FaultKey(
        "pages", .integer(1...255), default: 15, "The maximum number of pages in an answer.")
    private static let longerRead = FaultKey(
        "beyond", default: LongerRead.nak,
        "The answer to a longer read: NAK 0 and IDLE, only its first pages, or silence.")
}

extension RFFrame {
    /// Lowers the pages in a READ or FAST_READ, or raises them if there are no lower pages.
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

extension FaultCatalogue {
    static let ntagIdentity: [FaultKind] = [
        FaultKind(
            "ntag.version", "The answer to GET_VERSION reports a different product or size.",
            models: "Clones answer with the version of the product they are sold as, whatever memory they have.",
            [version], scope: .commands("ntag.get_version"), times: .always,
            effect: .answer { answer, injection in
                answer.rewrite(GetVersion.Response.self) { $0 = injection[version] ?? nextLarger($0) }
            }),
        FaultKind(
            "ntag.signature", "The answer to READ_SIG is a signature that does not belong to the tag.",
            models: "Clones answer with zeros, a repeated UID or the signature of another tag.",
            [signature], scope: .commands("ntag.read_sig"), times: .always,
            effect: .answer { answer, injection in
                answer.rewriteData { bytes in bytes = injection[signature] ?? bytes.map { ~$0 } }
            }),
        FaultKind(
            "ntag.counter", "The answer to READ_CNT is a wrong number, by default the highest one.",
            models: "The counter was torn, or has reached its end and stopped counting.",
            [counterValue], scope: .commands("ntag.read_cnt"),
            effect: .answer { answer, injection in
                let value = UInt32(injection[counterValue])
                answer.rewrite(ReadCounter.Response.self) { $0 = ReadCounter.Response(value: value) }
            }),
        FaultKind(
            "ntag.pack", "The password is accepted, but the answer has a wrong PACK.",
            models: "A clone accepts every password and answers with its own PACK.",
            [pack], scope: .commands("ntag.pwd_auth"),
            effect: .answer { answer, injection in
                answer.rewrite(PasswordAuthentication.Response.self) { $0.pack = injection[pack] ?? ~$0.pack }
            }),
    ]

    private static let version = FaultKey<[UInt8]?>(
        "version", .bytes(8...8), "The answer. If omitted, the tag's own with the size of the next larger NTAG21x."
    ).map { $0.map { GetVersion.Response(UInt64(octets: $0)) } }
    private static let signature = FaultKey<[UInt8]?>(
        "signature", .bytes(32...32), "The signature. If omitted, all bits of the tag's own are flipped.")
    private static let counterValue = FaultKey(
        "value", .integer(0...Int(ReadCounter.maximumValue)), default: Int(ReadCounter.maximumValue), "The number.")
    private static let pack = FaultKey<[UInt8]?>(
        "pack", .bytes(2...2), "The PACK. If omitted, all bits of the correct one are flipped."
    ).map { $0.map { UInt16(truncatingIfNeeded: UInt64(octets: $0)) } }

    /// Returns a version with the storage size of the next larger NTAG21x, or of the smallest if there is none.
    private static func nextLarger(_ version: GetVersion.Response) -> GetVersion.Response {
        let sizes = NTAGProduct.allCases.map(\.version.storageSize)
        let next = sizes.first { $0 > version.storageSize } ?? sizes[0]
        return GetVersion.Response(version.rawValue & ~0xFF00 | UInt64(next) << 8)
    }
}

extension FaultCatalogue {
    static let ntagConduct: [FaultKind] = [
        FaultKind(
            "ntag.lost_auth", "The tag forgets that the reader has authenticated.",
            models: "The field was weak for a moment, and the tag was reset without the reader noticing.",
            [keepsSelection],
            scope: .commands("ntag.read", "ntag.fast_read", "ntag.write", "ntag.compatibility_write", "ntag.read_cnt"),
            effect: .card { card, injection in
                guard var tag = card as? NTAGCard else { return }
                if injection[keepsSelection] { tag.loseAuthentication() } else { tag.loseSelection() }
                card = tag
            }),
        FaultKind(
            "ntag.locked_out", "The tag no longer accepts any password and always answers NAK 4.",
            models: "Wrong passwords were tried until AUTHLIM was reached.", [staysSelected],
            scope: .commands("ntag.pwd_auth"), times: .always,
            effect: .all([.selectionLost, .answer { answer, _ in answer.put(.authenticationLimit) }])),
    ]

    private static let keepsSelection = FaultKey(
        "selected", .flag, default: false, "Whether the tag stays selected; otherwise it is in IDLE, as after a reset.")
}
