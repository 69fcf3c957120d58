import TapCards
import TapWire

/// An NTAG21x, reconstructed from commands and answers.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "NTAG commands" and "NFC counter function".
package struct TagCommunication {
    private var pages: [Int: PageData] = [:]
    private var version: GetVersion.Response?
    private var signature: OriginalitySignature?
    private var counter: UInt32?
    /// A Boolean value that indicates whether a page was read before.
    private var hasRead = false
    /// A Boolean value that indicates whether a read preceded the counter's value, so that the counter had already counted.
    private var hasCounted = false
    /// The lowest page that was refused.
    private var firstRefused: Int?

    package init() {}

    /// Adds a command and its answer, both without CRC; the answer is `nil` for silence.
    package mutating func take(_ answer: CardRecording.Answer?, answering command: [UInt8]) {
        guard let answer else { return }
        let isRefusal = answer.bitCount == Acknowledgement.bitCount
        if let read = try? ReadPages.Request(parsing: command) {
            guard !isRefusal else { return refuse(Int(read.page)) }
            if let found = try? ReadPages.Response(parsing: answer.bytes) { take(found.pages, from: Int(read.page)) }
        } else if let read = try? FastRead.Request(parsing: command) {
            guard !isRefusal, let found = try? FastRead.Response(parsing: answer.bytes) else { return }
            for (offset, page) in found.pages.enumerated() { pages[Int(read.first) + offset] = page }
            hasRead = true
        } else if !isRefusal {
            takeReport(answer.bytes, answering: command)
        }
    }

    private mutating func takeReport(_ answer: [UInt8], answering command: [UInt8]) {
        if (try? GetVersion.Request(parsing: command)) != nil {
            version = try? GetVersion.Response(parsing: answer)
        } else if (try? ReadSignature.Request(parsing: command)) != nil {
            signature = try? ReadSignature.Response(parsing: answer)
        } else if (try? ReadCounter.Request(parsing: command)) != nil, counter == nil {
            counter = (try? ReadCounter.Response(parsing: answer))?.value
            hasCounted = hasRead
        }
    }

    /// Adds the four pages of a READ, which wraps to page 0 after the last readable page.
    private mutating func take(_ found: [PageData], from first: Int) {
        hasRead = true
        let start = first == 0 ? found.first : pages[0]
        let whole = found.dropFirst().firstIndex { $0 == start } ?? found.count
        for (offset, page) in found.prefix(whole).enumerated() { pages[first + offset] = page }
    }

    private mutating func refuse(_ page: Int) { firstRefused = min(firstRefused ?? page, page) }
}

extension TagCommunication {
    /// The tag, with an unknown IC if neither its version nor its capability container identifies one.
    package var image: TagImage {
        let product = version.flatMap { NTAGProduct($0) } ?? productOfContainer
        let count = product?.layout.pageCount ?? (pages.keys.max() ?? -1) + 1
        // After a refused page, a READ returns the first pages again.
        let end = firstRefused ?? count
        var image = TagImage(product, pages: (0..<count).map { $0 < end ? pages[$0] : nil })
        image.version = version
        image.signature = signature
        image.counter = counterBefore
        return image
    }

    /// The page at which reading stopped because of the password, or `nil` if it did not stop.
    package var firstProtectedPage: Int? {
        let count = image.pages.count
        return firstRefused.flatMap { $0 < count ? $0 : nil }
    }

    /// The counter before the communication; the first read after the tag arrives increments it.
    private var counterBefore: UInt32? {
        counter.map { hasCounted && $0 > 0 && $0 < ReadCounter.maximumValue ? $0 - 1 : $0 }
    }

    private var productOfContainer: NTAGProduct? {
        guard let container = pages[NTAGLayout.capabilityContainerPage] else { return nil }
        return NTAGProduct.allCases.first { $0.deliveredCapabilityContainer[2] == container[2] }
    }
}
