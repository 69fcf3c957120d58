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
        "Whether the tag carries the command out and stays selected, as some clones do, instead of falling back to IDLE."
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
            "ntag.ack_for_data", "The tag answers ACK to a command that asks for data.",
            models: "The tag takes the frame for a write, or the acknowledgement of a write before it comes late.",
            scope: .ntagData, effect: .answer { answer, _ in answer.put(.ack) }),
        FaultKind(
            "ntag.data_for_ack", "The tag answers a write with data in place of an acknowledgement.",
            models: "The answer to a read before it comes late, or a reader hands over an ACK as a whole byte.",
            [dataForAck], scope: .ntagWrite,
            effect: .answer { answer, injection in answer.frame = AirFrame(.typeA106, injection[dataForAck]) }),
        FaultKind(
            "ntag.acked_not_written", "The tag acknowledges a write and stores nothing.",
            models: "A clone pretends to take writes, or a page is worn out and the tag does not look.",
            scope: .commands("ntag.write"),
            effect: .all([
                .command { command, _ in command.frame = nil },
                .answer { answer, _ in answer.put(.ack, after: FrameDelay.afterOne + NTAGCard.programmingTime) },
            ])),
        FaultKind(
            "ntag.written_not_acked", "The tag stores a write, and its acknowledgement does not arrive.",
            models: "The field gets weak while the memory is programmed, which takes most power.",
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
            "ntag.short_read", "The answer has fewer bytes than the command asks for, and a good CRC.",
            models: "A reader with a small buffer, or a clone that sends no page it may not read.",
            [keptBytes], scope: .ntagRead,
            effect: .answer { answer, injection in
                answer.rewriteData { $0 = Array($0.prefix(injection[keptBytes] ?? max(1, $0.count - 1))) }
            }),
        FaultKind(
            "ntag.long_read", "The answer has more bytes than the command asks for, and a good CRC.",
            models: "A reader hands over the CRC with the data, or what was left in its buffer.",
            [extraBytes], scope: .ntagRead,
            effect: .answer { answer, injection in answer.rewriteData { $0 += injection[extraBytes] } }),
        FaultKind(
            "ntag.wrong_page", "The tag answers with other pages than those the command names.",
            models: "The address is damaged inside the tag, or a reader answers from a cache.",
            [pageOffset], scope: .ntagRead,
            effect: .command { command, injection in command.frame?.movePages(by: injection[pageOffset]) }),
        FaultKind(
            "ntag.roll_over", "A READ that passes the last page does not go on at page 00.",
            models: "Emulators read on behind their image, and clones repeat the last page.",
            [pageCount, pageBehind], scope: .commands("ntag.read"),
            effect: .answer { answer, injection in
                answer.rewritePages { address, pages, index in
                    guard address >= injection[pageCount] else { return }
                    switch injection[pageBehind] {
                    case .zero: pages[index] = .zero
                    case .ones: pages[index] = PageData(0xFF, 0xFF, 0xFF, 0xFF)
                    case .last: pages[index] = pages[max(0, index - 1)]
                    }
                }
            }),
        FaultKind(
            "ntag.fast_read_limit", "FAST_READ gives no more than some pages at once.",
            models: "Readers have buffers of 64 or 255 bytes, and clones have other limits.",
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

    private enum PageBehind: String, CaseIterable {
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
        "keep", .integer(1...1_023), "Bytes that are left; without it the last one is missing.")
    private static let extraBytes = FaultKey(
        "bytes", .bytes(1...64), default: [0, 0, 0, 0], "The bytes behind the data.")
    private static let pageOffset = FaultKey(
        "by", .integer(1...255), default: 1, "How many pages lower; higher, where that is below page 00.")
    private static let pageCount = FaultKey(
        "pages", .integer(1...255), default: 135, "Pages of the tag: 45, 135 or 231.")
    private static let pageBehind = FaultKey(
        "with", default: PageBehind.zero, "What stands behind the last page: 00, FF, or the last page again.")
    private static let mostPages = FaultKey("pages", .integer(1...255), default: 15, "The most pages of an answer.")
    private static let longerRead = FaultKey(
        "beyond", default: LongerRead.nak,
        "What becomes of a longer read: NAK 0 and IDLE, its first pages alone, or nothing.")
}

extension AirFrame {
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
            "ntag.version", "GET_VERSION tells of another product or another size.",
            models: "Clones answer with the version of the product they are sold as, whatever memory they have.",
            [version], scope: .commands("ntag.get_version"), times: .always,
            effect: .answer { answer, injection in
                answer.rewrite(GetVersion.Response.self) { $0 = injection[version] ?? nextLarger($0) }
            }),
        FaultKind(
            "ntag.signature", "READ_SIG gives a signature that is not this tag's.",
            models: "Clones answer zeros, a repeated UID or the signature of another tag.",
            [signature], scope: .commands("ntag.read_sig"), times: .always,
            effect: .answer { answer, injection in
                answer.rewriteData { bytes in bytes = injection[signature] ?? bytes.map { ~$0 } }
            }),
        FaultKind(
            "ntag.counter", "READ_CNT gives another number, by itself the last before the counter stops.",
            models: "The counter was torn, or has come to its end and counts no further.",
            [counterValue], scope: .commands("ntag.read_cnt"),
            effect: .answer { answer, injection in
                let value = UInt32(injection[counterValue])
                answer.rewrite(ReadCounter.Response.self) { $0 = ReadCounter.Response(value: value) }
            }),
        FaultKind(
            "ntag.pack", "PWD_AUTH succeeds with another PACK than the tag should have.",
            models: "A clone takes every password and answers with its own PACK.",
            [pack], scope: .commands("ntag.pwd_auth"),
            effect: .answer { answer, injection in
                answer.rewrite(PasswordAuthentication.Response.self) { $0.pack = injection[pack] ?? ~$0.pack }
            }),
    ]

    private static let version = FaultKey<[UInt8]?>(
        "version", .bytes(8...8), "The answer; without it the size of the next larger NTAG21x."
    ).map { $0.map { GetVersion.Response(UInt64(octets: $0)) } }
    private static let signature = FaultKey<[UInt8]?>(
        "signature", .bytes(32...32), "The signature; without it all bits of the tag's own are flipped.")
    private static let counterValue = FaultKey(
        "value", .integer(0...Int(ReadCounter.maximumValue)), default: Int(ReadCounter.maximumValue), "The number.")
    private static let pack = FaultKey<[UInt8]?>(
        "pack", .bytes(2...2), "The PACK; without it all bits of the right one are flipped."
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
            "ntag.lost_auth", "The tag forgets that the password was given.",
            models: "The field was weak for a moment, and the tag went through a reset that the reader did not notice.",
            [keepsSelection],
            scope: .commands("ntag.read", "ntag.fast_read", "ntag.write", "ntag.compatibility_write", "ntag.read_cnt"),
            effect: .card { card, injection in
                guard var tag = card as? NTAGCard else { return }
                if injection[keepsSelection] { tag.loseAuthentication() } else { tag.loseSelection() }
                card = tag
            }),
        FaultKind(
            "ntag.locked_out", "The tag takes no password any more: NAK 4, whatever it is given.",
            models: "Wrong passwords were tried until AUTHLIM was reached.", [staysSelected],
            scope: .commands("ntag.pwd_auth"), times: .always,
            effect: .all([.selectionLost, .answer { answer, _ in answer.put(.authenticationLimit) }])),
    ]

    private static let keepsSelection = FaultKey(
        "selected", .flag, default: false, "Whether the tag stays selected; else it is in IDLE, as after a reset.")
}
