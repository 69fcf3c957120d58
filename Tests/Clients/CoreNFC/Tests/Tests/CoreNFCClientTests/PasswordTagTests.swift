import CoreNFC
import PasswordTag
import TapTesting
import Testing

/// The reader of password-protected tags with asynchronous commands.
@Suite(.timeLimit(.minutes(5)))
struct PasswordTagTests {
    private let reader = PasswordTagReader(password: Data([0xDE, 0xAD, 0xBE, 0xEF]), pack: Data([0xC0, 0xDE]))

    @Test(.card(.locked))
    func `A protected tag is read page by page after the password`() async throws {
        #expect(try await reader.addresses() == [try address])
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.commands.prefix(3) == ["ntag.get_version", "ntag.pwd_auth", "ntag.read"])
        #expect(end.errorMessage == nil)
    }

    @Test(.card(.locked))
    func `The NDEF functions fail after the password, since they select the tag anew`() async throws {
        let error = await #expect(throws: NFCReaderError.self) { try await reader.addressesByNDEF() }
        #expect(error?.code == .readerTransceiveErrorTagResponseError)
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.errorMessage == "The tag could not be used.")
    }

    @Test(.card(.ndef(uri: "https://example.com/t/42")))
    func `A tag without protection accepts the factory password and is read with NDEF`() async throws {
        let open = PasswordTagReader(password: Data(repeating: 0xFF, count: 4), pack: Data([0, 0]))
        #expect(try await open.addressesByNDEF() == [try address])
    }

    @Test(.card(.locked))
    func `A wrong password is reported as such, and tried once`() async throws {
        try await expectRefusal()
    }

    @Test(.card(.locked), .policy(.refusalsAsBytes))
    func `A wrong password is reported as such if the phone returns the refusal as a byte`() async throws {
        try await expectRefusal()
    }

    @Test(.card(.locked), .policy(.documented))
    func `A wrong password is reported as such if the phone reports an invalid response`() async throws {
        try await expectRefusal()
    }

    private func expectRefusal() async throws {
        let other = PasswordTagReader(password: Data([1, 2, 3, 4]), pack: Data([0xC0, 0xDE]))
        await #expect(throws: TagError.wrongPassword) { try await other.addresses() }
        let end = try await VirtualNFC.sessionEnd()
        #expect(end.commands == ["ntag.get_version", "ntag.pwd_auth"])
    }

    @Test(.card(.locked))
    func `A tag that answers with another PACK is not trusted`() async throws {
        let other = PasswordTagReader(password: reader.password, pack: Data([0, 1]))
        await #expect(throws: TagError.wrongPassword) { try await other.addresses() }
        #expect(try await !VirtualNFC.sessionEnd().commands.contains("ntag.read"))
    }

    @Test(.card(.blank()))
    func `A new tag is written, locked, read, unlocked and read without a password`() async throws {
        let open = PasswordTagReader(password: Data(repeating: 0xFF, count: 4), pack: Data([0, 0]))
        try await reader.protect(with: try address)
        await #expect(throws: (any Error).self) { try await open.addresses() }
        #expect(try await reader.addresses() == [try address])
        try await reader.unprotect()
        #expect(try await reader.addressesByNDEF() == [try address])
    }

    @Test(.card(.ndef(uri: "https://example.com/" + String(repeating: "long/", count: 80))))
    func `A message of more than 254 bytes has a length of three bytes`() async throws {
        let open = PasswordTagReader(password: Data(repeating: 0xFF, count: 4), pack: Data([0, 0]))
        let addresses = try await open.addresses()
        #expect(addresses.first?.absoluteString.count == 420)
    }

    @Test(.card(.blank()))
    func `A message longer than the memory is rejected before anything is written`() async throws {
        let long = try #require(URL(string: "https://example.com/" + String(repeating: "x", count: 600)))
        await #expect(throws: TagError.tooLong) { try await reader.protect(with: long) }
        #expect(try await !VirtualNFC.sessionEnd().commands.contains("ntag.write"))
    }

    @Test(.card(.locked), .fault(.loseTag(), when: .ntagRead, nth: 2))
    func `A removed tag ends the reading`() async {
        let error = await #expect(throws: NFCReaderError.self) { try await reader.addresses() }
        #expect(error?.code == .readerTransceiveErrorTagConnectionLost)
    }

    @Test(.card(.ntag213()))
    func `Another tag of the family is recognized by its version`() async {
        await #expect(throws: TagError.otherTag) { try await reader.addresses() }
    }

    @Test(.card(.locked), .card(.blank()))
    func `Two tags end the session`() async throws {
        await #expect(throws: NFCReaderError.self) { try await reader.addresses() }
        #expect(try await VirtualNFC.sessionEnd().errorMessage == "More than one tag was found.")
    }

    @Test(.card(.locked), .fault(.userCancel))
    func `Cancelling throws an error`() async {
        let error = await #expect(throws: NFCReaderError.self) { try await reader.addresses() }
        #expect(error?.code == .readerSessionInvalidationErrorUserCanceled)
    }

    private var address: URL {
        get throws { try #require(URL(string: "https://example.com/t/42")) }
    }
}

extension VirtualCard {
    /// An NTAG215 that cannot be read or written without the password.
    fileprivate static let locked: VirtualCard = .ntag215(
        ndef: [.uri("https://example.com/t/42")], password: "DE AD BE EF", pack: "C0 DE", auth0: 4,
        protection: .readWrite)
}
