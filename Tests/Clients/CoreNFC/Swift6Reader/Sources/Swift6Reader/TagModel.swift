import CoreNFC
import Observation

/// The model of a screen that reads and writes a tag: the session, the tag and the delegate belong to the main actor.
///
/// The session calls its delegate on its own queue, so its events must first hop to the main actor.
@MainActor
@Observable
public final class TagModel {
    public private(set) var uris: [URL] = []
    public private(set) var capacity: Int?
    public private(set) var ended: NFCReaderError.Code?

    private var session: NFCNDEFReaderSession?
    private var listener: TagListener?
    private var replacement: URL?
    private var usesHandlers = false

    public init() {}

    /// Reads the tag, and writes another URI if given, with handlers or with awaited calls.
    public func scan(writing replacement: URL? = nil, usesHandlers: Bool) {
        self.replacement = replacement
        self.usesHandlers = usesHandlers
        let listener = TagListener(self)
        let session = NFCNDEFReaderSession(delegate: listener, queue: nil, invalidateAfterFirstRead: false)
        (self.listener, self.session) = (listener, session)
        session.begin()
    }

    fileprivate func found(_ tag: any NFCNDEFTag) async {
        guard let session else { return }
        if usesHandlers { return readWithHandlers(tag, in: session) }
        do {
            try await session.connect(to: tag)
            capacity = try await tag.queryNDEFStatus().1
            uris = try await tag.readNDEF().records.compactMap { $0.wellKnownTypeURIPayload() }
            if let record = replacement.flatMap({ NFCNDEFPayload.wellKnownTypeURIPayload(url: $0) }) {
                try await tag.writeNDEF(NFCNDEFMessage(records: [record]))
            }
            session.invalidate()
        } catch {
            session.invalidate(errorMessage: error.localizedDescription)
        }
    }

    /// Handlers created here run on the session's queue, whatever the isolation of this method.
    private func readWithHandlers(_ tag: any NFCNDEFTag, in session: NFCNDEFReaderSession) {
        let call = Call(tag: tag, session: session)
        session.connect(to: tag) { [weak self] error in
            call.tag.readNDEF { message, error in
                let uris = message?.records.compactMap { $0.wellKnownTypeURIPayload() } ?? []
                Task { @MainActor in self?.uris = uris }
                call.session.invalidate()
            }
        }
    }

    fileprivate func end(_ error: NFCReaderError.Code?) {
        ended = error
        (session, listener) = (nil, nil)
    }
}

/// The values that a handler needs from its call.
private struct Call: @unchecked Sendable {
    let tag: any NFCNDEFTag
    let session: NFCNDEFReaderSession
}

/// The delegate, called on the session's queue.
private final class TagListener: NSObject, NFCNDEFReaderSessionDelegate, Sendable {
    private struct Tag: @unchecked Sendable {
        let tag: any NFCNDEFTag
    }

    private let model: TagModel

    init(_ model: TagModel) {
        self.model = model
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
        let (model, found) = (model, tags.first.map { Tag(tag: $0) })
        Task { @MainActor in
            if let found { await model.found(found.tag) }
        }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        let (model, code) = (model, (error as? NFCReaderError)?.code)
        Task { @MainActor in model.end(code) }
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
}
