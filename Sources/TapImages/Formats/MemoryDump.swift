import TapWire

/// Binary dumps of an NTAG21x: its memory, alone or with additions by tools.
///
/// Sources: nfc-mfultralight of libnfc, which writes the memory; the notes on file formats of the Proxmark3 client. Tools for
/// game figures write memory without PWD and PACK, or with the signature appended.
enum MemoryDump {
    /// The layout of a file with a given length.
    private struct Shape {
        let product: NTAGProduct
        let header: Int
        let pageCount: Int
        let hasSignature: Bool

        var byteCount: Int {
            header + pageCount * PageData.byteCount + (hasSignature ? OriginalitySignature.byteCount : 0)
        }
    }

    private static let shapes: [Shape] = NTAGProduct.allCases.flatMap { product in
        let layout = product.layout
        let all = layout.pageCount
        let bare = [all, layout.passwordPage, layout.dynamicLockPage].map {
            Shape(product: product, header: 0, pageCount: $0, hasSignature: false)
        }
        return bare + [
            Shape(product: product, header: 0, pageCount: all, hasSignature: true),
            Shape(product: product, header: ProxmarkTag.headerCount, pageCount: all, hasSignature: false),
            Shape(product: product, header: ProxmarkTag.oldHeaderCount, pageCount: all, hasSignature: false),
        ]
    }

    /// Reads a dump with a known length, or as pages of an IC that the caller must name.
    static func image(_ bytes: [UInt8]) throws(ImageProblem) -> CardImage {
        let fitting = shapes.filter { $0.byteCount == bytes.count && checkBytes(of: bytes, at: $0.header) == nil }
        if let shape = fitting.first {
            let image = image(bytes, shape)
            if let other = implied(by: image), other != shape.product {
                throw ImageProblem(
                    "the dump has the length of an \(shape.product.rawValue) dump, \(bytes.count) bytes, but its content "
                        + "is that of an \(other.rawValue)", hint: "the dump is incomplete; read the tag again")
            }
            return image
        }
        guard !bytes.isEmpty, bytes.count % PageData.byteCount == 0 else {
            throw ImageProblem(
                "the dump has \(CountText.of(bytes.count, "byte")), which is not a multiple of 4, the size of a page",
                hint: ImageFormat.readFormats)
        }
        if let problem = checkBytes(of: bytes, at: 0) {
            let headers = [ProxmarkTag.headerCount, ProxmarkTag.oldHeaderCount]
            throw headers.lazy.compactMap { cut(bytes, after: $0) }.first ?? problem
        }
        return CardImage(.tag(TagImage(nil, memory: bytes)), .bin)
    }

    /// The problem with pages after a header whose number matches no IC.
    private static func cut(_ bytes: [UInt8], after header: Int) -> ImageProblem? {
        guard checkBytes(of: bytes, at: header) == nil else { return nil }
        let pages = CountText.of((bytes.count - header) / PageData.byteCount, "page")
        return ImageProblem(
            "the dump ends at offset \(bytes.count), with \(pages) after a header of the Proxmark3 client, but no "
                + "NTAG21x has this number of pages", hint: "the dump is incomplete; read the tag again")
    }

    /// The IC implied by the content: by its version, otherwise by a capability container with which only one IC is
    /// delivered.
    private static func implied(by image: CardImage) -> NTAGProduct? {
        guard case .tag(let tag) = image.content else { return nil }
        return tag.version.flatMap { NTAGProduct($0) }
            ?? NTAGProduct.allCases.first {
                tag.page(NTAGLayout.capabilityContainerPage) == $0.deliveredCapabilityContainer
            }
    }

    private static func image(_ bytes: [UInt8], _ shape: Shape) -> CardImage {
        let start = shape.header
        var tag = TagImage(
            shape.product, memory: bytes[start..<start + shape.pageCount * PageData.byteCount])
        switch shape.header {
        case ProxmarkTag.headerCount: ProxmarkTag.readHeader(bytes, into: &tag)
        case ProxmarkTag.oldHeaderCount: ProxmarkTag.readOldHeader(bytes, into: &tag)
        default: break
        }
        if shape.hasSignature {
            tag.signature = OriginalitySignature(dumped: bytes.suffix(OriginalitySignature.byteCount))
        }
        return CardImage(.tag(tag), shape.header == 0 ? .bin : .proxmarkBinary)
    }

    /// A tag with valid check bytes, by which binary dumps are recognised.
    static func checked(_ tag: TagImage) throws(ImageProblem) -> TagImage.Whole {
        let whole = try tag.whole(tellsGaps: false)
        guard checkBytes(of: whole.memory, at: 0) == nil else {
            throw ImageProblem(
                "BCC0 or BCC1 of the tag is wrong; binary dumps are recognized by these bytes",
                hint: "use --format flipper")
        }
        return whole
    }

    /// The reason why bytes are not the memory of a tag: BCC0 or BCC1 does not match the UID.
    static func checkBytes(of bytes: [UInt8], at start: Int) -> ImageProblem? {
        guard bytes.count >= start + 3 * PageData.byteCount else {
            return ImageProblem(
                "the dump ends at offset \(bytes.count), before the pages with the UID", hint: ImageFormat.readFormats)
        }
        let page = bytes[start...].prefix(9).map { $0 }
        let checks = [(3, UID.cascadeTag ^ page[0] ^ page[1] ^ page[2]), (8, page[4] ^ page[5] ^ page[6] ^ page[7])]
        for (number, (offset, expected)) in checks.enumerated() where page[offset] != expected {
            return ImageProblem(
                "BCC\(number) at offset \(start + offset) is \(Hex.digits(page[offset], width: 2)), but the UID before "
                    + "it requires \(Hex.digits(expected, width: 2)): these are not the pages of an NTAG21x",
                hint: ImageFormat.readFormats)
        }
        return nil
    }
}
