import CoreNFC
import Swift6Reader
import TapTesting
import Testing

/// A model in Swift 6 mode that calls the session and the tag from the main actor.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TagModelTests {
    @Test(.card(.ndef(uri: "https://example.com/t/42")))
    func `Calls awaited on the main actor read a tag and write it`() async throws {
        let other = try #require(URL(string: "https://example.com/t/43"))
        let model = try await model(writing: other, usesHandlers: false)
        #expect(model.uris == [URL(string: "https://example.com/t/42")])
        #expect((model.capacity ?? 0) > 400)
        #expect(model.ended == .readerSessionInvalidationErrorUserCanceled)
        #expect(try await self.model(usesHandlers: false).uris == [other])
    }

    @Test(.card(.ndef(uri: "https://example.com/t/42")))
    func `Handlers formed on the main actor run on the queue of the session`() async throws {
        let model = try await model(usesHandlers: true)
        #expect(model.uris == [URL(string: "https://example.com/t/42")])
        #expect(model.ended == .readerSessionInvalidationErrorUserCanceled)
    }

    /// Returns the model after its session has ended and it has been notified.
    private func model(writing replacement: URL? = nil, usesHandlers: Bool) async throws -> TagModel {
        let model = TagModel()
        model.scan(writing: replacement, usesHandlers: usesHandlers)
        _ = try await VirtualNFC.sessionEnd()
        while model.ended == nil { await Task.yield() }
        return model
    }
}
