import TapWire

/// Neighbouring pages of a Type 2 tag, as far as they could be read.
public struct PageRun: Hashable, Sendable {
    public let first: Int
    /// The pages that could be read.
    public internal(set) var pages: [PageData] = []
    /// The NAK to reading the page behind ``pages``, or nothing if all pages asked for are there.
    public internal(set) var refusal: Acknowledgement?

    /// Address of the page behind the last one read.
    public var end: Int { first + pages.count }
    /// The bytes of all pages.
    public var bytes: [UInt8] { pages.flatMap(\.bytes) }

    /// The error of a procedure that needs all pages.
    var error: ClientError? {
        refusal.map { .nak($0, "reading page \(Hex.digits(end, width: 2))", "give the password if there is one") }
    }
}

extension CardReader {
    /// Pages the addresses of commands reach.
    private static var addressable: Range<Int> { 0..<256 }

    /// Reads pages by FAST_READ, as many at once as the link carries, and by READ where the tag does not take that.
    ///
    /// - Parameter range: Addresses of the pages; what no command can address is left out.
    /// - Returns: The pages up to the first one the tag refuses.
    /// - Throws: ``ClientError`` where the exchange fails; a NAK is no error.
    public mutating func readPages(_ range: Range<Int>) async throws(ClientError) -> PageRun {
        let range = range.clamped(to: Self.addressable)
        var run = PageRun(first: range.lowerBound)
        while run.end < range.upperBound, run.refusal == nil {
            let atOnce = min(range.upperBound - run.end, (link.limits.maximumAnswerLength ?? .max) / PageData.byteCount)
            if atOnce > ReadPages.pageCount, selection?.refusesFastRead == false {
                try await fastRead(atOnce, into: &run, upTo: range.upperBound)
            } else {
                try await readFour(into: &run, upTo: range.upperBound)
            }
        }
        return run
    }

    /// Adds pages by one FAST_READ, or by READ up to `end` if the tag refuses or ignores that.
    private mutating func fastRead(_ count: Int, into run: inout PageRun, upTo end: Int) async throws(ClientError) {
        let last = run.end + count - 1
        let action = "reading pages \(Hex.digits(run.end, width: 2)) to \(Hex.digits(last, width: 2))"
        let request = FastRead.Request(
            first: UInt8(truncatingIfNeeded: run.end), last: UInt8(truncatingIfNeeded: last))
        do throws(ClientError) {
            let answer = try await ask(request, action, attempts: 1, for: FastRead.Response.self)
            guard answer.pages.count == count else {
                throw lose(.wrongLength(answer.bytes.count, action, "\(count) pages were asked for"))
            }
            run.pages += answer.pages
            return
        } catch {
            guard error.isTransient || error.acknowledgement != nil else { throw error }
        }
        while run.end < end, run.refusal == nil { try await readFour(into: &run, upTo: end) }
        if run.refusal == nil { selection?.refusesFastRead = true }
    }

    /// Adds up to four pages by one READ.
    ///
    /// Behind the last page that may be read, READ goes on with page 00; what looks like that is read on its own to
    /// find out.
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
}
