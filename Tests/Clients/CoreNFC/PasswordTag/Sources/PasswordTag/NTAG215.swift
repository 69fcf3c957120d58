import CoreNFC

/// The commands of an NTAG215 over a connected tag.
public struct NTAG215 {
    static let userPages: ClosedRange<UInt8> = 0x04...0x81
    private static let acknowledgement = Data([0x0A])

    let tag: NFCMiFareTag

    /// Uses the tag if it identifies itself as an NTAG215.
    public init(_ tag: NFCMiFareTag) async throws {
        let version = try await tag.sendMiFareCommand(commandPacket: Data([0x60]))
        guard version.count == 8, version[2] == 0x04, version[6] == 0x11 else { throw TagError.otherTag }
        self.tag = tag
    }

    /// Sends the password; returns the two bytes with which the tag proves that it knows the password.
    ///
    /// A tag's refusal arrives in different forms: as a lost connection, as an invalid response or as a single byte.
    @discardableResult
    public func authenticate(_ password: Data) async throws -> Data {
        do {
            let pack = try await tag.sendMiFareCommand(commandPacket: Data([0x1B]) + password)
            guard pack.count == 2 else { throw TagError.wrongPassword }
            return pack
        } catch NFCReaderError.readerTransceiveErrorTagConnectionLost,
            NFCReaderError.readerTransceiveErrorTagResponseError
        {
            throw TagError.wrongPassword
        }
    }

    /// Reads four pages, starting at the given page.
    public func read(_ page: UInt8) async throws -> Data {
        let data = try await tag.sendMiFareCommand(commandPacket: Data([0x30, page]))
        guard data.count == 16 else { throw TagError.refused(page: page) }
        return data
    }

    /// Writes one page of four bytes.
    public func write(_ bytes: Data, to page: UInt8) async throws {
        let answer = try await tag.sendMiFareCommand(commandPacket: Data([0xA2, page]) + bytes)
        guard answer == Self.acknowledgement else { throw TagError.refused(page: page) }
    }

    /// Reads the user memory up to the terminator, page by page.
    public func readMessage() async throws -> NFCNDEFMessage {
        var memory = Data()
        for page in stride(from: Self.userPages.lowerBound, through: Self.userPages.upperBound - 3, by: 4) {
            memory += try await read(page)
            if let value = try TLV.message(in: memory) {
                guard let message = NFCNDEFMessage(data: value) else { throw TagError.badContent }
                return message
            }
        }
        throw TagError.badContent
    }

    /// Writes a message and its length last, so that a tag removed in between shows no partial message.
    public func writeMessage(_ message: NFCNDEFMessage) async throws {
        let block = try TLV.block(NDEFWriter.data(of: message))
        guard block.count <= Self.userPages.count * 4 else { throw TagError.tooLong }
        let pages = stride(from: 0, to: block.count, by: 4).map { Data((block + Data(count: 3))[$0..<$0 + 4]) }
        let first = Self.userPages.lowerBound
        try await write(Data([0x03, 0x00, 0xFE, 0x00]), to: first)
        for (index, page) in pages.enumerated().dropFirst() {
            try await write(page, to: first + UInt8(index))
        }
        try await write(pages[0], to: first)
    }

    /// Protects reading and writing, starting at the first user page.
    public func protect(password: Data, pack: Data) async throws {
        try await write(password, to: 0x85)
        try await write(pack + Data([0, 0]), to: 0x86)
        let configuration = try await read(0x83)
        try await write(Data([configuration[4] | 0x80]) + configuration[5..<8], to: 0x84)
        try await write(configuration[0..<3] + Data([Self.userPages.lowerBound]), to: 0x83)
    }

    /// Removes the protection; the password stays the same.
    public func unprotect() async throws {
        let configuration = try await read(0x83)
        try await write(configuration[0..<3] + Data([0xFF]), to: 0x83)
        try await write(Data([configuration[4] & 0x7F]) + configuration[5..<8], to: 0x84)
    }
}
