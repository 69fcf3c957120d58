import TapWire

public struct Type2Tag: Hashable, Sendable {
    /// UID, ATQA and SAK.
    public let selection: TypeATag
    /// The version; `nil` for a tag without GET_VERSION.
    public let version: GetVersion.Response?

    public var product: NTAGProduct? { version.flatMap { NTAGProduct($0) } }
}

/// A selected Type 2 tag, and the state to restore after it has lost the selection.
///
/// An NTAG falls back to IDLE with every NAK and forgets its authentication; a reader selects it again before the next
/// command. Source: NTAG213/215/216 data sheet rev. 3.2, "communication principle".
struct Type2Selection: Hashable, Sendable {
    let tag: TypeATag
    /// A Boolean value that indicates whether the tag may be in IDLE, after a NAK, silence or damage.
    var isLost = false
    var password: PageData?
    /// A Boolean value that indicates whether the tag has refused a FAST_READ of pages that READ could read.
    var refusesFastRead = false

    init(_ tag: TypeATag) {
        self.tag = tag
    }

    /// Page 00 of the tag; `nil` if the UID does not have the length of Type 2 tags.
    var firstPage: PageData? {
        let parts = tag.uid.cascadeParts
        guard parts.count == 2 else { return nil }
        return PageData(parts[0].bytes.dropFirst())
    }
}

extension CardReader {
    /// Selects a type A card, even a halted one.
    ///
    /// - Throws: ``ClientError`` if there is no card, it is not a Type 2 tag, or the link fails.
    @discardableResult
    public mutating func activateType2() async throws(ClientError) -> TypeATag {
        guard let tag = try await findTypeA() else { throw .noType2Tag }
        try begin(with: tag)
        return tag
    }

    /// Selects any type A card, searching as many times as ``Patience`` says, or `times`; `nil` if there is none.
    mutating func findTypeA(times: Int? = nil) async throws(ClientError) -> TypeATag? {
        guard let found = try await search(.typeA(wakeUp: true), times: times) else { return nil }
        guard case .typeA(let tag) = found else {
            throw .malformedAnswer(ShortFrame.wupa.description, "the link found a card of another technology")
        }
        return tag
    }

    mutating func begin(with tag: TypeATag) throws(ClientError) {
        guard tag.sak == .complete else {
            throw .unsupported("the card with SAK \(tag.sak) is not a Type 2 tag; use one with SAK \(SAK.complete)")
        }
        selection = Type2Selection(tag)
    }

    /// Sends a command and reads an answer of whole bytes; `action` names the command in messages.
    ///
    /// - Throws: ``ClientError`` for a NAK and for anything but the right answer.
    mutating func ask<Answer: FrameValue>(
        _ request: some FrameValue, _ action: String, attempts: Int? = nil, for _: Answer.Type = Answer.self
    ) async throws(ClientError) -> Answer {
        let frame = try await exchange(request, action, attempts: attempts ?? patience.attempts)
        if let acknowledgement = Acknowledgement(frame) {
            guard !acknowledgement.isAck else { throw lose(.malformedAnswer(action, "an ACK is not data")) }
            throw lose(.nak(acknowledgement, action))
        }
        do {
            return try Answer(parsing: frame.bytes)
        } catch {
            throw lose(.unreadable(action, error))
        }
    }

    /// Sends a command that changes the tag, only once, and waits for its ACK.
    ///
    /// - Throws: ``ClientError`` for anything but an ACK.
    mutating func sendChange(_ request: some FrameValue, _ action: String) async throws(ClientError) {
        let frame = try await exchange(request, action, attempts: 1)
        guard let acknowledgement = Acknowledgement(frame) else {
            throw lose(.wrongLength(frame.bytes.count, action, "an acknowledgement has four bits"))
        }
        guard acknowledgement.isAck else { throw lose(.nak(acknowledgement, action)) }
    }

    /// Records that the tag may be in IDLE, and returns the error.
    mutating func lose(_ error: ClientError) -> ClientError {
        selection?.isLost = true
        return error
    }

    /// Sends a command; selects the tag again first if the selection was lost.
    private mutating func exchange(
        _ request: some FrameValue, _ action: String, attempts: Int
    ) async throws(ClientError) -> RFFrame {
        let frame = RFFrame(.typeA106, request.bytes)
        var attemptsLeft = max(1, attempts)
        while true {
            attemptsLeft -= 1
            try await restoreSelection()
            do {
                let answer = try await send(frame, action, waiting: patience.type2)
                // This NAK means that the command arrived damaged, not that it is refused.
                guard attemptsLeft > 0, Acknowledgement(answer) == .checkFailed else { return answer }
                selection?.isLost = true
            } catch {
                selection?.isLost = true
                guard error.isTransient, attemptsLeft > 0 else { throw error }
            }
        }
    }

    /// Selects the tag again and sends the password that it had accepted.
    private mutating func restoreSelection() async throws(ClientError) {
        guard let known = selection else { throw .nothingSelected }
        guard known.isLost else { return }
        guard let tag = try await findTypeA(times: patience.searchesForLost) else { throw .noType2Tag }
        guard tag.uid == known.tag.uid else { throw .otherCard(tag.uid, insteadOf: known.tag.uid) }
        selection?.isLost = false
        if let password = known.password { try await repeatAuthentication(password) }
    }

    private mutating func repeatAuthentication(_ password: PageData) async throws(ClientError) {
        let frame = RFFrame(.typeA106, PasswordAuthentication.Request(password: password).bytes)
        let answer: RFFrame
        do {
            answer = try await send(frame, Type2Opcode.passwordAuthentication.description, waiting: patience.type2)
        } catch {
            throw lose(error)
        }
        if let acknowledgement = Acknowledgement(answer) { throw lose(.wrongPassword(acknowledgement)) }
        do {
            _ = try PasswordAuthentication.Response(parsing: answer.bytes)
        } catch {
            throw lose(.unreadable(Type2Opcode.passwordAuthentication.description, error))
        }
    }
}

extension Acknowledgement {
    /// Creates an acknowledgement from a frame; `nil` unless the frame has four bits.
    package init?(_ frame: RFFrame) {
        guard frame.bitCount == Self.bitCount, let byte = frame.bytes.first else { return nil }
        self.init(byte)
    }
}
