import Foundation
import TapHost
import TapCards
import TapSystem
import TapField
import TapPhone
import TapReport
import TapWire

/// The phone of a test: waits, checks and changes.
public enum VirtualNFC {
    public static var phone: VirtualPhone {
        get throws(VirtualNFCError) {
            guard let phone = VirtualPhone.inEffect else { throw .noPhone }
            return phone
        }
    }

    /// Waits for the next session that has ended, in the order in which they began, until its app was informed and has
    /// reacted.
    ///
    /// The app may react on the thread that ended the session, on its queue, on the main queue, and in tasks that it started
    /// in callbacks of the session.
    ///
    /// - Parameter timeout: The timeout in real time. Default: a session gets all its time; if none is open, the wait ends
    ///   after 15 seconds without activity.
    /// - Throws: ``VirtualNFCError`` if no session began or ended in time, and `CancellationError` if the test was cancelled,
    ///   for example by its `.timeLimit`.
    public static func sessionEnd(timeout: Duration? = nil) async throws -> SessionEnd {
        let phone = try phone
        let wait = PhoneWait(phone, timeout: timeout)
        let record = try await wait.value { phone.settledEnd(wait) }
        guard let end = record.flatMap({ SessionEnd($0, of: phone) }) else { throw phone.missingEnd(wait) }
        return end
    }
}

extension VirtualPhone {
    /// The time without activity to allow while the app's tasks continue: some sleep, or never end.
    private static let taskSilence = Duration.seconds(1)
    /// The maximum time for these tasks.
    private static let longestTasks = Duration.seconds(2)
    /// The number of turns of the queues to wait for, which is more than apps pass work on.
    ///
    /// On a busy machine a turn may come while another thread is still busy with the previous one.
    private static let rounds = 20

    /// Waits until one more session has ended and its app has reacted.
    func settledEnd(_ wait: PhoneWait) -> SessionRecord? {
        guard let end = nextEnd(wait) else { return nil }
        let work = wait.narrowed(to: Self.longestTasks, silence: Self.taskSilence)
        awaitTasks(work)
        for _ in 0..<Self.rounds {
            awaitEndingThread(work)
            guard wait.turn({ hasCome in Task.detached { hasCome() } }),
                wait.turn({ hasCome in DispatchQueue.main.async { hasCome() } })
            else { break }
        }
        return end
    }

    func missingEnd(_ wait: PhoneWait) -> VirtualNFCError {
        let seconds = wait.text
        guard let open = sessions.first(where: { !$0.isReported }) else {
            let before = sessions.isEmpty ? "no session has begun" : "no further session has begun"
            return VirtualNFCError(
                "\(before) within \(seconds); make the app call begin() first, in a place where this test's "
                    + "phone is in effect")
        }
        guard open.error == nil else {
            return VirtualNFCError(
                "a session has ended, but its delegate was not called within \(seconds); its queue is blocked: do not wait for "
                    + "a handler on the session's queue")
        }
        return VirtualNFCError(
            "a session has not ended within \(seconds), \(SessionProgress(open).text); let the app call invalidate(), or "
                + "end it with `VirtualNFC.cancel()`")
    }
}

extension PhoneWait {
    /// Waits on a separate thread; cancelling the task ends the wait.
    func value<Value: Sendable>(of work: @escaping @Sendable () -> Value) async throws -> Value {
        let value = try await withTaskCancellationHandler {
            try await BlockingThread.value(of: work)
        } onCancel: {
            cancel()
        }
        try Task.checkCancellation()
        return value
    }

    var text: String { "\(timeout.map { $0 / .seconds(1) } ?? (elapsed / .seconds(1)).rounded()) s" }
}

/// Actions of the person who holds the phone.
///
/// Each call returns when the phone knows of it; if there is no phone, it throws ``VirtualNFCError``.
extension VirtualNFC {
    /// Puts a card on the phone.
    public static func tap(_ name: String) throws(VirtualNFCError) {
        try move(name) { $0.tap(name) }
    }

    /// Takes a card away.
    ///
    /// Default: all cards.
    public static func remove(_ name: String? = nil) throws(VirtualNFCError) {
        guard let name else {
            return try phone.host.perform { world in
                for card in world.cards where card.isPresent { world.remove(card.name) }
            }
        }
        try move(name) { $0.remove(name) }
    }

    /// Takes a card away and puts another one on the phone.
    ///
    /// - Parameters:
    ///   - out: The name of the card to take away.
    ///   - incoming: The name of the card to put on the phone.
    ///   - gap: The time without either card, in the field's time.
    public static func swap(_ out: String, for incoming: String, gap: Duration = .zero) throws(VirtualNFCError) {
        try move(incoming) { _ in }
        try move(out) { $0.swap(out, for: incoming, after: gap) }
    }

    /// Presses Cancel on the sheet, which ends the session with error 200.
    public static func cancel() throws(VirtualNFCError) { try phone.cancel() }

    /// Sends the app to the background, which ends the session with error 202.
    public static func background() throws(VirtualNFCError) { try phone.sendToBackground() }

    /// Switches NFC on or off; switching it off ends the session with error 6.
    public static func radio(on isOn: Bool) throws(VirtualNFCError) { try phone.setRadio(on: isOn) }

    private static func move(_ name: String, _ body: (inout World) -> Void) throws(VirtualNFCError) {
        let phone = try phone
        let world = phone.host.snapshot
        guard world.card(named: name) != nil else { throw .noCard(name, of: world) }
        phone.host.perform { body(&$0) }
    }
}

/// Other waits.
extension VirtualNFC {
    /// Waits until a condition is true for the last session, for example for its commands or texts.
    ///
    /// ```swift
    /// try await VirtualNFC.wait { $0.commands.contains("felica.read") }
    /// ```
    ///
    /// - Parameters:
    ///   - timeout: The timeout in real time. Default: until nothing has happened for 15 seconds.
    ///   - isMet: The condition, which is called on another thread.
    /// - Throws: ``VirtualNFCError`` if it did not become true in time.
    @discardableResult
    public static func wait(
        timeout: Duration? = nil, until isMet: @escaping @Sendable (SessionRecord) -> Bool
    ) async throws -> SessionRecord {
        let phone = try phone
        let wait = PhoneWait(phone, timeout: timeout)
        let met = try await wait.value { phone.session(wait, until: isMet) }
        guard let met else { throw phone.missingEvent(wait) }
        return met
    }

    /// Advances virtual time: cards arrive and leave according to the timeline, and a session whose 60 seconds are over ends.
    ///
    /// With the real clock, the test sleeps instead.
    public static func pass(_ time: Duration) async throws {
        let phone = try phone
        guard phone.settings.clock == .virtual else { return try await Task.sleep(for: time) }
        phone.pass(time)
        _ = try await BlockingThread.value { phone.catchUp() }
    }
}

extension VirtualPhone {
    fileprivate func missingEvent(_ wait: PhoneWait) -> VirtualNFCError {
        let seconds = wait.text
        guard let last = sessions.last else {
            return VirtualNFCError("no session has begun within \(seconds); make the app call begin() first")
        }
        let state = last.error.map { "it has ended: \($0)" } ?? SessionProgress(last).text
        return VirtualNFCError("the session did not reach the expected state within \(seconds); \(state)")
    }
}

/// The reason why a wait or an action of a test failed.
public struct VirtualNFCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message, without a full stop.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    static let noPhone = VirtualNFCError(
        "there is no virtual phone here; give the test one with a trait such as `.card(.suica(balance: 3120))`")
}

public struct CardState: Sendable {
    private let slot: CardSlot

    init(_ slot: CardSlot) {
        self.slot = slot
    }

    public var name: String { slot.name }
    public var isPresent: Bool { slot.isPresent }
    /// A Boolean value that indicates whether the card's memory is as at the beginning of the test.
    public var isUnchanged: Bool { slot.isMemoryUnchanged }
    /// The state, in the terms of the card's manual, such as `Mode0 of system 0003` or `AUTHENTICATED`.
    public var state: String { slot.engine.stateName }

    /// Returns the blocks of a service of a FeliCa card, 16 bytes each; `nil` if there is no such service.
    ///
    /// - Parameters:
    ///   - service: The service, such as `0x090F`.
    ///   - system: The system. Default: the first that has the service.
    public func blocks(of service: UInt16, in system: UInt16? = nil) -> [[UInt8]]? {
        guard let card = slot.engine as? any FeliCaEngine else { return nil }
        let systems = system.map { [SystemCode($0)] } ?? card.systemCodes
        let blocks = systems.lazy.compactMap { card.blocks(of: NodeCode(service), in: $0) }.first
        return blocks?.map(\.bytes)
    }

    /// Returns the four bytes of a tag's page; `nil` if there is no such page.
    public func page(_ number: Int) -> [UInt8]? {
        guard let tag, number >= 0, number < tag.template.definition.product.layout.pageCount else { return nil }
        return tag[page: number].bytes
    }

    /// All pages of a tag, four bytes each; empty for another card.
    public var pages: [[UInt8]] {
        guard let tag else { return [] }
        return (0..<tag.template.definition.product.layout.pageCount).map { tag[page: $0].bytes }
    }

    /// The NFC counter of a tag; `nil` for another card.
    public var counter: Int? { tag.map { Int($0.counter) } }
    /// The number of wrong passwords since the last right one; `nil` for another card.
    public var authenticationFailures: Int? { tag.map { Int($0.failedAuthentications) } }

    private var tag: NTAGCard? { slot.engine as? NTAGCard }
}

extension VirtualNFC {
    public static func card(named name: String) throws(VirtualNFCError) -> CardState {
        let world = try phone.host.snapshot
        guard let slot = world.card(named: name) else { throw .noCard(name, of: world) }
        return CardState(slot)
    }

    /// The only card of the test.
    ///
    /// Throws ``VirtualNFCError`` if there are several cards or none.
    public static var card: CardState {
        get throws(VirtualNFCError) {
            let world = try phone.host.snapshot
            guard let slot = world.cards.first, world.cards.count == 1 else {
                throw VirtualNFCError("the test has \(world.cards.count) cards; name one: `card(named:)`")
            }
            return CardState(slot)
        }
    }
}

extension VirtualNFCError {
    static func noCard(_ name: String, of world: World) -> VirtualNFCError {
        let names = world.cards.map(\.name).joined(separator: ", ")
        return VirtualNFCError("there is no card `\(name)`; the test has \(names)")
    }
}

/// An ended session, with all properties of its `SessionRecord`: `end.alerts`, `end.commands`.
@dynamicMemberLookup
public struct SessionEnd: Sendable {
    private let record: SessionRecord
    /// The error that the delegate received: the number and text of `NFCReaderError`, and the reason.
    public let error: PhoneError
    public let trace: SessionTrace

    /// The code, as in `NFCReaderError.errorCode`.
    public var errorCode: Int { error.code.rawValue }
    /// The text, as in `localizedDescription`.
    public var errorText: String { error.text }

    public subscript<Value>(dynamicMember path: KeyPath<SessionRecord, Value>) -> Value { record[keyPath: path] }

    init?(_ record: SessionRecord, of phone: VirtualPhone) {
        guard let error = record.error else { return nil }
        self.record = record
        self.error = error
        trace = SessionTrace(record.exchanges, in: phone.host.snapshot.trace)
    }
}

extension SessionEnd: CustomStringConvertible {
    /// A summary in a few lines, for failing tests.
    public var description: String {
        let end = record.errorMessage.map { "the app ended it with \"\($0)\"" } ?? "\(error)"
        let shown = record.alerts.isEmpty ? "nothing" : record.alerts.map { "\"\($0)\"" }.joined(separator: ", ")
        let sent = record.commands.isEmpty ? "none" : record.commands.joined(separator: ", ")
        return "a session: \(end); shown: \(shown); commands: \(sent)"
    }
}

public struct SessionTrace: Sendable, CustomStringConvertible {
    /// The events from the first exchange of the session to the last.
    public let events: [TraceEvent]
    private let first: Int

    public var text: String { TraceText(events, from: first).lines.map { $0 + "\n" }.joined() }
    public var description: String { text }

    init(_ exchanges: [Exchange], in trace: Trace) {
        guard let first = exchanges.first?.number, let last = exchanges.last?.number else {
            events = []
            self.first = 1
            return
        }
        self.first = first
        var count = 0
        events = trace.events.filter { event in
            if case .command = event.kind { count += 1 }
            return count >= first && count <= last
        }
    }
}
