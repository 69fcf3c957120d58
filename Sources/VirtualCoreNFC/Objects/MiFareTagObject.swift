#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation
    import TapPhone

    /// A MIFARE tag, NTAG among them, that a phone has found.
    final class MiFareTagObject: PhoneTagObject, NFCMiFareTag, @unchecked Sendable {
        var type: __NFCTagType { .miFare }

        var mifareFamily: NFCMiFareFamily {
            guard case .miFare(_, let family, _) = tag.kind else { return .unknown }
            return NFCMiFareFamily(rawValue: UInt(family.rawValue)) ?? .unknown
        }

        var identifier: Data {
            guard case .miFare(let uid, _, _) = tag.kind else { return Data() }
            return Data(uid.bytes)
        }

        var historicalBytes: Data? {
            guard case .miFare(_, _, let bytes) = tag.kind else { return nil }
            return bytes.map { Data($0) }
        }

        func sendMiFareCommand(
            commandPacket command: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) in
                try reader.sendMiFareCommand([UInt8](command), of: tag, in: &world)
            } completion: { answer, error in
                completionHandler(Data(answer ?? []), error)
            }
        }

        func sendMiFareISO7816Command(
            _ apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
        ) {
            perform { [tag] reader, world throws(PhoneError) -> Bool in
                try reader.refuseISO7816Command(of: tag, in: &world)
            } completion: { _, error in
                completionHandler(Data(), 0, 0, error)
            }
        }
    }
#endif
