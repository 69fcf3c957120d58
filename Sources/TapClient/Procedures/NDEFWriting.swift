import TapWire

extension CardReader {
    /// Replaces the NDEF message of a Type 2 tag.
    ///
    /// Sets the length to zero, writes the data, then the true length: a tag that leaves in between contains an empty
    /// message, not a torn one. Control blocks before the message are kept; unchanged pages are not written. Finally
    /// everything is read back and compared.
    ///
    /// - Parameters:
    ///   - message: The new message.
    ///   - password: The password of an NTAG21x, or `nil` if it needs none.
    ///   - pack: The PACK that the tag should answer, or `nil` for any.
    /// - Throws: ``ClientError`` if there is no Type 2 tag, no NDEF on it, or no room; for read-only, locked or protected
    ///   pages; for a NAK; or if bytes read back differently. Readable settings that prevent the write are found before the
    ///   first write.
    public mutating func writeNDEF(
        _ message: NDEFMessage, password: PageData? = nil, expecting pack: UInt16? = nil
    ) async throws(ClientError) {
        let tag = try await identifyType2()
        if let password { try await authenticate(password, expecting: pack) }
        var memory = try await readNDEFMemory(of: tag)
        try Self.checkAccess(memory.container, isAuthenticated: password != nil)
        let plan = try await planWrite(of: message, over: &memory)
        if password == nil { try await checkProtection(of: tag, against: plan) }
        try await checkLocks(of: tag, header: memory.bytes, against: plan)
        for (page, data) in plan.writes { try await writePage(page, data) }
        let written = try await readPages(plan.pages)
        guard written.pages == plan.expected else { throw .notWritten("the message") }
    }

    private static func checkAccess(
        _ container: CapabilityContainer, isAuthenticated: Bool
    ) throws(ClientError) {
        switch container.writeAccess {
        case .free: break
        case .password where isAuthenticated: break
        case .password: throw .protected("writing")
        default: throw .readOnly("its capability container forbids writing")
        }
    }

    /// Throws before the first write if a later write would need a password.
    private mutating func checkProtection(
        of tag: Type2Tag, against plan: NDEFWritePlan
    ) async throws(ClientError) {
        guard let product = tag.product, let last = plan.writes.map(\.page).max() else { return }
        switch try await readProtection(of: product) {
        case .writing(let first) where first <= last, .readingAndWriting(.some(let first)) where first <= last:
            throw .protected("page \(Hex.digits(first, width: 2)) with all pages after it")
        case .none, .writing, .readingAndWriting: break
        }
    }

    /// Throws before the first write if a later write would meet a locked page.
    private mutating func checkLocks(
        of tag: Type2Tag, header: [UInt8], against plan: NDEFWritePlan
    ) async throws(ClientError) {
        let pages = plan.writes.map { Int($0.page) }
        let staticLocks = StaticLockBits(PageData(header.dropFirst(NTAGLayout.staticLockPage * PageData.byteCount)))
        var locked = pages.filter { staticLocks.locks($0) }
        if let layout = tag.product?.layout, pages.contains(where: { $0 >= NTAGLayout.firstDynamicallyLockedPage }) {
            let run = try await readPages(layout.dynamicLockPage..<layout.dynamicLockPage + 1)
            if let page = run.pages.first { locked += pages.filter { DynamicLockBits(page).locks($0, of: layout) } }
        }
        if let first = locked.min() { throw .readOnly("page \(Hex.digits(first, width: 2)) is locked") }
    }

    /// Puts the message into the memory image, after reading the unknown rest of its first and last page.
    private mutating func planWrite(
        of message: NDEFMessage, over memory: inout Type2NDEFMemory
    ) async throws(ClientError) -> NDEFWritePlan {
        while true {
            switch try memory.writing(message.bytes) {
            case .pagesMissing(let count): try await extend(&memory, by: count)
            case .plan(let plan): return plan
            }
        }
    }
}

/// The page writes that turn one memory image into another without a torn message in between.
package struct NDEFWritePlan {
    package private(set) var writes: [(page: UInt8, data: PageData)] = []
    let pages: Range<Int>
    let expected: [PageData]

    /// Plans the writes between two images of the same length, given the addresses of type and length in the new one.
    init(from old: [UInt8], to new: [UInt8], typeAddress: Int, lengthAddress: Int) {
        pages = NTAGLayout.firstUserPage..<min(old.count, new.count) / PageData.byteCount
        expected = pages.map { Self.page($0, of: new) }
        var empty = old
        empty[typeAddress] = TLVType.ndefMessage.rawValue
        empty[lengthAddress] = 0
        var filled = new
        filled[lengthAddress] = 0
        guard old != new else { return }
        // The length comes first, since the new type byte must not precede a foreign length.
        add(from: old, to: empty, pages.reversed())
        add(from: empty, to: filled, Array(pages))
        add(from: filled, to: new, Array(pages))
    }

    private mutating func add(from old: [UInt8], to new: [UInt8], _ pages: [Int]) {
        for page in pages where Self.page(page, of: old) != Self.page(page, of: new) {
            writes.append((UInt8(truncatingIfNeeded: page), Self.page(page, of: new)))
        }
    }

    private static func page(_ page: Int, of image: [UInt8]) -> PageData {
        PageData(image.dropFirst(page * PageData.byteCount))
    }
}
