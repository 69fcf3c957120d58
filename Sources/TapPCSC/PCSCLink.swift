import TapWire

/// A link to the card on a PC/SC reader.
///
/// It behaves as a link to a virtual card does, as far as the reader can carry that: what a card leaves unanswered is
/// silence, a card that was taken away is silent, and what no command of the reader carries is an error that names a
/// reader which can. Copies of a link are one link; the last one closes it.
public struct PCSCLink: TagLink {
    private let connection: ReaderConnection

    package init(_ channel: any CardChannel) {
        connection = ReaderConnection(channel)
    }

    /// Opens a link to a reader.
    ///
    /// - Parameters:
    ///   - name: The name of the reader or a part of it that no other reader has, upper and lower case alike.
    ///   - library: The PC/SC library.
    /// - Throws: ``LinkError`` if no service runs, or no single reader has the name.
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

    /// What the reader can carry, as far as it is known: nothing is before the first card.
    public var limits: LinkLimits { connection.dialect?.limits ?? .none }

    /// How long to leave a service alone that shows a card which does not answer; pcscd notices within 400 ms.
    private static let pause = Duration.milliseconds(20)

    /// Waits for a card to be held to the reader; says whether there is one.
    public mutating func awaitCard(timeout: Duration) async throws(LinkError) -> Bool {
        let channel = connection.channel
        let end = channel.clock + timeout
        while try channel.awaitCard(timeout: max(.zero, end - channel.clock)) {
            guard connection.dialect == nil else { return true }
            let found = try DialectSearch.dialect(of: channel)
            // What a card left unanswered that is gone by now tells nothing of the reader.
            guard !channel.hasCard else {
                connection.dialect = found
                return true
            }
            guard channel.clock < end, await channel.pause(for: Self.pause) else { return false }
        }
        return false
    }

    /// Looks for a card and selects it, waiting for one to be held to the reader.
    ///
    /// - Throws: ``LinkError`` when the way to the reader fails or it cannot look for such a card.
    public mutating func activate(_ target: Target, timeout: Duration) async throws(LinkError) -> ActivatedTag? {
        guard try await awaitCard(timeout: timeout) else { return nil }
        return try connection.dialect?.activate(target, timeout: timeout, over: connection.channel)
    }

    /// Sends a frame to the selected card and waits for its answer.
    ///
    /// - Throws: ``LinkError`` when the way to the reader fails or it cannot carry the frame.
    public mutating func transceive(_ frame: AirFrame, timeout: Duration) async throws(LinkError) -> AirFrame? {
        if connection.dialect == nil { _ = try await awaitCard(timeout: .zero) }
        // Without a dialect no card is there to hear the frame.
        return try connection.dialect?.transceive(frame, timeout: timeout, over: connection.channel)
    }

    /// Gives the card and the reader free; a second call does nothing.
    public func close() {
        connection.close()
    }
}

/// The slot of a reader and the dialect it is spoken to in; its end leaves the reader as it was found.
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
        /// The dialect it speaks, by its name.
        public let family: ReaderFamily
        /// The ATR the reader made up for the card on it, or `nil` if there is no card.
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

    /// The one reader with a name, or with a part of its name, upper and lower case alike.
    ///
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
