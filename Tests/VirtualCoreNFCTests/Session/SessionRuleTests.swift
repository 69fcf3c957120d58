@preconcurrency import CoreNFC
import TapSystem
import TapField
import TapPhone
import Testing

@Suite("Sessions")
struct SessionRuleSuite {
    private static let queueKey = DispatchSpecificKey<String>()

    @Test("call delegate and handlers on the queue of the app")
    func queue() async throws {
        let queue = DispatchQueue(label: "app")
        queue.setSpecific(key: Self.queueKey, value: "app")
        try await PhoneField.with(PhoneField.suica) { phone in
            let places = Lock<[String]>([])
            let note = { @Sendable in
                let place = DispatchQueue.getSpecific(key: Self.queueKey) ?? "?"
                places.withLock { $0.append(place) }
            }
            let log = SessionLog { session, tags in
                note()
                session.connect(to: tags[0]) { _ in
                    note()
                    guard case .feliCa(let card) = tags[0] else { return }
                    card.requestSystemCode { _, _ in
                        note()
                        session.invalidate()
                    }
                }
            }
            let session = NFCTagReaderSession(pollingOption: .iso18092, delegate: log, queue: queue)
            #expect(session?.sessionQueue === queue)
            session?.begin()
            _ = try await PhoneField.end(of: phone)
            #expect(places.withLock { $0 } == ["app", "app", "app"])
            #expect(session?.isReady == false)
        }
    }

    @Test("support the main queue as the queue of an app")
    func mainQueue() async throws {
        DispatchQueue.main.setSpecific(key: Self.queueKey, value: "main")
        try await PhoneField.with(PhoneField.suica) { phone in
            let wasMain = Lock(false)
            let log = SessionLog { session, _ in
                wasMain.withLock { $0 = DispatchQueue.getSpecific(key: Self.queueKey) == "main" }
                session.invalidate()
            }
            NFCTagReaderSession(pollingOption: .iso18092, delegate: log, queue: .main)?.begin()
            _ = try await PhoneField.end(of: phone)
            #expect(wasMain.withLock { $0 })
        }
    }

    @Test("hold the delegate weakly, and end on their own if the delegate is gone")
    func weakDelegate() async throws {
        try await PhoneField.with(PhoneField.suica, PhoneSettings(idle: .milliseconds(50))) { phone in
            let isGone = Lock(false)
            func start() {
                let log = Tattler { isGone.withLock { $0 = true } }
                NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
            }
            start()
            let record = try await PhoneField.end(of: phone)
            #expect(isGone.withLock { $0 })
            #expect(record.error?.code.rawValue == 201)
        }
    }

    @Test("return all present tags, and send commands to the tag connected last")
    func severalTags() async throws {
        let two = """
            {"format": 1, "cards": {
              "suica": {"template": "suica"}, "icoca": {"template": "icoca"},
              "tag": {"ic": "NTAG215", "ndef": [{"uri": "https://example.com/a"}]}}}
            """
        try await PhoneField.with(two) { phone in
            let answers = Lock<[String]>([])
            let log = SessionLog { session, tags in
                Task {
                    for tag in tags {
                        try await session.connect(to: tag)
                        switch tag {
                        case .feliCa(let card):
                            let mode = try await card.requestResponse()
                            answers.withLock { $0.append("felica \(mode)") }
                        case .miFare(let card):
                            let version = try await card.sendMiFareCommand(commandPacket: Data([0x60]))
                            answers.withLock { $0.append("ntag \(version.count)") }
                        default: break
                        }
                        #expect(tags.filter(\.isAvailable).count == 1)
                    }
                    session.invalidate()
                }
            }
            NFCTagReaderSession(pollingOption: [.iso14443, .iso18092], delegate: log)?.begin()
            let record = try await PhoneField.end(of: phone)
            #expect(answers.withLock { $0 } == ["ntag 8", "felica 0", "felica 0"])
            // FeliCa cards answer one code in slots that they draw.
            #expect(record.cards.first == "tag")
            #expect(record.cards.sorted() == ["icoca", "suica", "tag"])
        }
    }

    @Test("accept commands after a connection by the Objective-C name without a handler")
    func connectedByTheOtherName() async throws {
        try await PhoneField.with(PhoneField.suica) { phone in
            let isConnected = Lock(false)
            let log = SessionLog { session, tags in
                Task {
                    guard case .feliCa(let card) = tags[0] else { return }
                    try await session.__connect(to: card)
                    isConnected.withLock { $0 = session.__connectedTag != nil }
                    session.invalidate()
                }
            }
            NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
            _ = try await PhoneField.end(of: phone)
            #expect(isConnected.withLock { $0 })
        }
    }

    @Test("end by the clock of the machine if configured")
    func realTime() async throws {
        let settings = PhoneSettings(clock: .real, sessionLimit: .milliseconds(100))
        try await PhoneField.with(PhoneField.suica, settings) { phone in
            let log = SessionLog()
            NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
            let record = try await PhoneField.end(of: phone)
            #expect(record.error?.code.rawValue == 201)
            #expect(record.duration >= .milliseconds(100))
        }
    }

    @Test("fail calls after their end with error 103, and calls before connecting with error 104")
    func outside() async throws {
        try await PhoneField.with(PhoneField.suica) { phone in
            let codes = Lock<[Int]>([])
            let done = DispatchSemaphore(value: 0)
            let log = SessionLog { session, tags in
                guard case .feliCa(let card) = tags[0] else { return }
                card.requestResponse { _, error in
                    codes.withLock { $0.append((error as? NFCReaderError)?.errorCode ?? 0) }
                    session.invalidate()
                    card.requestResponse { _, error in
                        codes.withLock { $0.append((error as? NFCReaderError)?.errorCode ?? 0) }
                        done.signal()
                    }
                }
            }
            NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
            _ = try await PhoneField.end(of: phone)
            try await BlockingThread.value { _ = done.wait(timeout: .now() + 20) }
            #expect(codes.withLock { $0 } == [104, 103])
        }
    }

    @Test("do not end for an app whose tasks wait for other tasks")
    func busyMachine() async throws {
        try await PhoneField.with(PhoneField.suica, PhoneSettings(idle: .milliseconds(10))) { phone in
            let log = SessionLog { session, tags in
                // Far more work than the threads of tasks can do in the time of silence.
                for _ in 0..<20 { Task { Self.work() } }
                Task {
                    try await session.connect(to: tags[0])
                    session.invalidate(errorMessage: "came to its end")
                }
            }
            NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
            let record = try await PhoneField.end(of: phone)
            #expect(record.errorMessage == "came to its end")
        }
    }

    /// Work that holds its thread.
    private static func work() {
        Thread.sleep(forTimeInterval: 0.05)
    }

    @Test("are released after they end")
    func leaks() async throws {
        weak var phone: VirtualPhone?
        let tags = Lock<[NFCTag]>([])
        weak var object: NSObject?
        try await PhoneField.with(PhoneField.suica) { made in
            phone = made
            let log = SessionLog { session, found in
                tags.withLock { $0 = found }
                session.invalidate()
            }
            NFCTagReaderSession(pollingOption: .iso18092, delegate: log)?.begin()
            _ = try await PhoneField.end(of: made)
        }
        if case .feliCa(let tag)? = tags.withLock({ $0.first }) { object = tag as? NSObject }
        #expect(object != nil)
        tags.withLock { $0 = [] }
        // The queue of the session releases its last block a moment later.
        for _ in 0..<2000 where phone != nil || object != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(object == nil)
        #expect(phone == nil)
    }

    @Test("that wait are notified of their end too")
    func waiting() async throws {
        let settings = PhoneSettings(policy: PhonePolicy(secondSession: .queue))
        try await PhoneField.with(PhoneField.suica, settings) { phone in
            let (first, second) = (SessionLog(), SessionLog())
            let open = NFCTagReaderSession(pollingOption: .iso18092, delegate: first)
            let waiting = NFCTagReaderSession(pollingOption: .iso18092, delegate: second)
            open?.begin()
            waiting?.begin()
            waiting?.invalidate()
            open?.invalidate()
            _ = try await PhoneField.end(of: phone)
            _ = try await PhoneField.end(of: phone)
            #expect(second.log == ["ended 200"])
        }
    }

    @Test("for passes and payment are not supported, and end immediately with error 1")
    func unsupported() async throws {
        try await PhoneField.with(PhoneField.suica) { phone in
            let log = SessionLog()
            NFCPaymentTagReaderSession(delegate: log).begin()
            let record = try await PhoneField.end(of: phone)
            #expect(log.log == ["ended 1"])
            #expect(record.error?.reason?.contains("not simulated") == true)
        }
    }
}

/// A delegate that reports its deallocation.
private final class Tattler: NSObject, NFCTagReaderSessionDelegate {
    private let gone: () -> Void

    init(_ gone: @escaping () -> Void) {
        self.gone = gone
    }

    deinit { gone() }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}
    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {}
    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {}
}
