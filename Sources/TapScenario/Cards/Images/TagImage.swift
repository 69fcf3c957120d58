import TapCards
import TapWire

/// What a dump of an NTAG21x tells: its pages, and what lies outside its memory as far as the dump has it.
struct TagImage: Hashable {
    /// Most bytes of a dump; the text of the largest tag takes a tenth of it.
    static let maximumBytes = 1 << 16

    /// The IC, if the dump names it or is as long as its memory.
    var product: NTAGProduct?
    /// The pages from page 0 on.
    var memory: [UInt8]
    var version: GetVersion.Response?
    /// The answer to READ_SIG.
    var signature: OriginalitySignature?
    /// The NFC counter.
    var counter: UInt32?
    /// Wrong passwords since the last right one.
    var failedAuthentications: UInt8?

    /// Takes the memory of a tag, whose length tells the IC unless a version does.
    init(_ memory: [UInt8], version: [UInt8]? = nil, signature: [UInt8]? = nil) {
        self.memory = memory
        if let version, version.count == GetVersion.Response.length, version.contains(where: { $0 != 0 }) {
            self.version = GetVersion.Response(UInt64(octets: version))
        }
        self.signature = signature.flatMap { try? OriginalitySignature(parsing: $0) }
        product =
            self.version.flatMap(NTAGProduct.init)
            ?? NTAGProduct.allCases.first { $0.layout.byteCount == memory.count }
    }

    /// Why a file is no dump of a tag.
    struct Problem: Error, Hashable {
        /// What is wrong, half a sentence.
        let message: String
        let hint: String
    }

    /// The tag of an IC that has these pages, those the dump does not have as at delivery.
    ///
    /// Readers read PWD as zeros, so a dump with these does not tell the password, as one that ends before it.
    func tag(_ product: NTAGProduct) throws(NTAGDefinitionError) -> NTAGDefinition {
        var tag = try NTAGDefinition(product, image: memory)
        tag.isPasswordKnown = hasPassword(product) && tag.password != .zero
        if let version { tag.version = version }
        if let signature { tag.signature = signature }
        if let counter { tag.counter = counter }
        if let failedAuthentications { tag.failedAuthentications = failedAuthentications }
        return tag
    }

    /// Whether the page of PWD is among those of the dump.
    func hasPassword(_ product: NTAGProduct) -> Bool {
        memory.count > product.layout.passwordPage * PageData.byteCount
    }
}
