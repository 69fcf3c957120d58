import TapClient
import TapField
import TapWire

/// NDEF of Type 2 tags: asking and reading.
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
            refusal: nil, isPresent: true,
            error: .noResponse(
                "the tag is not formatted for NDEF: its capability container is \(Hex.text(container.bytes))"))
    }
}

extension CapabilityContainer {
    /// Whether it announces NDEF that anybody may read.
    var holdsReadableNDEF: Bool { announcesNDEF && readAccess == .free }
}
