import TapWire

/// The readers of the PC/SC service.
public enum PCSCReaders {
    /// A reader and what lies on it.
    public struct Reader: Hashable, Sendable {
        public let name: String
        /// The dialect it speaks, by its name.
        public let family: ReaderFamily
        /// The ATR the reader made up for the card on it, or nothing if there is no card.
        public let atr: [UInt8]?
    }

    /// All readers, in the order of the service.
    ///
    /// - Throws: ``PCSCError`` if no service runs; to have no reader is no error.
    public static func list(_ library: PCSCLibrary) throws(PCSCError) -> [Reader] {
        let context = try PCSCContext(library)
        defer { context.close() }
        var readers = try context.readers().map { ReaderStatus(name: $0) }
        guard !readers.isEmpty else { return [] }
        // Nothing is known of any, so the service answers at once.
        _ = try context.awaitChange(of: &readers, timeout: .zero)
        return readers.map { reader in
            Reader(
                name: reader.name, family: ReaderFamily(readerName: reader.name),
                atr: reader.hasCard ? reader.atr : nil)
        }
    }

    /// The one reader with a name, or with a part of its name.
    ///
    /// - Parameters:
    ///   - wanted: The name, or a part; upper and lower case are alike.
    ///   - names: The readers there are.
    /// - Throws: ``LinkError`` if none has it, or several do.
    static func pick(_ wanted: String, from names: [String]) throws(LinkError) -> String {
        if names.contains(wanted) { return wanted }
        let found = names.filter { $0.lowercased().contains(wanted.lowercased()) }
        if let only = found.first, found.count == 1 { return only }
        guard !names.isEmpty else {
            throw LinkError(.closed, "there is no PC/SC reader; plug one in, or use a virtual card")
        }
        let problem = found.isEmpty ? "no PC/SC reader has" : "\(found.count) PC/SC readers have"
        let choice = ListText.choice((found.isEmpty ? names : found).map { "`\($0)`" })
        throw LinkError(.closed, "\(problem) `\(wanted)` in the name; name one of \(choice)")
    }
}
