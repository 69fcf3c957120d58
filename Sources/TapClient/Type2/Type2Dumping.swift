import TapWire

extension CardReader {
    /// Reads all of a selected tag.
    mutating func dumpType2(
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
