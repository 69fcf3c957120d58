#if os(iOS)
    import CoreNFC
    import GuardedReader
    import TapTesting
    import Testing
    import UIKit

    /// iOS sources that compile unchanged with the overlay, including these tests.
    @MainActor
    @Suite(.timeLimit(.minutes(5)))
    struct GuardedReaderTests {
        @Test(.card(.ndef(uri: "https://example.com/t/42")))
        func `A view controller reads a tag and notifies its delegate`() async throws {
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

        @Test(.card(.suica(balance: 3120)))
        func `A reader without an actor reads for a screen`() async throws {
            let screen = BalanceScreen()
            screen.reader.begin()
            _ = try await VirtualNFC.sessionEnd()
            #expect(screen.label.text == "3120")
            #expect(screen.presentedViewController == nil)
        }

        @Test(.card(.suica()), .card(.icoca()))
        func `A reader without an actor shows messages from its .lproj folders`() async throws {
            let screen = BalanceScreen()
            screen.reader.begin()
            let end = try await VirtualNFC.sessionEnd()
            #expect(end.errorMessage == "More than one card")
        }

        @Test(.card(.suica()), .fault(.timeLimit))
        func `A reader without an actor reports why its session ended`() async throws {
            let screen = BalanceScreen()
            screen.reader.begin()
            _ = try await VirtualNFC.sessionEnd()
            let alert = try #require(screen.presentedViewController as? UIAlertController)
            #expect(alert.message?.isEmpty == false)
            #expect(alert.actions.map(\.title) == ["OK"])
        }

        @Test(.card("NTAG215"))
        func `A screen of a storyboard has its outlets, targets and texts`() async throws {
            let screen = PageViewController()
            screen.loadViewIfNeeded()
            screen.scanButton.sendActions(for: .touchUpInside)
            #expect((screen.presentedViewController as? UIAlertController)?.title == "Which page?")
            screen.pageField.becomeFirstResponder()
            screen.pageField.insertText("3")
            screen.view.endEditing(true)
            #expect(screen.statusLabel.text == "From page 3")
            screen.scanButton.sendActions(for: .touchUpInside)
            #expect(!screen.scanButton.isEnabled)
            _ = try await VirtualNFC.sessionEnd()
            #expect(screen.scanButton.isEnabled)
            #expect(screen.bytesView.text.hasPrefix("E1103E00"))
            let item = try #require(screen.navigationItem.rightBarButtonItem)
            UIApplication.shared.sendAction(try #require(item.action), to: item.target, from: item, for: nil)
            #expect(screen.bytesView.text.isEmpty)
        }

        @Test(.card(.ndef(uri: "https://example.com/t/42")))
        func `A table shows the records of a tag in cells of its own`() async throws {
            let screen = RecordsViewController()
            screen.loadViewIfNeeded()
            screen.scan(self)
            _ = try await VirtualNFC.sessionEnd()
            #expect(screen.tableView.visibleCells.map(\.textLabel?.text) == ["https://example.com/t/42"])
            #expect(screen.tableView.visibleCells.first?.detailTextLabel?.text == "U")
        }

        @Test(.card(.suica()))
        func `A model that imports SwiftUI alone reads`() async throws {
            let model = ColorModel()
            model.scan()
            _ = try await VirtualNFC.sessionEnd()
            #expect(model.color == .green)
        }

        @Test func `An app delegate opens the address of a tag read in the background`() throws {
            let delegate = TagAppDelegate()
            let record = try #require(NFCNDEFPayload.wellKnownTypeURIPayload(string: "https://example.com/t/42"))
            let activity = NSUserActivity(
                activityType: NSUserActivityTypeBrowsingWeb, ndefMessagePayload: NFCNDEFMessage(records: [record]))
            #expect(delegate.application(.shared, continue: activity) { _ in })
            #expect(delegate.model.addresses.map(\.absoluteString) == ["https://example.com/t/42"])
            #expect(delegate.model.title == "Addresses: 1")
        }
    }

    private final class BalanceScreen: UIViewController, BalanceReaderDelegate {
        let label = UILabel()
        private(set) lazy var reader = BalanceReader(viewController: self)

        func balanceReader(didRead balance: Int) {
            label.text = "\(balance)"
        }
    }

    private final class Listener: TagViewControllerDelegate {
        var addresses: [URL] = []

        func tagViewController(_ controller: TagViewController, didRead address: URL) {
            addresses.append(address)
        }
    }
#endif
