import TapWire

public enum NTAGProtection: Hashable, Sendable {
    case none
    case writing(from: Int)
    /// Reading and writing from a page on; `nil` if the tag hides its settings.
    case readingAndWriting(from: Int?)

    init(_ configuration: NTAGConfiguration, of layout: NTAGLayout) {
        let first = Int(configuration.auth0)
        if first >= layout.pageCount {
            self = .none
        } else {
            self = configuration.access.prot ? .readingAndWriting(from: first) : .writing(from: first)
        }
    }
}

extension CardReader {
    public mutating func readProtection(of product: NTAGProduct) async throws(ClientError) -> NTAGProtection {
        guard let configuration = try await readConfiguration(of: product) else {
            return .readingAndWriting(from: nil)
        }
        return NTAGProtection(configuration, of: product.layout)
    }

    /// Sets or changes the password of the selected NTAG21x.
    ///
    /// PACK, PWD and PROT are written before AUTH0, so that no page is protected by an unset password. Finally the tag is
    /// selected again and has to accept the password.
    ///
    /// - Parameters:
    ///   - tag: The selected tag, authenticated if protected.
    ///   - password: The new password.
    ///   - pack: The PACK that the tag answers to the password.
    ///   - first: The first protected page, at most the page of PWD, which anyone could change otherwise.
    ///   - reading: A Boolean value that indicates whether reading needs the password, too.
    /// - Throws: ``ClientError`` if the tag is not an NTAG21x, the page is out of range or the settings are locked
    ///   permanently; for a NAK; or if the tag does not contain what was written.
    public mutating func protect(
        _ tag: Type2Tag, password: PageData, pack: UInt16, from first: Int = NTAGLayout.firstUserPage,
        reading: Bool = true
    ) async throws(ClientError) {
        let product = try tag.knownProduct()
        let layout = product.layout
        guard 0...layout.passwordPage ~= first, let auth0 = UInt8(exactly: first) else {
            throw .unsupported(
                "AUTH0 \(Hex.digits(first, width: 2)) leaves the password itself unprotected; use at most "
                    + Hex.digits(layout.passwordPage, width: 2))
        }
        var configuration = try await writableConfiguration(of: product)
        configuration.auth0 = auth0
        configuration.access.prot = reading
        try await writePassword(password, pack, layout)
        try await writePage(layout.cfg1Page, configuration.cfg1)
        try await writePage(layout.cfg0Page, configuration.cfg0)
        try await verify(configuration, of: tag, password: password, pack: pack)
    }

    /// Removes the password of the selected, authenticated NTAG21x, and restores the PWD and PACK of a new tag.
    ///
    /// - Throws: ``ClientError`` if the tag is not an NTAG21x or the settings are locked permanently; for a NAK; or if the
    ///   tag does not contain what was written.
    public mutating func removeProtection(of tag: Type2Tag) async throws(ClientError) {
        let product = try tag.knownProduct()
        let layout = product.layout
        var configuration = try await writableConfiguration(of: product)
        configuration.auth0 = NTAGConfiguration.delivered.auth0
        configuration.access.prot = false
        let password = PageData(0xFF, 0xFF, 0xFF, 0xFF)
        try await writePage(layout.cfg0Page, configuration.cfg0)
        try await writePage(layout.cfg1Page, configuration.cfg1)
        try await writePassword(password, 0, layout)
        try await verify(configuration, of: tag, password: password, pack: 0)
    }

    /// Reads CFG0 and CFG1; `nil` if the tag refuses.
    mutating func readConfiguration(of product: NTAGProduct) async throws(ClientError) -> NTAGConfiguration? {
        let page = product.layout.cfg0Page
        let run = try await readPages(page..<page + 2)
        return run.pages.count == 2 ? NTAGConfiguration(cfg0: run.pages[0], cfg1: run.pages[1]) : nil
    }

    private mutating func writableConfiguration(of product: NTAGProduct) async throws(ClientError) -> NTAGConfiguration
    {
        guard let configuration = try await readConfiguration(of: product) else {
            throw .protected("the configuration")
        }
        guard !configuration.access.cfglck else { throw .readOnly("its configuration is locked permanently by CFGLCK") }
        return configuration
    }

    /// Writes PACK and PWD; later selections use the new password.
    private mutating func writePassword(
        _ password: PageData, _ pack: UInt16, _ layout: NTAGLayout
    ) async throws(ClientError) {
        try await writePage(layout.packPage, PageData(UInt8(pack >> 8), UInt8(truncatingIfNeeded: pack), 0, 0))
        try await writePage(layout.passwordPage, password)
        if selection?.password != nil { selection?.password = password }
    }

    private mutating func writePage(_ page: Int, _ data: PageData) async throws(ClientError) {
        try await writePage(UInt8(truncatingIfNeeded: page), data)
    }

    /// Selects the tag again, so that the settings take effect, sends the password, and compares the configuration.
    private mutating func verify(
        _ configuration: NTAGConfiguration, of tag: Type2Tag, password: PageData, pack: UInt16
    ) async throws(ClientError) {
        let found = try await activateType2()
        guard found.uid == tag.selection.uid else { throw .otherCard(found.uid, insteadOf: tag.selection.uid) }
        try await authenticate(password, expecting: pack)
        guard try await readConfiguration(of: tag.knownProduct()) == configuration else {
            throw .notWritten("the configuration")
        }
    }
}

extension Type2Tag {
    fileprivate func knownProduct() throws(ClientError) -> NTAGProduct {
        guard let product else {
            throw .unsupported("the tag is not an NTAG213, NTAG215 or NTAG216; use one of these for a password")
        }
        return product
    }
}
