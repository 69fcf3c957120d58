import TapWire

extension CardReader {
    /// Selects a Type 2 tag and asks it what it is.
    ///
    /// - Throws: ``ClientError``: no card, a card that is no Type 2 tag, or the exchange fails. A tag that refuses
    ///   GET_VERSION or is silent about it is no error.
    public mutating func identifyType2() async throws(ClientError) -> Type2Tag {
        let tag = try await activateType2()
        return Type2Tag(selection: tag, version: try await readVersion())
    }

    /// Asks for the version, or gives nothing if the tag refuses or ignores the command, or the link cannot carry it.
    ///
    /// - Throws: ``ClientError`` where the exchange fails.
    public mutating func readVersion() async throws(ClientError) -> GetVersion.Response? {
        do {
            return try await ask(GetVersion.Request(), Type2Opcode.getVersion.description)
        } catch {
            let isUnknown = error.acknowledgement != nil || error.code == .silence
            guard isUnknown || error.code == .link(.unsupported) else { throw error }
            return nil
        }
    }

    /// Gives the password, once: a tag may count wrong ones.
    ///
    /// The password is remembered, and given again whenever the tag has to be selected again.
    ///
    /// - Parameters:
    ///   - password: PWD, in the order of its page.
    ///   - pack: The PACK the tag should answer, or nothing if any will do.
    /// - Returns: The PACK.
    /// - Throws: ``ClientError``: a wrong password, another PACK, or the exchange fails.
    @discardableResult
    public mutating func authenticate(
        _ password: PageData, expecting pack: UInt16? = nil
    ) async throws(ClientError) -> UInt16 {
        selection?.password = nil
        let request = PasswordAuthentication.Request(password: password)
        let answer: PasswordAuthentication.Response
        do {
            answer = try await ask(request, Type2Opcode.passwordAuthentication.description, attempts: 1)
        } catch {
            throw error.acknowledgement.map { .wrongPassword($0) } ?? error
        }
        selection?.password = password
        if let pack, pack != answer.pack { throw .wrongPack(answer.pack, insteadOf: pack) }
        return answer.pack
    }

    /// Reads the NFC counter.
    ///
    /// - Throws: ``ClientError``: a NAK if the counter is off or needs the password, or the exchange fails.
    public mutating func readCounter() async throws(ClientError) -> UInt32 {
        let name = Type2Opcode.readCounter.description
        return try await ask(ReadCounter.Request(), name, for: ReadCounter.Response.self).value
    }

    /// Reads the originality signature; whether it is genuine is not checked.
    ///
    /// - Throws: ``ClientError``: a NAK if the tag has none, or the exchange fails.
    public mutating func readSignature() async throws(ClientError) -> OriginalitySignature {
        try await ask(ReadSignature.Request(), Type2Opcode.readSignature.description)
    }

    /// Writes a page, once.
    ///
    /// - Throws: ``ClientError``: a NAK if the page is locked, protected or does not exist, or the exchange fails.
    ///   After silence nobody knows whether the page was written.
    public mutating func writePage(_ page: UInt8, _ data: PageData) async throws(ClientError) {
        let target = "page \(Hex.digits(page, width: 2))"
        do {
            try await tell(WritePage.Request(page: page, data: data), "writing \(target)")
        } catch {
            throw error.isTransient ? .doubtfulWrite(target, error) : error
        }
    }
}
