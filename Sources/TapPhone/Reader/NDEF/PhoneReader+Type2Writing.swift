import TapClient
import TapField
import TapWire

/// NDEF of Type 2 tags: writing and locking.
extension PhoneReader {
    /// Writes a message: first its length becomes zero, then come the data, then the true length.
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

    /// Sets the access byte and all lock bits of a tag; on an IC that is not known the static ones alone.
    mutating func lockType2(of tag: PhoneTag, in world: inout World) throws(PhoneError) {
        let product = try product(of: tag, in: &world)
        let index = try openType2(tag, in: &world)
        do throws(Type2Failure) {
            var container = try readContainer(of: index, in: &world)
            if let error = container.refusal { throw Type2Failure(error) }
            container.writeAccess = .none
            // The container before the lock bit that closes it, and the static lock bits last.
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

    /// What the tag says it is; nothing for one that does not know the question.
    private mutating func product(of tag: PhoneTag, in world: inout World) throws(PhoneError) -> NTAGProduct? {
        _ = try openType2(tag, in: &world)
        guard case .bytes(let bytes) = transmit(GetVersion.Request().bytes, in: &world),
            let version = try? GetVersion.Response(parsing: bytes)
        else { return nil }
        return NTAGProduct(version)
    }
}

extension Type2Failure {
    /// A failure that is an error of its own.
    fileprivate init(_ error: PhoneError) {
        self.init(refusal: nil, isPresent: true, error: error)
    }

    /// What a write tells the app: 401 where a tag that is there did not carry it out.
    fileprivate var asUpdate: PhoneError {
        guard isPresent, error.code == .tagResponseError || error.code == .tagConnectionLost else { return error }
        return .updateFailed(error.reason ?? error.text)
    }
}

extension CapabilityContainer {
    /// Why the tag takes no message, if it does not.
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
    /// The page of the dynamic lock bytes with all bits set that the IC has.
    fileprivate var allLocked: PageData {
        let groups = (1 << dynamicLockBitCount) - 1
        let blockLocks = (1 << blockLockBitCount) - 1
        return DynamicLockBits(
            groups: UInt16(truncatingIfNeeded: groups), blockLocks: UInt8(truncatingIfNeeded: blockLocks)
        ).page(over: .zero)
    }
}
