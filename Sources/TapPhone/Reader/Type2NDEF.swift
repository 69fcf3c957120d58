import TapClient
import TapField
import TapWire

extension PhoneReader {
    mutating func queryType2(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> PhoneNDEFReport {
        let index = try openType2(tag, in: &world)
        let container: CapabilityContainer
        do {
            container = try readContainer(of: index, in: &world)
        } catch {
            guard error.refusal != nil else { throw error.error }
            throw PhoneError(policy.protectedContainer, text: "Stack Error", reason: error.error.reason)
        }
        guard container.holdsReadableNDEF else { return .none }
        return PhoneNDEFReport(
            status: container.writeAccess == .free ? .readWrite : .readOnly, capacity: capacity(of: container))
    }

    private func capacity(of container: CapabilityContainer) -> Int {
        switch policy.capacity {
        case .dataArea: container.dataAreaSize
        case .longestMessage: Type2DataArea(container).largestMessage() ?? 0
        }
    }

    mutating func readType2(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> [UInt8] {
        let index = try openType2(tag, in: &world)
        do throws(Type2Failure) {
            let container = try readContainer(of: index, in: &world)
            guard container.holdsReadableNDEF else { throw unformatted(container) }
            return try readMemory(container, of: index, in: &world).message?.block.value ?? []
        } catch {
            throw error.refusal == nil ? error.error : PhoneError(policy.protectedRead, reason: error.error.reason)
        }
    }

    private func unformatted(_ container: CapabilityContainer) -> Type2Failure {
        Type2Failure(
            .notFormatted("the tag is not formatted for NDEF: its capability container is \(Hex.text(container.bytes))")
        )
    }
}

extension CapabilityContainer {
    var holdsReadableNDEF: Bool { announcesNDEF && readAccess == .free }
}

extension PhoneReader {
    /// Writes a message: first the length zero, then the data, then the true length.
    mutating func writeType2(
        _ message: [UInt8], of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) {
        let index = try openType2(tag, in: &world)
        do throws(Type2Failure) {
            let container = try readContainer(of: index, in: &world)
            if let error = container.refusal { throw Type2Failure(error) }
            var memory = try readMemory(container, of: index, in: &world)
            guard message.count <= memory.capacity else {
                throw Type2Failure(.tooLong(message.count, room: memory.capacity))
            }
            let plan = try plan(message, over: &memory, of: index, in: &world)
            for (page, data) in plan.writes { try writePage(Int(page), data, of: index, in: &world) }
        } catch {
            throw error.asUpdate
        }
    }

    /// Sets the access byte and all lock bits; on an unknown IC, only the static lock bits.
    mutating func lockType2(of tag: PhoneTag, in world: inout World) throws(PhoneError) {
        let product = try product(of: tag, in: &world)
        let index = try openType2(tag, in: &world)
        do throws(Type2Failure) {
            var container = try readContainer(of: index, in: &world)
            if let error = container.refusal { throw Type2Failure(error) }
            container.writeAccess = .none
            // The container is written before the lock bit that locks it, and the static lock bits last.
            try writePage(
                NTAGLayout.capabilityContainerPage, PageData(container.bytes), of: index, in: &world)
            if let layout = product?.layout {
                try writePage(layout.dynamicLockPage, layout.allLocked, of: index, in: &world)
            }
            let all = StaticLockBits(rawValue: 0xFFFF).page(over: .zero)
            try writePage(NTAGLayout.staticLockPage, all, of: index, in: &world)
        } catch {
            throw error.asUpdate
        }
    }

    private mutating func plan(
        _ message: [UInt8], over memory: inout Type2NDEFMemory, of index: Int, in world: inout World
    ) throws(Type2Failure) -> NDEFWritePlan {
        while true {
            let step: Type2NDEFMemory.WriteStep
            do {
                step = try memory.writing(message)
            } catch {
                throw malformed(error)
            }
            switch step {
            case .pagesMissing: try extend(&memory, of: index, in: &world)
            case .plan(let plan): return plan
            }
        }
    }

    /// Returns the product of a tag; `nil` for a tag without GET_VERSION.
    private mutating func product(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> NTAGProduct? {
        _ = try openType2(tag, in: &world)
        guard case .bytes(let bytes) = transmit(GetVersion.Request().bytes, in: &world),
            let version = try? GetVersion.Response(parsing: bytes)
        else { return nil }
        return NTAGProduct(version)
    }
}

extension Type2Failure {
    fileprivate init(_ error: PhoneError) {
        self.init(refusal: nil, isPresent: true, error: error)
    }

    /// The error of a write: 401 if the tag is present and did not carry it out.
    fileprivate var asUpdate: PhoneError {
        guard isPresent, error.code == .tagResponseError || error.code == .tagConnectionLost else { return error }
        return .updateFailed(error.reason ?? error.text)
    }
}

extension CapabilityContainer {
    /// The reason why the tag accepts no message, if it does not.
    fileprivate var refusal: PhoneError? {
        guard holdsReadableNDEF else {
            return .notWritable("the tag is not formatted for NDEF: its capability container is \(Hex.text(bytes))")
        }
        guard writeAccess == .free else {
            return .notWritable("the capability container \(Hex.text(bytes)) forbids writing")
        }
        return nil
    }
}

extension NTAGLayout {
    /// The page of the dynamic lock bytes with all bits of the IC set.
    fileprivate var allLocked: PageData {
        let groups = (1 << dynamicLockBitCount) - 1
        let blockLocks = (1 << blockLockBitCount) - 1
        return DynamicLockBits(
            groups: UInt16(truncatingIfNeeded: groups), blockLocks: UInt8(truncatingIfNeeded: blockLocks)
        ).page(over: .zero)
    }
}

struct Type2Failure: Error, Hashable {
    let refusal: Acknowledgement?
    let isPresent: Bool
    /// The error to report, unless the procedure has a better one.
    let error: PhoneError
}

extension PhoneReader {
    /// Selects the tag again, as at the start of each procedure; this ends a raw PWD_AUTH.
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

    /// Reads the capability container, the first page of the answer.
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

    /// Reads the memory from page 4 to the end of the NDEF message or, if there is none, of the blocks.
    ///
    /// Earlier bytes, except for the capability container, count as zeros.
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

    mutating func extend(
        _ memory: inout Type2NDEFMemory, of index: Int, in world: inout World
    ) throws(Type2Failure) {
        let page = memory.bytes.count / PageData.byteCount
        guard page <= UInt8.max else {
            throw Type2Failure(
                refusal: nil, isPresent: true,
                error: .noResponse(
                    "the capability container announces more memory than commands can address; write it again"))
        }
        memory.bytes += try readPages(from: page, of: index, in: &world).flatMap(\.bytes)
    }

    func malformed(_ error: ClientError) -> Type2Failure {
        Type2Failure(.noResponse(error.description))
    }

    mutating func writePage(
        _ page: Int, _ data: PageData, of index: Int, in world: inout World
    ) throws(Type2Failure) {
        let request = WritePage.Request(page: UInt8(truncatingIfNeeded: page), data: data)
        let action = "writing page \(Hex.digits(page, width: 2))"
        let reply = transmit(request.bytes, in: &world)
        if case .acknowledgement(let acknowledgement) = reply, acknowledgement.isAck { return }
        throw fail(reply, action, of: index, in: world)
    }

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
                ? PhoneError.noResponse("the tag is present but did not answer \(action)")
                : miFareFailure(reply, of: index, to: action, in: world)
            return Type2Failure(refusal: nil, isPresent: isPresent, error: error)
        }
    }

    /// Returns advice for a refusal that follows a raw PWD_AUTH.
    private func lostPassword(_ index: Int) -> String {
        guard case .typeA(let state) = tags[index].kind, state.isAuthenticated else { return "" }
        return "; NDEF calls select the tag again, which ends a raw PWD_AUTH; read or write its pages with "
            + "sendMiFareCommand(commandPacket:) instead"
    }
}
