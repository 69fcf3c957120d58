import CoreNFC

/// An app's operations on password-protected tags, with a session for each step.
public struct PasswordTagReader {
    public let password: Data
    public let pack: Data

    public init(password: Data, pack: Data) {
        self.password = password
        self.pack = pack
    }

    /// The addresses on a protected tag, read page by page.
    public func addresses() async throws -> [URL] {
        try await TagSession().run("Hold the tag to the iPhone.") { tag in
            let ntag = try await NTAG215(tag)
            guard try await ntag.authenticate(password) == pack else { throw TagError.wrongPassword }
            return try await ntag.readMessage().records.compactMap { $0.wellKnownTypeURIPayload() }
        }
    }

    /// Does the same with the NDEF functions of Core NFC, which select the tag again and so lose the authentication.
    public func addressesByNDEF() async throws -> [URL] {
        try await TagSession().run("Hold the tag to the iPhone.") { tag in
            try await NTAG215(tag).authenticate(password)
            return try await tag.readNDEF().records.compactMap { $0.wellKnownTypeURIPayload() }
        }
    }

    /// Writes an address and locks the tag.
    public func protect(with address: URL) async throws {
        guard let record = NFCNDEFPayload.wellKnownTypeURIPayload(url: address) else { throw TagError.badContent }
        try await TagSession().run("Hold a new tag to the iPhone.") { tag in
            let ntag = try await NTAG215(tag)
            try await ntag.writeMessage(NFCNDEFMessage(records: [record]))
            try await ntag.protect(password: password, pack: pack)
        }
    }

    /// Removes the protection.
    public func unprotect() async throws {
        try await TagSession().run("Hold the tag to the iPhone.") { tag in
            let ntag = try await NTAG215(tag)
            try await ntag.authenticate(password)
            try await ntag.unprotect()
        }
    }
}
