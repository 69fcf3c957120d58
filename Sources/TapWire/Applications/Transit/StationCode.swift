/// A station of the transit system, two bytes: line, then station on that line.
///
/// Lines 01 to 7F are JR, 80 to FF private and public railways; which company a code belongs to also depends on the
/// region of the record. Written in decimal as `001-204`.
public struct StationCode: Hashable, Sendable, CustomStringConvertible {
    public var line: UInt8
    /// The station on the line.
    public var station: UInt8

    public init(line: UInt8, station: UInt8) {
        self.line = line
        self.station = station
    }

    /// Takes both bytes, the line high.
    public init(_ rawValue: UInt16) {
        self.init(line: UInt8(rawValue >> 8), station: UInt8(truncatingIfNeeded: rawValue))
    }

    /// Reads text such as `001-204`, or nothing if it is not that.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let line = DecimalText.number(parts[0], width: 3).flatMap(UInt8.init(exactly:)),
            let station = DecimalText.number(parts[1], width: 3).flatMap(UInt8.init(exactly:))
        else { return nil }
        self.init(line: line, station: station)
    }

    /// Both bytes as one number, the line high.
    public var rawValue: UInt16 { UInt16(line) << 8 | UInt16(station) }

    /// Line and station in decimal, such as `001-204`.
    public var description: String {
        "\(DecimalText.digits(Int(line), width: 3))-\(DecimalText.digits(Int(station), width: 3))"
    }
}
