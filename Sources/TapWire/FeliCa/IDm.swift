/// The manufacture ID of a FeliCa system, eight bytes.
///
/// The upper nibble of byte 0 is the system number; the other 60 bits are the same for all systems of a card. Source: FeliCa
/// Card User's Manual, excerpted edition, Polling.
public struct IDm: OpenCode, CustomStringConvertible {
    /// The eight bytes as a number, byte 0 highest.
    public let rawValue: UInt64

    /// Creates an IDm from its eight bytes as a number, byte 0 highest.
    @inlinable
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The number of the system on its card, 0 to 15.
    public var systemNumber: Int { Int(rawValue >> 60) }

    /// The IDm of another system on the same card; only the low four bits of `number` count.
    public func ofSystem(_ number: Int) -> IDm {
        IDm(rawValue & 0x0FFF_FFFF_FFFF_FFFF | UInt64(truncatingIfNeeded: number & 0xF) << 60)
    }
}

/// The manufacture parameter of a FeliCa card, eight bytes: ROM type, IC type, and six maximum-response-time bytes.
///
/// Source: FeliCa Card User's Manual, excerpted edition, Polling and "maximum response time".
public struct PMm: OpenCode, CustomStringConvertible {
    /// The eight bytes as a number, byte 0 highest.
    public let rawValue: UInt64

    /// Creates a PMm from its eight bytes as a number, byte 0 highest.
    @inlinable
    public init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The ROM type, byte 0.
    package var romType: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 56) }

    /// The IC type, byte 1.
    package var icType: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 48) }

    /// The class of commands to which a time byte applies; the raw value is the index of the byte in the PMm.
    public enum CommandClass: Int, Hashable, Sendable, CaseIterable {
        /// Request Service and other commands with a node list; scaled by the number of nodes.
        case requestService = 2
        /// Fixed-length commands: Request Response, Search Service Code, Request System Code, status commands.
        case fixed
        /// Mutual authentication; scaled by the number of nodes.
        case authentication
        /// Reads; scaled by the number of blocks.
        case read
        /// Writes; scaled by the number of blocks.
        case write
        /// Issuance and everything else; scaled by the number of packages.
        case other
    }

    /// The maximum response time of a card, `T · ((B+1)·n + (A+1)) · 4^E` with T = 4096/fc.
    ///
    /// - Parameters:
    ///   - commandClass: The time byte to use; its bits are E (7–6), B (5–3), A (2–0).
    ///   - count: The number of nodes or blocks in the command; ignored if the class is not scaled.
    package func maximumResponseTime(_ commandClass: CommandClass, count: Int = 0) -> Duration {
        TransmissionTime.carrierPeriods(maximumResponsePeriods(commandClass, count: count))
    }

    /// The maximum response time of a card in carrier periods (1/fc).
    ///
    /// - Parameters:
    ///   - commandClass: The time byte to use.
    ///   - count: The number of nodes or blocks in the command; ignored if the class is not scaled.
    @inlinable
    public func maximumResponsePeriods(_ commandClass: CommandClass, count: Int = 0) -> Int {
        let byte = Int(truncatingIfNeeded: rawValue >> (8 * (7 - commandClass.rawValue))) & 0xFF
        let perUnit = commandClass == .fixed ? 0 : ((byte >> 3 & 7) + 1) * count
        let units = (perUnit + (byte & 7) + 1) << (2 * (byte >> 6))
        return units * 4_096
    }
}
