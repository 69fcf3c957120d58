/// BrTy: the technology and bit rate of a target search.
///
/// Source: NXP, PN532 user manual UM0701-02, "InListPassiveTarget".
package struct PN532Modulation: Hashable, Sendable {
    package let rawValue: UInt8

    package init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let typeA = PN532Modulation(0x00)
    package static let felica212 = PN532Modulation(0x01)
    package static let felica424 = PN532Modulation(0x02)

    package init(_ technology: Technology) {
        switch technology {
        case .typeA106: self = .typeA
        case .felica212: self = .felica212
        case .felica424: self = .felica424
        }
    }

    /// The technology, or `nil` if TapSim has no cards with it.
    package var technology: Technology? {
        switch self {
        case .typeA: .typeA106
        case .felica212: .felica212
        case .felica424: .felica424
        default: nil
        }
    }
}

/// A target found by a PN532.
///
/// ```
/// type A   Tg | ATQA (2, BE) | SAK | n | UID (n)
/// FeliCa   Tg | answer to Polling, LEN first
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "InListPassiveTarget".
package struct PN532Target: Hashable, Sendable {
    /// The number by which later commands identify the target, from 1.
    package var number: UInt8
    /// The target; a type A card does not support ISO/IEC 14443-4.
    package var card: ActivatedTag

    package init(number: UInt8, _ card: ActivatedTag) {
        self.number = number
        self.card = card
    }

    package var bytes: [UInt8] {
        switch card {
        case .typeA(let tag):
            [number] + tag.atqa.bytes.reversed() + [tag.sak.rawValue, UInt8(tag.uid.bytes.count)] + tag.uid.bytes
        case .felica(let polling, _): [number] + polling.bytes
        }
    }

    static func list(_ count: Int, _ bytes: [UInt8], _ technology: Technology) throws(WireError) -> [PN532Target] {
        let slice = bytes[...]
        var reader = ByteReader(slice.span)
        var targets: [PN532Target] = []
        for _ in 0..<count {
            let number = try reader.byte("Tg")
            let card = technology.isFeliCa ? try felica(&reader, technology) : try typeA(&reader)
            targets.append(PN532Target(number: number, card))
        }
        guard reader.isAtEnd else { throw WireError(.trailingBytes, at: reader.offset, in: "list of targets") }
        return targets
    }

    private static func felica(
        _ reader: inout ByteReader, _ technology: Technology
    ) throws(WireError) -> ActivatedTag {
        let length = try reader.byte("LEN")
        let rest = try reader.bytes(max(0, Int(length) - 1), "answer to Polling")
        return .felica(try Polling.Response(parsing: [length] + rest), technology)
    }

    private static func typeA(_ reader: inout ByteReader) throws(WireError) -> ActivatedTag {
        let atqa = UInt16(try reader.number(byteCount: 2, "ATQA"))
        let sak = SAK(try reader.byte("SAK"))
        let offset = reader.offset
        guard let uid = UID(try reader.bytes(Int(try reader.byte("length of the UID")), "UID")) else {
            throw WireError(.wrongLength, at: offset, in: "UID", "a UID has 4, 7 or 10 bytes")
        }
        return .typeA(TypeATag(atqa: ATQA(atqa), sak: sak, uid: uid))
    }
}

/// InListPassiveTarget, code 4A: finds cards and selects them.
///
/// ```
/// command  D4 | 4A | most targets | BrTy | initiator data
/// answer   D5 | 4B | n | target × n
/// ```
/// The initiator data is a UID with its cascade tags for type A, empty for any card; for FeliCa it is the payload of Polling
/// without LEN. Source: NXP, PN532 user manual UM0701-02, "InListPassiveTarget".
package enum InListPassiveTarget: PN532Command {
    package static let code = PN532Code.inListPassiveTarget
    package static let maximumTargets = 2

    package struct Request: PN532Request {
        package typealias Command = InListPassiveTarget

        package var maximum: UInt8
        package var modulation: PN532Modulation
        /// The UID or Polling payload that selects targets.
        package var initiatorData: [UInt8]

        package init(maximum: UInt8 = 1, _ modulation: PN532Modulation, _ initiatorData: [UInt8] = []) {
            self.maximum = maximum
            self.modulation = modulation
            self.initiatorData = initiatorData
        }

        package init(maximum: UInt8 = 1, _ polling: Polling.Request, _ technology: Technology = .felica212) {
            self.init(maximum: maximum, PN532Modulation(technology), Array(polling.bytes.dropFirst()))
        }

        /// The initiator data as Polling, or `nil` if it is not a Polling payload.
        package var polling: Polling.Request? {
            try? Polling.Request(parsing: [UInt8(truncatingIfNeeded: initiatorData.count + 1)] + initiatorData)
        }

        package init(data: [UInt8]) throws(WireError) {
            guard data.count >= 2 else { throw WireError(.truncated, at: 2 + data.count, in: "search") }
            self.init(maximum: data[0], PN532Modulation(data[1]), Array(data.dropFirst(2)))
        }

        package var data: [UInt8] { [maximum, modulation.rawValue] + initiatorData }
    }

    /// The answer.
    ///
    /// Its bytes do not reveal the kind of targets; only the command does.
    package struct Response: PN532Response {
        package typealias Command = InListPassiveTarget

        package var count: UInt8
        var targetData: [UInt8]

        package init(_ targets: [PN532Target] = []) {
            count = UInt8(truncatingIfNeeded: targets.count)
            targetData = targets.flatMap(\.bytes)
        }

        /// The targets, read as the kind that the command requested.
        package func targets(_ modulation: PN532Modulation) throws(WireError) -> [PN532Target] {
            try PN532Target.list(Int(count), targetData, modulation.technology ?? .typeA106)
        }

        package init(data: [UInt8]) throws(WireError) {
            guard let count = data.first else { throw WireError(.truncated, at: 2, in: "number of targets") }
            self.count = count
            targetData = Array(data.dropFirst())
        }

        package var data: [UInt8] { [count] + targetData }
    }
}

/// InAutoPoll, code 60: looks for several kinds of targets in turn.
///
/// ```
/// command  D4 | 60 | rounds | period (150 ms) | type × n
/// answer   D5 | 61 | n | (type | length | target) × n
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "InAutoPoll".
package enum InAutoPoll: PN532Command {
    package static let code = PN532Code.inAutoPoll
    static let maximumTypes = 15

    package struct TargetType: Hashable, Sendable {
        package let rawValue: UInt8

        package init(_ rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let anyTypeA = TargetType(0x00)
        /// Any FeliCa card at 212 kbit/s, under the general type code.
        package static let any212 = TargetType(0x01)
        /// Any FeliCa card at 424 kbit/s, under the general type code.
        package static let any424 = TargetType(0x02)
        /// MIFARE and other type A cards without ISO/IEC 14443-4.
        package static let mifare = TargetType(0x10)
        package static let felica212 = TargetType(0x11)
        package static let felica424 = TargetType(0x12)
    }

    package struct Request: PN532Request {
        package typealias Command = InAutoPoll

        /// The number of rounds; FF repeats forever.
        package var rounds: UInt8
        /// The duration of one search in units of 150 ms.
        var period: UInt8
        package var types: [TargetType]

        package init(rounds: UInt8, period: UInt8, _ types: [TargetType]) {
            self.rounds = rounds
            self.period = period
            self.types = types
        }

        package init(data: [UInt8]) throws(WireError) {
            guard data.count >= 3 else { throw WireError(.truncated, at: 2 + data.count, in: "search") }
            guard data.count <= 2 + maximumTypes else {
                throw WireError(.trailingBytes, at: 4 + maximumTypes, in: "list of types")
            }
            self.init(rounds: data[0], period: data[1], data.dropFirst(2).map { TargetType($0) })
        }

        package var data: [UInt8] { [rounds, period] + types.map(\.rawValue) }

        /// The duration of the whole search if it finds nothing; `nil` if it never ends.
        package var duration: Duration? {
            rounds == .max ? nil : .milliseconds(150 * Int(rounds) * Int(period) * types.count)
        }
    }

    package typealias Response = PN532DataResponse<InAutoPoll>
}

extension PN532DataResponse where Command == InAutoPoll {
    package init(found targets: [(type: InAutoPoll.TargetType, target: PN532Target)]) {
        let entries = targets.flatMap { found in
            let bytes = found.target.bytes
            return [found.type.rawValue, UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
        self.init([UInt8(truncatingIfNeeded: targets.count)] + entries)
    }
}

/// InDataExchange, code 40: sends data to a target and returns its answer.
///
/// ```
/// command  D4 | 40 | Tg | data
/// answer   D5 | 41 | status | data
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "InDataExchange".
package enum InDataExchange: PN532Command {
    package static let code = PN532Code.inDataExchange

    /// The command; bit 6 of the target indicates that more data follows.
    package typealias Request = PN532TargetRequest<InDataExchange>
    package typealias Response = PN532StatusResponse<InDataExchange>
}

/// InCommunicateThru, code 42: sends bytes unchanged and returns the answer.
///
/// ```
/// command  D4 | 42 | data
/// answer   D5 | 43 | status | data
/// ```
/// Source: NXP, PN532 user manual UM0701-02, "InCommunicateThru".
package enum InCommunicateThru: PN532Command {
    package static let code = PN532Code.inCommunicateThru

    package typealias Request = PN532DataRequest<InCommunicateThru>
    package typealias Response = PN532StatusResponse<InCommunicateThru>
}

/// InDeselect, code 44: deselects a target and remembers it.
package enum InDeselect: PN532Command {
    package static let code = PN532Code.inDeselect

    package typealias Request = PN532TargetRequest<InDeselect>
    package typealias Response = PN532StatusResponse<InDeselect>
}

/// InRelease, code 52: deselects a target and forgets it.
package enum InRelease: PN532Command {
    package static let code = PN532Code.inRelease

    package typealias Request = PN532TargetRequest<InRelease>
    package typealias Response = PN532StatusResponse<InRelease>
}

package enum InSelect: PN532Command {
    package static let code = PN532Code.inSelect

    package typealias Request = PN532TargetRequest<InSelect>
    package typealias Response = PN532StatusResponse<InSelect>
}

/// A packet to the chip that identifies a target.
///
/// ```
/// D4 | code | Tg | data
/// ```
package struct PN532TargetRequest<Command: PN532Command>: PN532Request {
    package var target: UInt8
    package var payload: [UInt8]

    package init(_ target: UInt8, _ payload: [UInt8] = []) {
        self.target = target
        self.payload = payload
    }

    package init(data: [UInt8]) throws(WireError) {
        guard let target = data.first else { throw WireError(.truncated, at: 2, in: "Tg") }
        self.init(target, Array(data.dropFirst()))
    }

    package var data: [UInt8] { [target] + payload }
}
