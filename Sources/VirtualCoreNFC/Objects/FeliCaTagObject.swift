#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone
    import TapWire

    /// A FeliCa card that a phone has found.
    final class FeliCaTagObject: PhoneTagObject, NFCFeliCaTag, @unchecked Sendable {
        var type: __NFCTagType { .feliCa }

        var currentSystemCode: Data { Data(link.phone?.reader?.currentSystemCode(of: tag) ?? foundSystem) }

        var currentIDm: Data { Data(link.phone?.reader?.currentIDm(of: tag) ?? foundIDm) }

        /// The system it was found by, for who asks after the session.
        private var foundSystem: [UInt8] {
            guard case .feliCa(_, _, let system) = tag.kind else { return [] }
            return system.rawValue.bigEndianBytes
        }

        private var foundIDm: [UInt8] {
            guard case .feliCa(let idm, _, _) = tag.kind else { return [] }
            return idm.rawValue.octets
        }

        func polling(
            systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
            completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.polling(
                    systemCode: [UInt8](systemCode), requestCode: UInt8(requestCode.rawValue),
                    timeSlot: UInt8(timeSlot.rawValue), of: tag, in: &world)
            } completion: { answer, error in
                completionHandler(Data(answer?.pmm ?? []), Data(answer?.requestData ?? []), error)
            }
        }

        func requestService(
            nodeCodeList: [Data], completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.requestService(nodeCodeList.map { [UInt8]($0) }, of: tag, in: &world)
            } completion: { versions, error in
                completionHandler((versions ?? []).map { Data($0) }, error)
            }
        }

        func requestResponse(completionHandler: @escaping @Sendable (Int, (any Error)?) -> Void) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.requestResponse(of: tag, in: &world)
            } completion: { mode, error in
                completionHandler(mode ?? 0, error)
            }
        }

        func readWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data],
            completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.readWithoutEncryption(
                    services: serviceCodeList.map { [UInt8]($0) }, blocks: blockList.map { [UInt8]($0) }, of: tag,
                    in: &world)
            } completion: { answer, error in
                let (first, second) = flags(answer?.status)
                completionHandler(first, second, (answer?.blocks ?? []).map { Data($0) }, error)
            }
        }

        func writeWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data], blockData: [Data],
            completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.writeWithoutEncryption(
                    services: serviceCodeList.map { [UInt8]($0) }, blocks: blockList.map { [UInt8]($0) },
                    data: blockData.map { [UInt8]($0) }, of: tag, in: &world)
            } completion: { status, error in
                let (first, second) = flags(status)
                completionHandler(first, second, error)
            }
        }

        func requestSystemCode(completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.requestSystemCode(of: tag, in: &world)
            } completion: { systems, error in
                completionHandler((systems ?? []).map { Data($0) }, error)
            }
        }

        func requestServiceV2(
            nodeCodeList: [Data],
            completionHandler:
                @escaping @Sendable (
                    Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?
                ) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.requestServiceV2(nodeCodeList.map { [UInt8]($0) }, of: tag, in: &world)
            } completion: { answer, error in
                let (first, second) = flags(answer?.status)
                let encryption = answer?.encryptionIdentifier.flatMap { NFCFeliCaEncryptionId(rawValue: Int($0)) }
                completionHandler(
                    first, second, encryption ?? .AES, (answer?.aes ?? []).map { Data($0) },
                    (answer?.des ?? []).map { Data($0) }, error)
            }
        }

        func requestSpecificationVersion(
            completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.requestSpecificationVersion(of: tag, in: &world)
            } completion: { answer, error in
                let (first, second) = flags(answer?.status)
                completionHandler(first, second, Data(answer?.basic ?? []), Data(answer?.options ?? []), error)
            }
        }

        func resetMode(completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.resetMode(of: tag, in: &world)
            } completion: { status, error in
                let (first, second) = flags(status)
                completionHandler(first, second, error)
            }
        }

        func sendFeliCaCommand(
            commandPacket: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.sendFeliCaCommand([UInt8](commandPacket), of: tag, in: &world)
            } completion: { answer, error in
                completionHandler(Data(answer ?? []), error)
            }
        }
    }
#endif
