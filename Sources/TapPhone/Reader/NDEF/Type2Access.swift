import TapClient
import TapField
import TapWire

/// Why a step of an NDEF procedure on a Type 2 tag ended.
struct Type2Failure: Error, Hashable {
    /// The NAK of the tag, if it answered one.
    let refusal: Acknowledgement?
    /// Whether the tag is still before the phone.
    let isPresent: Bool
    /// The error where the procedure has no other one for it.
    let error: PhoneError
}

/// Steps of the NDEF procedures on a Type 2 tag.
extension PhoneReader {
    /// Selects the tag anew, as each procedure begins: a tag that a raw PWD_AUTH has opened is closed by it.
    ///
    /// Source: a public trace of a phone, in which each step begins with HLTA, WUPA and two SELECTs.
    mutating func openType2(_ tag: PhoneTag, in world: inout World) throws(PhoneError) -> Int {
        let (index, state) = try readyTypeA(tag, in: &world)
        world.halt()
        guard world.selectTypeA(state.uid, waiting: PhonePatience.search) != nil else {
            lose(index)
            throw silence(of: index, to: "its selection", after: PhonePatience.search, in: world)
        }
        return index
    }

    /// Reads the capability container; nothing but it counts of the answer, which begins there.
    mutating func readContainer(
        of index: Int, in world: inout World
    ) throws(Type2Failure) -> CapabilityContainer {
        let pages = try readPages(from: NTAGLayout.capabilityContainerPage, of: index, in: &world)
        do {
            return try CapabilityContainer(parsing: pages[0].bytes)
        } catch {
            throw malformed(.malformedData("capability container", error))
        }
    }

    /// Reads the memory from page 4 up to the end of the NDEF message, or of the blocks if there is none.
    ///
    /// What lies before page 4 is taken for zeros but for the capability container.
    mutating func readMemory(
        _ container: CapabilityContainer, of index: Int, in world: inout World
    ) throws(Type2Failure) -> Type2NDEFMemory {
        let unread = Array(repeating: UInt8(0), count: CapabilityContainer.address)
        var memory = Type2NDEFMemory(container, bytes: unread + container.bytes)
        while true {
            do {
                if try memory.walk() { return memory }
            } catch {
                throw malformed(error)
            }
            try extend(&memory, of: index, in: &world)
        }
    }

    /// Reads four pages more.
    mutating func extend(
        _ memory: inout Type2NDEFMemory, of index: Int, in world: inout World
    ) throws(Type2Failure) {
        let page = memory.bytes.count / PageData.byteCount
        guard page <= UInt8.max else {
            throw Type2Failure(
                refusal: nil, isPresent: true,
                error: .noResponse(
                    "the capability container announces more memory than commands can address; write it anew"))
        }
        memory.bytes += try readPages(from: page, of: index, in: &world).flatMap(\.bytes)
    }

    /// A failure by what is stored on the tag.
    func malformed(_ error: ClientError) -> Type2Failure {
        Type2Failure(refusal: nil, isPresent: true, error: .noResponse(error.description))
    }

    /// Writes a page.
    mutating func writePage(
        _ page: Int, _ data: PageData, of index: Int, in world: inout World
    ) throws(Type2Failure) {
        let request = WritePage.Request(page: UInt8(truncatingIfNeeded: page), data: data)
        let action = "writing page \(Hex.digits(page, width: 2))"
        let reply = transmit(request.bytes, in: &world)
        if case .acknowledgement(let acknowledgement) = reply, acknowledgement.isAck { return }
        throw fail(reply, action, of: index, in: world)
    }

    /// Reads four pages.
    private mutating func readPages(
        from page: Int, of index: Int, in world: inout World
    ) throws(Type2Failure) -> [PageData] {
        let reply = transmit(ReadPages.Request(page: UInt8(truncatingIfNeeded: page)).bytes, in: &world)
        if case .bytes(let bytes) = reply, let answer = try? ReadPages.Response(parsing: bytes) { return answer.pages }
        throw fail(reply, "reading page \(Hex.digits(page, width: 2))", of: index, in: world)
    }

    private mutating func fail(
        _ reply: MiFareReply, _ action: String, of index: Int, in world: World
    ) -> Type2Failure {
        lose(index)
        let isPresent = isPresent(index, in: world)
        switch reply {
        case .acknowledgement(let nibble):
            let why = "the tag refused \(action) with \(nibble): \(nibble.meaning)"
            return Type2Failure(
                refusal: nibble.isAck ? nil : nibble, isPresent: isPresent,
                error: .noResponse(why + lostPassword(index)))
        case .bytes(let bytes):
            let why = "the answer to \(action) has \(CountText.of(bytes.count, "byte")), which breaks the protocol"
            return Type2Failure(refusal: nil, isPresent: isPresent, error: .noResponse(why))
        case .silence, .damaged:
            let error =
                isPresent && reply == .silence
                ? PhoneError.noResponse("the tag is there and did not answer \(action)")
                : miFareFailure(reply, of: index, to: action, in: world)
            return Type2Failure(refusal: nil, isPresent: isPresent, error: error)
        }
    }

    /// What to know about a refusal where a raw PWD_AUTH came before.
    private func lostPassword(_ index: Int) -> String {
        guard case .typeA(let state) = tags[index].kind, state.isAuthenticated else { return "" }
        return "; calls for NDEF select the tag anew, which ends a raw PWD_AUTH; read or write its pages by "
            + "sendMiFareCommand(commandPacket:) instead"
    }
}
