#if os(iOS)
    import CoreNFC
    import GuardedReader
    import TapTesting
    import Testing
    import UIKit

    /// Sources for iOS that compile unchanged by way of the overlay, these tests among them.
    @MainActor
    @Suite(.timeLimit(.minutes(5)))
    struct GuardedReaderTests {
        @Test(.card(.ndef(uri: "https://example.com/t/42")))
        func `A view controller reads a tag and tells its delegate`() async throws {
            let (controller, listener) = (TagViewController(), Listener())
            controller.delegate = listener
            controller.loadViewIfNeeded()
            controller.scan()
            let end = try await VirtualNFC.sessionEnd()
            #expect(end.errorCode == 204)
            #expect(controller.title == "Tags")
            #expect(controller.count == 1)
            #expect(listener.addresses.map(\.absoluteString) == ["https://example.com/t/42"])
            #expect(controller.model.addresses == listener.addresses)
            #expect(controller.model.error == nil)
        }

        @Test(.card(.blank()), .fault(.userCancel))
        func `A session that is cancelled leaves its text in the model`() async throws {
            let controller = TagViewController()
            controller.scan()
            _ = try await VirtualNFC.sessionEnd()
            #expect(controller.count == 0)
            #expect(controller.model.error?.isEmpty == false)
        }
    }

    private final class Listener: TagViewControllerDelegate {
        var addresses: [URL] = []

        func tagViewController(_ controller: TagViewController, didRead address: URL) {
            addresses.append(address)
        }
    }
#endif
