import TapCards
import TapWire

/// What a dump of an NTAG21x tells: the pages that were read, and what lies outside the memory.
package struct TagImage: Hashable, Sendable {
    /// The IC, if the dump names it or is as long as its memory.
    package var product: NTAGProduct?
    /// The pages from page 0 on; `nil` for one that was not read.
    package var pages: [PageData?]
    package var version: GetVersion.Response?
    package var signature: OriginalitySignature?
    /// The NFC counter.
    package var counter: UInt32?
    package var failedAuthentications: UInt8?
    /// What the dump says and no NTAG21x can have, as it is written: `Counter 0: 5`.
    var leftOut: [String] = []
    /// The contradictions in the dump, and the part of it that the tag follows.
    var conclusions: [ImageNote] = []

    package init(_ product: NTAGProduct?, pages: [PageData?]) {
        self.product = product
        self.pages = pages
    }

    /// Takes memory from page 0 on, in whole pages.
    init(_ product: NTAGProduct?, memory: some Collection<UInt8>) {
        let bytes = Array(memory)
        self.init(
            product, pages: stride(from: 0, to: bytes.count, by: PageData.byteCount).map { PageData(bytes[$0...]) })
    }

    /// All of a tag; PWD and PACK as a reader reads them where they are not known.
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
    /// The tag of an IC that has these pages, those that were not read as at delivery.
    ///
    /// Readers read PWD as zeros, so a dump with these does not tell the password, nor does one without its page.
    package func tag(_ product: NTAGProduct) throws(ImageProblem) -> NTAGDefinition {
        let layout = product.layout
        guard pages.count <= layout.pageCount else {
            throw ImageProblem(
                "the dump has \(pages.count) pages, and an \(product.rawValue) has \(layout.pageCount)",
                hint: "name another IC, or another dump")
        }
        guard let uid = uid, var tag = try? NTAGDefinition(product, uid: uid) else {
            throw ImageProblem(
                "pages 0 and 1 were not read, so the UID is not known", hint: "read the tag once more")
        }
        for (number, page) in pages.enumerated() { if let page { tag[page: number] = page } }
        tag.isPasswordKnown = hasPassword(product)
        if let version { tag.version = version }
        if let signature { tag.signature = signature }
        if let counter { tag.counter = counter }
        if let failedAuthentications { tag.failedAuthentications = failedAuthentications }
        return tag
    }

    /// The UID as the pages have it.
    var uid: UID? {
        guard let first = page(0), let second = page(1) else { return nil }
        return UID(first.bytes.prefix(3) + second.bytes)
    }

    /// A page that was read.
    package func page(_ number: Int) -> PageData? { pages.indices.contains(number) ? pages[number] : nil }

    private func hasPassword(_ product: NTAGProduct) -> Bool {
        page(product.layout.passwordPage).map { $0 != .zero } ?? false
    }
}

extension TagImage {
    /// What the tag has and the dump does not.
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
                    hint: "the others are as at delivery; read the tag once more, with its password if it has one"))
        }
        if !hasPassword(product) { notes.append(passwordNote(product)) }
        return notes
            + missing.map { name, hint in
                ImageNote(.notHeld, "the dump does not hold the \(name)", hint: hint)
            }
            + leftOut.map { line in
                ImageNote(
                    .leftOut, "the dump says `\(line)`",
                    hint: "an \(product.rawValue) cannot have that, and it is left out")
            }
    }

    private func passwordNote(_ product: NTAGProduct) -> ImageNote {
        let reason =
            page(product.layout.passwordPage) == nil
            ? "it ends before PWD" : "PWD reads as zeros, as it does on every tag"
        return ImageNote(
            .secret, "the dump does not hold the password: \(reason)",
            hint: "write `config: {pwd: …}` beside `image`; until then PWD_AUTH is refused, whatever it sends")
    }

    private var missing: [(name: String, hint: String)] {
        [
            version == nil ? ("version", "GET_VERSION answers as the IC does") : nil,
            signature == nil ? ("signature", "READ_SIG answers zeros; write `config: {signature: …}`") : nil,
            counter == nil ? ("NFC counter", "it begins at 0; write `config: {counter: {value: …}}`") : nil,
        ].compactMap(\.self)
    }
}

extension TagImage {
    /// A tag whose IC is known, zeros in place of what was not read.
    struct Whole {
        let image: TagImage
        let product: NTAGProduct
        let uid: UID
        let memory: [UInt8]

        var version: GetVersion.Response { image.version ?? GetVersion.Response(0) }
        var signature: OriginalitySignature { image.signature ?? .zero }
        var counter: UInt32 { image.counter ?? 0 }
        /// How many pages from page 0 on were read.
        var readCount: Int { image.pages.prefix { $0 != nil }.count }
    }

    /// The tag as a format needs it that has a place for every page.
    ///
    /// - Parameter tellsGaps: Whether the format can say that pages were not read.
    func whole(tellsGaps: Bool) throws(ImageProblem) -> Whole {
        guard let product, let uid else {
            throw ImageProblem("the dump does not tell the IC and the UID of the tag", hint: "name the IC")
        }
        let layout = product.layout
        let unread = (0..<layout.passwordPage).filter { page($0) == nil }
        guard unread.isEmpty || tellsGaps else {
            throw ImageProblem(
                "the format has no way to say that pages were not read: \(RangeText.of(unread))",
                hint: "take --format flipper, or import the dump first, which fills them as at delivery")
        }
        let memory = (0..<layout.pageCount).flatMap { (page($0) ?? .zero).bytes }
        return Whole(image: self, product: product, uid: uid, memory: memory)
    }
}

extension GetVersion.Response {
    /// The answer in a dump; `nil` for the zeros that stand where none was read.
    init?(dumped bytes: [UInt8]) {
        guard bytes.count == Self.length, bytes.contains(where: { $0 != 0 }) else { return nil }
        self.init(UInt64(octets: bytes))
    }
}

extension OriginalitySignature {
    /// The signature in a dump; `nil` for the zeros that stand where none was read.
    init?(dumped bytes: [UInt8]) {
        guard let signature = try? OriginalitySignature(parsing: bytes), signature != .zero else { return nil }
        self = signature
    }
}
