import Foundation
import TapCards
import TapDoors
import TapField
import TapPhone
import TapWire

/// The phone of a test: what tests wait for, look at and disturb.
public enum VirtualNFC {
    /// The phone of the test.
    public static var phone: VirtualPhone {
        get throws(VirtualNFCError) {
            guard let phone = VirtualPhone.inEffect else { throw .noPhone }
            return phone
        }
    }

    /// Waits until one more session has ended, its app was told, and what the app does with that has had its turn: on
    /// the thread that ended the session, its queue, the main queue, and in tasks that it began in calls of the session.
    ///
    /// - Parameter timeout: How long to wait, by the clock of the machine. Without it a session has all its time, and
    ///   where none is open nothing may happen for 15 seconds.
    /// - Returns: What became of the session, each one once, in the order they began.
    /// - Throws: ``VirtualNFCError`` if no session began or ended in time, and `CancellationError` if the test was
    ///   cancelled, as its `.timeLimit` does.
    public static func sessionEnd(timeout: Duration? = nil) async throws -> SessionEnd {
        let phone = try phone
        let wait = PhoneWait(phone, timeout: timeout)
        let record = try await wait.value { phone.settledEnd(wait) }
        guard let end = record.flatMap({ SessionEnd($0, of: phone) }) else { throw phone.missingEnd(wait) }
        return end
    }
}

extension VirtualPhone {
    /// For how long nothing may happen while tasks of the app go on: some sleep, or never end.
    private static let taskSilence = Duration.seconds(1)
    /// How long they may go on at most.
    private static let longestTasks = Duration.seconds(2)
    /// How many turns the queues have one after another.
    ///
    /// More than an app hands on: on a busy machine a turn may come while another thread still stands in what came before.
    private static let rounds = 20

    /// Waits until one more session has ended and what its app does with that has had its turn.
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

    /// Why no session has ended.
    func missingEnd(_ wait: PhoneWait) -> VirtualNFCError {
        let seconds = wait.text
        guard let open = sessions.first(where: { !$0.isTold }) else {
            let before = sessions.isEmpty ? "no session has begun" : "no further session has begun"
            return VirtualNFCError(
                "\(before) within \(seconds); make the app call begin() before, and see that it does so where this test's "
                    + "phone is in effect")
        }
        guard open.error == nil else {
            return VirtualNFCError(
                "a session has ended and its delegate was not told within \(seconds); its queue is blocked: do not wait for "
                    + "a handler on the queue of the session")
        }
        return VirtualNFCError(
            "a session has not ended within \(seconds), \(SessionProgress(open).text); let the app call invalidate(), or "
                + "end it with `VirtualNFC.cancel()`")
    }
}

extension PhoneWait {
    /// Waits on a thread of its own; a task that is cancelled waits no longer.
    func value<Value: Sendable>(of work: @escaping @Sendable () -> Value) async throws -> Value {
        let value = try await withTaskCancellationHandler {
            try await BlockingThread.value(of: work)
        } onCancel: {
            cancel()
        }
        try Task.checkCancellation()
        return value
    }

    /// How long it took, for sentences.
    var text: String { "\(timeout.map { $0 / .seconds(1) } ?? (elapsed / .seconds(1)).rounded()) s" }
}

/// What the person who holds the phone does.
///
/// Each returns when the phone knows of it; without a phone it throws ``VirtualNFCError``.
extension VirtualNFC {
    /// Puts a card before the phone.
    public static func tap(_ name: String) throws(VirtualNFCError) {
        try move(name) { $0.tap(name) }
    }

    /// Takes a card away, or all where none is named.
    public static func remove(_ name: String? = nil) throws(VirtualNFCError) {
        guard let name else {
            return try phone.host.perform { world in
                for card in world.cards where card.isPresent { world.remove(card.name) }
            }
        }
        try move(name) { $0.remove(name) }
    }

    /// Takes a card away and puts another before the phone.
    ///
    /// - Parameters:
    ///   - out: The card that leaves.
    ///   - incoming: The card that comes.
    ///   - gap: How long none of them is there, in the time of the field.
    public static func swap(_ out: String, for incoming: String, gap: Duration = .zero) throws(VirtualNFCError) {
        try move(incoming) { _ in }
        try move(out) { $0.swap(out, for: incoming, after: gap) }
    }

    /// Presses Cancel on the sheet, which ends the session with error 200.
    public static func cancel() throws(VirtualNFCError) { try phone.cancel() }

    /// Sends the app to the background, which ends the session with error 202.
    public static func background() throws(VirtualNFCError) { try phone.sendToBackground() }

    /// Switches NFC on or off, which ends the session with error 6.
    public static func radio(on isOn: Bool) throws(VirtualNFCError) { try phone.setRadio(on: isOn) }

    private static func move(_ name: String, _ body: (inout World) -> Void) throws(VirtualNFCError) {
        let phone = try phone
        let world = phone.host.snapshot
        guard world.card(named: name) != nil else { throw .noCard(name, of: world) }
        phone.host.perform { body(&$0) }
    }
}

/// What tests wait for besides the end of a session.
extension VirtualNFC {
    /// Waits until the session that began last is as wanted, such as with a command sent or a text shown.
    ///
    /// ```swift
    /// try await VirtualNFC.wait { $0.commands.contains("felica.read") }
    /// ```
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, by the clock of the machine; without it until nothing has happened for 15 seconds.
    ///   - isMet: Whether the session is as wanted; called on another thread.
    /// - Returns: The session as it was then.
    /// - Throws: ``VirtualNFCError`` if that did not come about in time.
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

    /// Lets virtual time pass in the field.
    ///
    /// Cards come and go by the timeline, and a session whose 60 seconds are over ends. Real time passes by itself, so
    /// the test sleeps as long.
    public static func pass(_ time: Duration) async throws {
        let phone = try phone
        guard phone.settings.clock == .virtual else { return try await Task.sleep(for: time) }
        phone.pass(time)
        _ = try await BlockingThread.value { phone.catchUp() }
    }
}

extension VirtualPhone {
    /// Why a session is not as a test wants it.
    fileprivate func missingEvent(_ wait: PhoneWait) -> VirtualNFCError {
        let seconds = wait.text
        guard let last = sessions.last else {
            return VirtualNFCError("no session has begun within \(seconds); make the app call begin() before")
        }
        let state = last.error.map { "it has ended: \($0)" } ?? SessionProgress(last).text
        return VirtualNFCError("the session was not as the test wants it within \(seconds); \(state)")
    }
}

/// Why a test does not get what it waits for.
public struct VirtualNFCError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is missing, why and what to do, a sentence without a full stop.
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
    /// Whether it lies before the phone.
    public var isPresent: Bool { slot.isPresent }
    /// Whether its memory is as at the beginning of the test.
    public var isUnchanged: Bool { slot.isMemoryUnchanged }
    /// Its state in the words of its manual, such as `Mode0 of system 0003` or `AUTHENTICATED`.
    public var state: String { slot.engine.stateName }

    /// The blocks of a service of a FeliCa card, 16 bytes each; `nil` where it has none of that code.
    ///
    /// - Parameters:
    ///   - service: The code as people say it, such as `0x090F`.
    ///   - system: The code of the system; the first that has the service without it.
    public func blocks(of service: UInt16, in system: UInt16? = nil) -> [[UInt8]]? {
        guard let card = slot.engine as? FeliCaCard else { return nil }
        let systems = system.map { [SystemCode($0)] } ?? card.template.definition.systems.map(\.code)
        let blocks = systems.lazy.compactMap { card.blocks(of: NodeCode(service), in: $0) }.first
        return blocks?.map(\.bytes)
    }

    /// The four bytes of a page of a tag; `nil` where it has no such page.
    public func page(_ number: Int) -> [UInt8]? {
        guard let tag, number >= 0, number < tag.template.definition.product.layout.pageCount else { return nil }
        return tag[page: number].bytes
    }

    /// All pages of a tag, four bytes each; none of another card.
    public var pages: [[UInt8]] {
        guard let tag else { return [] }
        return (0..<tag.template.definition.product.layout.pageCount).map { tag[page: $0].bytes }
    }

    /// The NFC counter of a tag; `nil` of another card.
    public var counter: Int? { tag.map { Int($0.counter) } }
    /// Wrong passwords that a tag has counted since the last right one; `nil` of another card.
    public var authenticationFailures: Int? { tag.map { Int($0.failedAuthentications) } }

    private var tag: NTAGCard? { slot.engine as? NTAGCard }
}

extension VirtualNFC {
    /// A card of the test as it is now.
    public static func card(named name: String) throws(VirtualNFCError) -> CardState {
        let world = try phone.host.snapshot
        guard let slot = world.card(named: name) else { throw .noCard(name, of: world) }
        return CardState(slot)
    }

    /// The only card of the test as it is now.
    ///
    /// - Throws: ``VirtualNFCError`` if the test has several or none.
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

/// A session that has ended, with all that its ``SessionRecord`` tells: `end.alerts`, `end.commands`.
@dynamicMemberLookup
public struct SessionEnd: Sendable {
    private let record: SessionRecord
    /// What the delegate was told: number and text of `NFCReaderError`, and what happened here.
    public let error: PhoneError
    /// What happened in the field during the session.
    public let trace: SessionTrace

    /// The number of the error, as `NFCReaderError.errorCode` has it.
    public var errorCode: Int { error.code.rawValue }
    /// The text of the error, as `localizedDescription` has it.
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
    /// What was shown, sent and told, in a few lines, for tests that fail.
    public var description: String {
        let end = record.errorMessage.map { "the app ended it with \"\($0)\"" } ?? "\(error)"
        let shown = record.alerts.isEmpty ? "nothing" : record.alerts.map { "\"\($0)\"" }.joined(separator: ", ")
        let sent = record.commands.isEmpty ? "none" : record.commands.joined(separator: ", ")
        return "a session: \(end); shown: \(shown); commands: \(sent)"
    }
}

/// What happened in the field during a session.
public struct SessionTrace: Sendable, CustomStringConvertible {
    /// The events from the first exchange of the session to the last.
    public let events: [TraceEvent]

    /// The events in words, a line for each.
    public var text: String { TraceText(events[...]).text }
    public var description: String { text }

    init(_ exchanges: [Exchange], in trace: Trace) {
        guard let first = exchanges.first?.number, let last = exchanges.last?.number else {
            events = []
            return
        }
        var count = 0
        events = trace.events.filter { event in
            if case .command = event.kind { count += 1 }
            return count >= first && count <= last
        }
    }
}
