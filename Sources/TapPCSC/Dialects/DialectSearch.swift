import TapWire

/// Finds the dialect of a reader with a card in it: by its name, then by what it answers.
enum DialectSearch {
    /// The first dialect the reader turns out to speak.
    ///
    /// - Throws: ``LinkError`` where the way to the reader fails.
    static func dialect(of channel: any CardChannel) throws(LinkError) -> any ReaderDialect {
        switch ReaderFamily(readerName: channel.readerName) {
        case .acs: return DividedDialect(felica: PacketDialect(.acs), typeA: try transparentOrStorage(channel))
        case .rcs380: return DividedDialect(felica: PacketDialect(.sony), typeA: try transparentOrStorage(channel))
        case .rcs300:
            if let escape = try escapeCode(of: channel),
                let dialect = try TransparentDialect(.escape(escape), channel)
            {
                return dialect
            }
        case .acr122, .standard:
            if let dialect = try ACR122Dialect(channel) { return dialect }
        }
        return try transparentOrStorage(channel)
    }

    private static func transparentOrStorage(_ channel: any CardChannel) throws(LinkError) -> any ReaderDialect {
        if let dialect = try TransparentDialect(.transmit, channel) { return dialect }
        return StorageDialect()
    }

    /// The code by which the driver takes escape commands, or nothing if it says that it takes none.
    private static func escapeCode(of channel: any CardChannel) throws(LinkError) -> ControlCode? {
        guard let list = try channel.control(.features, []) else { return nil }
        return ReaderFeature.list(list).first { $0.tag == .escape }?.code
    }
}
