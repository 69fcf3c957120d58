extension UInt64 {
    /// Takes eight bytes, the first one highest; of more the last eight count.
    package init(octets: some Sequence<UInt8>) {
        self = octets.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The eight bytes, the highest first.
    package var octets: [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
    }
}
