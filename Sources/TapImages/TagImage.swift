import TapCards
import TapWire

/// A dump of an NTAG21x: the pages that were read, and values outside the memory.
package struct TagImage: Hashable, Sendable {
    /// The IC, if the dump names it or its length identifies it.
    package var product: NTAGProduct?
    /// The pages from page 0 on; `nil` for pages that were not read.
    package var pages: [PageData?]
    package var version: GetVersion.Response?
    package var signature: OriginalitySignature?
    package var counter: UInt32?
    package var failedAuthentications: UInt8?
    /// Statements of the dump that do not apply to an NTAG21x, as written: `Counter 0: 5`.
    var leftOut: [String] = []
    /// The contradictions in the dump, with the side that the tag follows.
    var conclusions: [ImageNote] = []

    package init(_ product: NTAGProduct?, pages: [PageData?]) {
        self.product = product
        self.pages = pages
    }

    /// Creates a dump from memory that starts at page 0 and consists of whole pages.
    init(_ product: NTAGProduct?, memory: some Collection<UInt8>) {
        let bytes = Array(memory)
        self.init(
            product, pages: stride(from: 0, to: bytes.count, by: PageData.byteCount).map { PageData(bytes[$0...]) })
    }

    /// Creates the dump of a tag, with unknown PWD and PACK as readers see them.
    package init(_ tag: NTAGDefinition) {
        self.init(tag.product, memory: tag.memory)
        if !tag.isPasswordKnown {
            pages[tag.product.layout.passwordPage] = .zero
            pages[tag.product.layout.packPage] = .zero
        }
        version = tag.version
        signature = tag.signature
        counter = tag.counter
        failedAuthentications = tag.failedAuthentications
    }
}

extension TagImage {
    /// Builds a tag with a given IC and these pages; pages that were not read are as at delivery.
    ///
    /// Readers see PWD as zeros, so the password is unknown if the PWD page is zero or missing.
    package func tag(_ product: NTAGProduct) throws(ImageProblem) -> NTAGDefinition {
        let layout = product.layout
        guard pages.count <= layout.pageCount else {
            throw ImageProblem(
                "the dump has \(pages.count) pages, but an \(product.rawValue) has \(layout.pageCount)",
                hint: "use another IC or another dump")
        }
        guard let uid = uid, var tag = try? NTAGDefinition(product, uid: uid) else {
            throw ImageProblem(
                "pages 0 and 1 were not read, so the UID is unknown", hint: "read the tag again")
        }
        for (number, page) in pages.enumerated() { if let page { tag[page: number] = page } }
        tag.isPasswordKnown = hasPassword(product)
        if let version { tag.version = version }
        if let signature { tag.signature = signature }
        if let counter { tag.counter = counter }
        if let failedAuthentications { tag.failedAuthentications = failedAuthentications }
        return tag
    }

    var uid: UID? {
        guard let first = page(0), let second = page(1) else { return nil }
        return UID(first.bytes.prefix(3) + second.bytes)
    }

    /// A page, or `nil` if it was not read.
    package func page(_ number: Int) -> PageData? { pages.indices.contains(number) ? pages[number] : nil }

    private func hasPassword(_ product: NTAGProduct) -> Bool {
        page(product.layout.passwordPage).map { $0 != .zero } ?? false
    }
}

extension TagImage {
    /// The parts of the tag that are missing from the dump.
    func notes(on product: NTAGProduct) -> [ImageNote] {
        let layout = product.layout
        var notes = conclusions
        let unread = (0..<layout.passwordPage).filter { page($0) == nil }
        if !unread.isEmpty {
            notes.append(
                ImageNote(
                    .unread,
                    "the dump has \(layout.passwordPage - unread.count) of the \(layout.passwordPage) pages of an "
                        + "\(product.rawValue) before PWD; not read: \(RangeText.of(unread))",
                    hint:
                        "the other pages have their delivery state; read the tag again, with its password if it has one"
                ))
        }
        if !hasPassword(product) { notes.append(passwordNote(product)) }
        return notes
            + missing.map { name, hint in
                ImageNote(.notHeld, "the dump does not contain the \(name)", hint: hint)
            }
            + leftOut.map { line in
                ImageNote(
                    .leftOut, "the dump states `\(line)`",
                    hint: "this is ignored, since it is not possible with an \(product.rawValue)")
            }
    }

    private func passwordNote(_ product: NTAGProduct) -> ImageNote {
        let reason =
            page(product.layout.passwordPage) == nil
            ? "it ends before PWD" : "PWD always reads as zeros"
        return ImageNote(
            .secret, "the dump does not contain the password: \(reason)",
            hint: "write `config: {pwd: …}` next to `image`; otherwise every PWD_AUTH is refused")
    }

    private var missing: [(name: String, hint: String)] {
        [
            version == nil ? ("version", "GET_VERSION returns the version of the IC") : nil,
            signature == nil ? ("signature", "READ_SIG returns zeros; write `config: {signature: …}`") : nil,
            counter == nil ? ("NFC counter", "it starts at 0; write `config: {counter: {value: …}}`") : nil,
        ].compactMap(\.self)
    }
}

extension TagImage {
    /// A tag with a known IC, and zeros for pages that were not read.
    struct Whole {
        let image: TagImage
        let product: NTAGProduct
        let uid: UID
        let memory: [UInt8]

        var version: GetVersion.Response { image.version ?? GetVersion.Response(0) }
        var signature: OriginalitySignature { image.signature ?? .zero }
        var counter: UInt32 { image.counter ?? 0 }
        /// The number of pages that were read without a gap from page 0 on.
        var readCount: Int { image.pages.prefix { $0 != nil }.count }
    }

    /// The complete tag for formats that store every page.
    ///
    /// - Parameter tellsGaps: A Boolean value that indicates whether the format can mark pages as not read.
    func whole(tellsGaps: Bool) throws(ImageProblem) -> Whole {
        guard let product, let uid else {
            throw ImageProblem("the dump does not state the IC and the UID of the tag", hint: "specify the IC")
        }
        let layout = product.layout
        let unread = (0..<layout.passwordPage).filter { page($0) == nil }
        guard unread.isEmpty || tellsGaps else {
            throw ImageProblem(
                "the format cannot mark pages as not read: \(RangeText.of(unread))",
                hint: "use --format flipper, or import the dump first, which sets these pages to their delivery state")
        }
        let memory = (0..<layout.pageCount).flatMap { (page($0) ?? .zero).bytes }
        return Whole(image: self, product: product, uid: uid, memory: memory)
    }
}

extension GetVersion.Response {
    /// Creates a version from a dump, or `nil` for zeros, which stand for a version that was not read.
    init?(dumped bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.contains(where: { $0 != 0 }) else { return nil }
        self.init(UInt64(octets: bytes))
    }
}

extension OriginalitySignature {
    /// Creates a signature from a dump, or `nil` for zeros, which stand for a signature that was not read.
    init?(dumped bytes: [UInt8]) {
        guard let signature = try? OriginalitySignature(parsing: bytes), signature != .zero else { return nil }
        self = signature
    }
}
