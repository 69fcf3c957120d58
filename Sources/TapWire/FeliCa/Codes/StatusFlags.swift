/// Status flag 1 and status flag 2 of an answer.
///
/// Source: FeliCa Card User's Manual, excerpted edition, tables of status flags.
public struct StatusFlags: Hashable, Sendable, CustomStringConvertible {
    /// Status flag 1 of an error that has no position in a list.
    public static let noPosition: UInt8 = 0xFF

    /// Status flag 1: 00 success, FF an error without position, else a position in the list, in the card's own form.
    public var flag1: UInt8
    /// Status flag 2: the reason.
    public var flag2: UInt8

    @inlinable
    public init(_ flag1: UInt8, _ flag2: UInt8) {
        self.flag1 = flag1
        self.flag2 = flag2
    }

    @inlinable
    public init(_ flag1: UInt8, _ reason: StatusFlag2) {
        self.init(flag1, reason.rawValue)
    }

    @inlinable
    public init(_ reason: StatusFlag2) {
        self.init(Self.noPosition, reason.rawValue)
    }

    /// Success.
    @inlinable
    public static var success: StatusFlags { StatusFlags(0x00, 0x00) }

    /// Whether the answer carries data: status flag 1 is 00.
    public var isSuccess: Bool { flag1 == 0 }

    /// Status flag 2 as a code with a name.
    public var reason: StatusFlag2 { StatusFlag2(flag2) }

    /// Both flags in hexadecimal.
    public var description: String { Hex.text([flag1, flag2], separator: " ") }

    /// Both flags as a sentence; status flag 1 is told in both forms a card may use.
    public var explanation: String {
        let reason = reason.entry?.explanation ?? "Status flag 2 is \(self.reason), which has no published meaning."
        switch flag1 {
        case 0x00, Self.noPosition: return reason
        default:
            let bits = (1...8).filter { flag1 >> ($0 - 1) & 1 == 1 }.map(String.init).joined(separator: ", ")
            return "\(reason) Place in the list: entry \(flag1), or, on cards that answer a bitmap, bit \(bits)."
        }
    }
}
