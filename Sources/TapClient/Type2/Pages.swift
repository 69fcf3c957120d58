import TapWire

/// Adjacent pages of a Type 2 tag, as far as they could be read.
public struct PageRun: Hashable, Sendable {
    public let first: Int
    public internal(set) var pages: [PageData] = []
    /// The NAK to the next page, or `nil` if all pages were read.
    public internal(set) var refusal: Acknowledgement?

    public var end: Int { first + pages.count }
    public var bytes: [UInt8] { pages.flatMap(\.bytes) }

    var error: ClientError? {
        refusal.map { .nak($0, "reading page \(Hex.digits(end, width: 2))", "give the password if there is one") }
    }
}

extension CardReader {
    /// The pages that commands can address.
    private static var addressable: Range<Int> { 0..<256 }

    /// Reads pages with FAST_READ, as many at once as the link can transmit, else with READ, up to the first refused page.
    ///
    /// - Parameters:
    ///   - range: The pages; pages that no command can address are skipped.
    ///   - isFast: A Boolean value that indicates whether FAST_READ may be used.
    /// - Throws: ``ClientError`` if the exchange fails; a NAK is not an error.
    public mutating func readPages(_ range: Range<Int>, isFast: Bool = true) async throws(ClientError) -> PageRun {
        let range = range.clamped(to: Self.addressable)
        var run = PageRun(first: range.lowerBound)
        while run.end < range.upperBound, run.refusal == nil {
            let atOnce = min(range.upperBound - run.end, (link.limits.maximumAnswerLength ?? .max) / PageData.byteCount)
            if isFast, atOnce > ReadPages.pageCount, selection?.refusesFastRead == false {
                try await fastRead(atOnce, into: &run, upTo: range.upperBound)
            } else {
                try await readFour(into: &run, upTo: range.upperBound)
            }
        }
        return run
    }

    /// Adds pages with one FAST_READ, or with READ up to `end` if the tag refuses or ignores it.
    private mutating func fastRead(_ count: Int, into run: inout PageRun, upTo end: Int) async throws(ClientError) {
        let last = run.end + count - 1
        let action = "reading pages \(Hex.digits(run.end, width: 2)) to \(Hex.digits(last, width: 2))"
        let request = FastRead.Request(
            first: UInt8(truncatingIfNeeded: run.end), last: UInt8(truncatingIfNeeded: last))
        do throws(ClientError) {
            let answer = try await ask(request, action, attempts: 1, for: FastRead.Response.self)
            guard answer.pages.count == count else {
                throw lose(.wrongLength(answer.bytes.count, action, "\(count) pages were requested"))
            }
            run.pages += answer.pages
            return
        } catch {
            guard error.isTransient || error.acknowledgement != nil else { throw error }
        }
        while run.end < end, run.refusal == nil { try await readFour(into: &run, upTo: end) }
        if run.refusal == nil { selection?.refusesFastRead = true }
    }

    /// Adds up to four pages with one READ.
    ///
    /// READ wraps to page 00 after the last readable page; pages that look like page 00 are read again to find out.
    private mutating func readFour(into run: inout PageRun, upTo end: Int) async throws(ClientError) {
        let request = ReadPages.Request(page: UInt8(truncatingIfNeeded: run.end))
        let four: [PageData]
        do {
            let action = "reading page \(Hex.digits(run.end, width: 2))"
            four = try await ask(request, action, for: ReadPages.Response.self).pages
        } catch {
            guard let refusal = error.acknowledgement else { throw error }
            run.refusal = refusal
            return
        }
        let rollOver = four.dropFirst().firstIndex { $0 == selection?.firstPage } ?? four.count
        run.pages += four.prefix(min(rollOver, end - run.end))
    }

    /// Selects a Type 2 tag and requests its version; a refused or ignored GET_VERSION is not an error.
    ///
    /// - Throws: ``ClientError`` if there is no card, it is not a Type 2 tag, or the exchange fails.
    public mutating func identifyType2() async throws(ClientError) -> Type2Tag {
        let tag = try await activateType2()
        return Type2Tag(selection: tag, version: try await readVersion())
    }

    /// Reads the version; `nil` if the tag refuses or ignores the command, or the link cannot transmit it.
    public mutating func readVersion() async throws(ClientError) -> GetVersion.Response? {
        do {
            return try await ask(GetVersion.Request(), Type2Opcode.getVersion.description)
        } catch {
            let isUnknown = error.acknowledgement != nil || error.code == .silence
            guard isUnknown || error.code == .link(.unsupported) else { throw error }
            return nil
        }
    }

    /// Sends the password, only once, since a tag may count wrong ones; it is remembered for later selections.
    ///
    /// - Parameters:
    ///   - password: The password, PWD, in the byte order of its page.
    ///   - pack: The PACK that the tag should answer, or `nil` for any.
    /// - Returns: The PACK.
    /// - Throws: ``ClientError`` for a wrong password or another PACK, or if the exchange fails.
    @discardableResult
    public mutating func authenticate(
        _ password: PageData, expecting pack: UInt16? = nil
    ) async throws(ClientError) -> UInt16 {
        selection?.password = nil
        let request = PasswordAuthentication.Request(password: password)
        let answer: PasswordAuthentication.Response
        do {
            answer = try await ask(request, Type2Opcode.passwordAuthentication.description, attempts: 1)
        } catch {
            throw error.acknowledgement.map { .wrongPassword($0) } ?? error
        }
        selection?.password = password
        if let pack, pack != answer.pack { throw .wrongPack(answer.pack, insteadOf: pack) }
        return answer.pack
    }

    /// Reads the NFC counter.
    ///
    /// - Throws: ``ClientError`` for a NAK, if the counter is off or needs the password, or if the exchange fails.
    public mutating func readCounter() async throws(ClientError) -> UInt32 {
        let name = Type2Opcode.readCounter.description
        return try await ask(ReadCounter.Request(), name, for: ReadCounter.Response.self).value
    }

    /// Reads the originality signature without checking it.
    ///
    /// - Throws: ``ClientError`` for a NAK, if the tag has none, or if the exchange fails.
    public mutating func readSignature() async throws(ClientError) -> OriginalitySignature {
        try await ask(ReadSignature.Request(), Type2Opcode.readSignature.description)
    }

    /// Writes a page, only once.
    ///
    /// - Throws: ``ClientError`` for a NAK, if the page is locked, protected or missing, or if the exchange fails; after
    ///   silence it is not known whether the page was written.
    public mutating func writePage(_ page: UInt8, _ data: PageData) async throws(ClientError) {
        let target = "page \(Hex.digits(page, width: 2))"
        do {
            try await sendChange(WritePage.Request(page: page, data: data), "writing \(target)")
        } catch {
            throw error.isTransient ? .doubtfulWrite(target, error) : error
        }
    }
}
