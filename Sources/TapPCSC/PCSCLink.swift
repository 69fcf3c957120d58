import TapWire

/// A link to the card on a PC/SC reader.
///
/// The link behaves like a link to a virtual card, as far as the reader allows: an unanswered command is silence, a card that
/// was taken away is silent, and a frame that no command of the reader carries is an error that names a suitable reader. Copies
/// of a link share its connection; the last copy closes it.
public struct PCSCLink: TagLink {
    private let connection: ReaderConnection

    package init(_ channel: any CardChannel) {
        connection = ReaderConnection(channel)
    }

    /// Opens a link to a reader.
    ///
    /// - Parameters:
    ///   - name: The name of the reader, or a part of it that no other reader has, ignoring case.
    ///   - library: The PC/SC library.
    /// - Throws: ``LinkError`` if no service runs, or the name does not match exactly one reader.
    public static func open(_ name: String, _ library: PCSCLibrary) throws(LinkError) -> PCSCLink {
        let context: PCSCContext
        let names: [String]
        do throws(PCSCError) {
            context = try PCSCContext(library)
            names = try context.readers()
        } catch {
            throw LinkError(error)
        }
        return PCSCLink(PCSCChannel(context, reader: try PCSCReaders.pick(name, from: names)))
    }

    public var readerName: String { connection.channel.readerName }

    /// The limits of the reader, as far as known; unlimited before the first card.
    public var limits: LinkLimits { connection.dialect?.limits ?? .none }

    /// The pause before the service is asked again about a card that does not answer; pcscd notices within 400 ms.
    private static let pause = Duration.milliseconds(20)

    /// Waits for a card on the reader; returns `true` if there is one.
    public mutating func awaitCard(timeout: Duration) async throws(LinkError) -> Bool {
        let channel = connection.channel
        let end = channel.clock + timeout
        while try channel.awaitCard(timeout: max(.zero, end - channel.clock)) {
            guard connection.dialect == nil else { return true }
            let found = try DialectSearch.dialect(of: channel)
            // If the card is gone by now, its silence says nothing about the reader.
            guard !channel.hasCard else {
                connection.dialect = found
                return true
            }
            guard channel.clock < end, await channel.pause(for: Self.pause) else { return false }
        }
        return false
    }

    /// Waits for a card on the reader, looks for it and selects it.
    ///
    /// - Throws: ``LinkError`` if the connection to the reader fails or the reader cannot look for such a card.
    public mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        guard try await awaitCard(timeout: timeout) else { return nil }
        return try connection.dialect?.activate(target, timeout: timeout, over: connection.channel)
    }

    /// Sends a frame to the selected card and waits for its answer.
    ///
    /// - Throws: ``LinkError`` if the connection to the reader fails or the reader cannot carry the frame.
    public mutating func transceive(_ frame: RFFrame, timeout: Duration) async throws(LinkError) -> RFFrame? {
        if connection.dialect == nil { _ = try await awaitCard(timeout: .zero) }
        // Without a dialect there is no card to receive the frame.
        return try connection.dialect?.transceive(frame, timeout: timeout, over: connection.channel)
    }

    /// Releases the card and the reader; a second call does nothing.
    public func close() {
        connection.close()
    }
}

/// The slot of a reader and the dialect it understands; closing it restores the reader's original state.
private final class ReaderConnection {
    let channel: any CardChannel
    var dialect: (any ReaderDialect)?

    init(_ channel: any CardChannel) {
        self.channel = channel
    }

    deinit { close() }

    func close() {
        dialect?.end(over: channel)
        dialect = nil
        channel.close()
    }
}

/// The readers of the PC/SC service.
public enum PCSCReaders {
    public struct Reader: Hashable, Sendable {
        public let name: String
        /// The family of the reader, judged by its name.
        public let family: ReaderFamily
        /// The ATR that the reader made up for its card; `nil` if there is no card.
        public let atr: [UInt8]?
    }

    /// Returns all readers, in the order of the service; empty if there are none.
    ///
    /// - Throws: ``PCSCError`` if no service runs.
    public static func list(_ library: PCSCLibrary) throws(PCSCError) -> [Reader] {
        let context = try PCSCContext(library)
        defer { context.close() }
        var readers = try context.readers().map { ReaderStatus(name: $0) }
        guard !readers.isEmpty else { return [] }
        // All states are unknown, so the service answers at once.
        _ = try context.awaitChange(of: &readers, timeout: .zero)
        return readers.map { reader in
            Reader(
                name: reader.name, family: ReaderFamily(readerName: reader.name),
                atr: reader.hasCard ? reader.atr : nil)
        }
    }

    /// Returns the reader whose name is or contains the wanted text, ignoring case.
    ///
    /// - Throws: ``LinkError`` unless exactly one reader matches.
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
