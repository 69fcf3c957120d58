import TapDocument
import TapWire

/// An NTAG21x as written by Proxmark3: a header with values outside the memory, followed by the pages.
///
/// ```
/// version (8) | TBO 0 (2) | TBO 1 | highest page | signature (32) | for counters 0 to 2: value (3, low byte first), tearing
/// flag
/// ```
/// The old header was:
///
/// ```
/// version (8) | TBO 0 (2) | tearing flags (3) | PACK (2) | TBO 1 | signature (32)
/// ```
/// Sources: `mfu_dump_t`, `old_mfu_dump_t` and the reading of JSON dumps in the Proxmark3 client of RfidResearchGroup.
enum ProxmarkTag {
    static let headerCount = 56
    static let oldHeaderCount = 48
    private static let intactTearing: UInt8 = 0xBD
    private static let (version, signature, counter) = (0..<8, 12..<44, 52..<55)
    private static let (oldPack, oldSignature) = (13..<15, 16..<48)

    static func readHeader(_ bytes: [UInt8], into tag: inout TagImage) {
        tag.version = GetVersion.Response(dumped: Array(bytes[version]))
        tag.signature = OriginalitySignature(dumped: Array(bytes[signature]))
        tag.counter = number(bytes[counter])
    }

    static func readOldHeader(_ bytes: [UInt8], into tag: inout TagImage) {
        tag.version = GetVersion.Response(dumped: Array(bytes[version]))
        tag.signature = OriginalitySignature(dumped: Array(bytes[oldSignature]))
        guard let product = tag.product, tag.page(product.layout.packPage) == .zero else { return }
        tag.pages[product.layout.packPage] = PageData(bytes[oldPack])
    }

    static func bytes(_ tag: TagImage.Whole) -> [UInt8] {
        let highestPage = UInt8(truncatingIfNeeded: tag.product.layout.pageCount - 1)
        return tag.version.bytes + [0, 0, 0, highestPage] + tag.signature.bytes + counters(tag).flatMap(\.self)
            + tag.memory
    }

    /// The value (low byte first) and the tearing flag of each counter; NTAG21x have only the last counter.
    private static func counters(_ tag: TagImage.Whole) -> [[UInt8]] {
        let none: [UInt8] = [0, 0, 0, 0]
        return [none, none, tag.counter.octets.prefix(3) + [intactTearing]]
    }

    private static func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension ProxmarkTag {
    static let fileType = "mfu"

    static func json(_ tag: TagImage.Whole) -> String {
        let counters = counters(tag)
        var card: [(key: String, value: Node)] = [
            ("UID", .text(Hex.text(tag.uid.bytes))), ("Version", .text(Hex.text(tag.version.bytes))),
            ("TBO_0", "0000"), ("TBO_1", "00"), ("Signature", .text(Hex.text(tag.signature.bytes))),
        ]
        for (number, counter) in counters.enumerated() {
            card.append(("Counter\(number)", .text(Hex.text(counter.prefix(3)))))
            card.append(("Tearing\(number)", .text(Hex.text(counter.suffix(1)))))
        }
        let blocks = (0..<tag.product.layout.pageCount).map { number in
            let start = number * PageData.byteCount
            return (key: "\(number)", value: Node.text(Hex.text(tag.memory[start..<start + PageData.byteCount])))
        }
        let document: Node = [
            "Created": "proxmark3", "FileType": .text(fileType), "Card": .map(card), "blocks": .map(blocks),
        ]
        return JSONWriter.text(document, .pretty)
    }

    /// Reads the JSON of a dump, which has its pages under `blocks` by number.
    static func image(_ root: Node) throws(ImageProblem) -> CardImage {
        guard case .map(let blocks)? = root["blocks"] else {
            throw JSONDump.problem(
                "the dump has no `blocks`", at: root, hint: "use a JSON dump of Proxmark3 with its pages under `blocks`"
            )
        }
        var pages: [PageData?] = []
        for entry in blocks.entries {
            guard entry.key.text == "\(pages.count)" else {
                throw JSONDump.problem(
                    "unexpected `\(PrintableText.line(entry.key.text))`: expected block `\(pages.count)`",
                    at: .scalar(entry.key), hint: "read the tag again")
            }
            pages.append(PageData(try JSONDump.bytes(entry.value, "block \(pages.count)", count: PageData.byteCount)))
        }
        let card = root["Card"]
        let version = try card?["Version"].map { node throws(ImageProblem) in
            try JSONDump.bytes(node, "Version", count: GetVersion.Response.length)
        }.flatMap { GetVersion.Response(dumped: $0) }
        let product =
            version.flatMap { NTAGProduct($0) } ?? NTAGProduct.allCases.first { $0.layout.pageCount == pages.count }
        var tag = TagImage(product, pages: pages)
        tag.version = version
        tag.signature = try card?["Signature"].map { node throws(ImageProblem) in
            try JSONDump.bytes(node, "Signature", count: OriginalitySignature.byteCount)
        }.flatMap { OriginalitySignature(dumped: $0) }
        tag.counter = try card?["Counter2"].map { node throws(ImageProblem) in
            number(try JSONDump.bytes(node, "Counter2", count: 3))
        }
        if let node = card?["UID"], let uid = tag.uid,
            try JSONDump.bytes(node, "UID", count: uid.bytes.count) != uid.bytes
        {
            throw JSONDump.problem(
                "`UID` differs from the UID in blocks 0 and 1, \(Hex.text(uid.bytes))", at: node,
                hint: "correct one of them")
        }
        return CardImage(.tag(tag), .proxmarkJSON)
    }
}
