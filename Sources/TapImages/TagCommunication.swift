import TapCards
import TapWire

/// What commands to an NTAG21x and its answers tell of it.
///
/// Source: NTAG213/215/216 data sheet rev. 3.2, "NTAG commands" and "NFC counter function".
package struct TagCommunication {
    private var pages: [Int: PageData] = [:]
    private var version: GetVersion.Response?
    private var signature: OriginalitySignature?
    private var counter: UInt32?
    /// Whether a page was read before.
    private var hasRead = false
    /// Whether the first read came before the tag told its counter, so that it has counted.
    private var hasCounted = false
    /// The lowest page that was refused.
    private var firstRefused: Int?

    package init() {}

    /// Takes a command and its answer, `nil` for silence; neither has a CRC.
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

    /// Takes four pages of a READ, which goes on at page 0 behind the last one that it may read.
    private mutating func take(_ found: [PageData], from first: Int) {
        hasRead = true
        let start = first == 0 ? found.first : pages[0]
        let whole = found.dropFirst().firstIndex { $0 == start } ?? found.count
        for (offset, page) in found.prefix(whole).enumerated() { pages[first + offset] = page }
    }

    private mutating func refuse(_ page: Int) { firstRefused = min(firstRefused ?? page, page) }
}

extension TagCommunication {
    /// The tag; of an unknown IC where it told no version that is known and no capability container of such an IC.
    package var image: TagImage {
        let product = version.flatMap { NTAGProduct($0) } ?? productOfContainer
        let count = product?.layout.pageCount ?? (pages.keys.max() ?? -1) + 1
        // What a READ gives behind a page that is refused are the first pages once more.
        let end = firstRefused ?? count
        var image = TagImage(product, pages: (0..<count).map { $0 < end ? pages[$0] : nil })
        image.version = version
        image.signature = signature
        image.counter = counterBefore
        return image
    }

    /// Where reading stopped because of the password; `nil` where it did not.
    package var firstProtectedPage: Int? {
        let count = image.pages.count
        return firstRefused.flatMap { $0 < count ? $0 : nil }
    }

    /// The counter before the communication: the first read after the tag has come lets it tick.
    private var counterBefore: UInt32? {
        counter.map { hasCounted && $0 > 0 && $0 < ReadCounter.maximumValue ? $0 - 1 : $0 }
    }

    private var productOfContainer: NTAGProduct? {
        guard let container = pages[NTAGLayout.capabilityContainerPage] else { return nil }
        return NTAGProduct.allCases.first { $0.deliveredCapabilityContainer[2] == container[2] }
    }
}
