import CoreNFC
import Testing

/// A session as apps write it for tests: a subclass without its own initialiser.
private class SessionDouble: NFCTagReaderSession {
    var tags: [NFCTag] = []
    var told: [String] = []
    weak var delegateOfTest: NFCTagReaderSessionDelegate?

    override class var readingAvailable: Bool { true }

    override func begin() {
        delegateOfTest?.tagReaderSessionDidBecomeActive(self)
        delegateOfTest?.tagReaderSession(self, didDetect: tags)
    }

    override func invalidate() { told.append("done") }
    override func invalidate(errorMessage: String) { told.append(errorMessage) }
    override func restartPolling() { told.append("again") }
}

private class NDEFSessionDouble: NFCNDEFReaderSession {
    var connected: [NFCNDEFTag] = []

    override func connect(to tag: NFCNDEFTag, completionHandler: @escaping (Error?) -> Void) {
        connected.append(tag)
        completionHandler(nil)
    }

    override func connect(to tag: NFCNDEFTag) async throws { connected.append(tag) }
}

/// A reader as apps write it, whose tests replace `connect`.
private class Reader: NSObject, NFCTagReaderSessionDelegate, NFCNDEFReaderSessionDelegate {
    var connect = NFCTagReaderSession.connect
    var found = 0

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}
    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {}
    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard tags.count == 1, let tag = tags.first else { return session.restartPolling() }
        connect(session)(tag) { [weak self] error in
            self?.found += error == nil ? 1 : 0
            session.invalidate()
        }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {}
    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
}

extension NFCTagReaderSession {
    /// An app's own initialiser, which calls the failable one.
    fileprivate convenience init?(anyTagFor delegate: NFCTagReaderSessionDelegate) {
        self.init(pollingOption: [.iso14443, .iso18092], delegate: delegate)
    }
}

@Suite("An app's own session")
struct SessionSubclassSuite {
    private let reader = Reader()

    @Test("is created like Apple's, and uses its overrides")
    func double() throws {
        let session = try #require(SessionDouble(pollingOption: .iso18092, delegate: reader))
        session.delegateOfTest = reader
        session.tags = [.feliCa(FeliCaDouble())]
        reader.connect = { _ in { _, completion in completion(nil) } }
        session.begin()
        #expect(reader.found == 1 && session.told == ["done"])
        session.tags = [.feliCa(FeliCaDouble()), .miFare(MiFareDouble())]
        session.begin()
        session.invalidate(errorMessage: "failed")
        #expect(reader.found == 1 && session.told == ["done", "again", "failed"])
        #expect(SessionDouble.readingAvailable)
    }

    @Test("can be created with every initialiser")
    func initialisers() {
        #expect(SessionDouble(pollingOption: [], delegate: reader) == nil)
        #expect(SessionDouble(anyTagFor: reader) != nil)
        let configuration = NFCTagReaderSession.Configuration(
            pollingOption: .iso18092, feliCaSystemCodes: ["0003", "FE00"])
        let queue = DispatchQueue(label: "own")
        let session = SessionDouble(configuration: configuration, delegate: reader, queue: queue)
        #expect(session.sessionQueue === queue && session.delegate === reader && !session.isReady)
        session.alertMessage = "Hold still"
        #expect(session.alertMessage == "Hold still" && session.connectedTag == nil)
    }

    @Test("for NDEF uses its override to connect, with and without a handler")
    func ndef() async throws {
        let session = NDEFSessionDouble(delegate: reader, queue: nil, invalidateAfterFirstRead: false)
        let tag: NFCNDEFTag = MiFareDouble()
        var connected = false
        session.connect(to: tag, completionHandler: { error in connected = error == nil })
        #expect(connected)
        try await (session as NFCNDEFReaderSession).connect(to: tag)
        #expect(session.connected.count == 2)
    }
}

// Conformances that apps declare themselves, so the module must not declare them.
extension NFCNDEFMessage: @unchecked Sendable {}
extension NFCNDEFPayload: @unchecked Sendable {}
extension NFCTag: @unchecked Sendable {}
extension NFCTag: CustomStringConvertible {
    /// The text that the test expects.
    public var description: String { isAvailable ? "a tag" : "a tag that is gone" }
}

extension NFCMiFareFamily: CustomStringConvertible {
    /// The text that the test expects.
    public var description: String { self == .ultralight ? "Ultralight" : "another" }
}
extension NFCTypeNameFormat: CaseIterable, CustomStringConvertible {
    /// The formats that an app offers.
    public static var allCases: [NFCTypeNameFormat] { [.nfcWellKnown, .media] }
    /// The text that the test expects.
    public var description: String { self == .media ? "media" : "another" }
}

private class ActivityDouble: NSUserActivity {
    var message = NFCNDEFMessage(records: [])
    override var ndefMessagePayload: NFCNDEFMessage { message }
}

@Suite("An app's own conformance")
struct ConformanceSuite {
    @Test("does not conflict with the module")
    func conformances() {
        let tag = NFCTag.feliCa(FeliCaDouble())
        #expect("\(tag)" == "a tag")
        #expect("\(NFCMiFareFamily.ultralight)" == "Ultralight" && "\(NFCTypeNameFormat.media)" == "media")
        #expect(NFCTypeNameFormat.allCases.count == 2)
        func isSendable<T>(_ value: T) -> Bool where T: Sendable { true }
        #expect(isSendable(tag) && isSendable(NFCNDEFMessage(records: [])))
    }

    @Test("leaves the message of an activity overridable")
    func activity() {
        let activity = ActivityDouble(activityType: "read")
        activity.message = NFCNDEFMessage(records: [
            NFCNDEFPayload(format: .empty, type: Data(), identifier: Data(), payload: Data())
        ])
        #expect((activity as NSUserActivity).ndefMessagePayload.length == 3)
    }
}
