#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import TapWire

    /// Both status flags as numbers; 0 where an error came in their place.
    func flags(_ status: StatusFlags?) -> (first: Int, second: Int) {
        (Int(status?.flag1 ?? 0), Int(status?.flag2 ?? 0))
    }
#endif
