import TapWire

/// All that can be read of a card of either family.
public enum CardDump: Hashable, Sendable {
    /// A FeliCa card.
    case felica(FeliCaDump)
    /// A Type 2 tag.
    case type2(Type2Dump)
}

/// All that can be read of a Type 2 tag.
public struct Type2Dump: Hashable, Sendable {
    /// The tag.
    public let tag: Type2Tag
    /// All pages, nothing for one that the tag refuses; PWD and PACK read as zero.
    public let pages: [PageData?]
    /// The originality signature, or nothing from a tag that refuses it.
    public let signature: OriginalitySignature?
    /// The NFC counter, or nothing from a tag that refuses it.
    public let counter: UInt32?
}

extension CardReader {
    /// Reads all of a card: of a Type 2 tag, or if there is none, of a FeliCa card.
    ///
    /// - Parameters:
    ///   - password: The password of an NTAG21x, or nothing to read what anybody may.
    ///   - pack: The PACK it should answer, or nothing if any will do.
    /// - Throws: ``ClientError``: no card, a wrong password, or the exchange fails.
    public mutating func dump(
        password: PageData? = nil, expecting pack: UInt16? = nil
    ) async throws(ClientError) -> CardDump {
        if let tag = try await findTypeA() {
            try begin(with: tag)
            return .type2(try await dumpType2(tag, password: password, expecting: pack))
        }
        return .felica(try await dumpFeliCa())
    }

    private mutating func dumpType2(
        _ selected: TypeATag, password: PageData?, expecting pack: UInt16?
    ) async throws(ClientError) -> Type2Dump {
        let tag = Type2Tag(selection: selected, version: try await readVersion())
        if let password { try await authenticate(password, expecting: pack) }
        let count = try await pageCount(of: tag)
        let run = try await readPages(0..<count)
        var pages: [PageData?] = run.pages
        pages += Array(repeating: nil, count: count - run.pages.count)
        return Type2Dump(
            tag: tag, pages: pages, signature: try await readSignatureIfAny(), counter: try await readCounterIfAny())
    }

    private mutating func readSignatureIfAny() async throws(ClientError) -> OriginalitySignature? {
        do {
            return try await readSignature()
        } catch {
            guard error.acknowledgement != nil else { throw error }
            return nil
        }
    }

    private mutating func readCounterIfAny() async throws(ClientError) -> UInt32? {
        do {
            return try await readCounter()
        } catch {
            guard error.acknowledgement != nil else { throw error }
            return nil
        }
    }

    /// Number of pages by the IC, or by the capability container; without either, that of the smallest tags.
    private mutating func pageCount(of tag: Type2Tag) async throws(ClientError) -> Int {
        if let product = tag.product { return product.layout.pageCount }
        let header = try await readPages(0..<NTAGLayout.firstUserPage)
        let smallest = 16
        guard header.pages.count == NTAGLayout.firstUserPage,
            let container = try? CapabilityContainer(parsing: header.pages[NTAGLayout.capabilityContainerPage].bytes),
            container.announcesNDEF
        else { return smallest }
        return min(256, max(smallest, NTAGLayout.firstUserPage + container.dataAreaSize / PageData.byteCount))
    }
}
