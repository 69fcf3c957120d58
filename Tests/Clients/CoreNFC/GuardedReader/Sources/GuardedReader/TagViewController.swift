#if os(iOS) && !targetEnvironment(macCatalyst)
    import CoreNFC
    import UIKit
    import os.log

    @objc public protocol TagViewControllerDelegate {
        func tagViewController(_ controller: TagViewController, didRead address: URL)
    }

    /// A screen that reads an address from an NDEF tag.
    @objcMembers
    public final class TagViewController: UIViewController, NFCNDEFReaderSessionDelegate {
        @objc public dynamic private(set) var count = 0
        public weak var delegate: TagViewControllerDelegate?
        public let model = TagModel()

        private let logger = Logger(subsystem: "com.example.tags", category: "reader")
        private var session: NFCNDEFReaderSession?

        public override func viewDidLoad() {
            super.viewDidLoad()
            title = "Tags"
        }

        @IBAction public func scan() {
            guard NFCNDEFReaderSession.readingAvailable else {
                logger.error("NFC is not available on \(UIDevice.current.model, privacy: .public)")
                return
            }
            session = NFCNDEFReaderSession(delegate: self, queue: .main, invalidateAfterFirstRead: true)
            session?.alertMessage = "Hold a tag to the iPhone."
            session?.begin()
        }

        public nonisolated func readerSession(
            _ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]
        ) {
            let addresses = messages.flatMap(\.records).compactMap { $0.wellKnownTypeURIPayload() }
            MainActor.assumeIsolated {
                count += addresses.count
                model.addresses += addresses
                for address in addresses { delegate?.tagViewController(self, didRead: address) }
            }
        }

        public nonisolated func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: Error) {
            let code = (error as? NFCReaderError)?.code
            MainActor.assumeIsolated {
                logger.info("session ended: \(error.localizedDescription)")
                if code != .readerSessionInvalidationErrorFirstNDEFTagRead { model.error = error.localizedDescription }
            }
        }
    }

    /// The state of the screen. ObservableObject is part of Foundation only on Apple platforms.
    public final class TagModel: ObservableObject {
        @Published public internal(set) var addresses: [URL] = []
        @Published public internal(set) var error: String?
    }
#endif
