#if os(iOS)
    import CoreNFC
    import SwiftUI

    /// The model of a view that is not part of the package; it imports only SwiftUI.
    public final class ColorModel: NSObject, ObservableObject, NFCTagReaderSessionDelegate {
        @Published public private(set) var color = Color.gray

        private var session: NFCTagReaderSession?

        public func scan() {
            session = NFCTagReaderSession(pollingOption: [.iso14443, .iso18092], delegate: self, queue: .main)
            session?.begin()
        }

        public func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

        public func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
            withAnimation(.easeInOut) { color = .green }
            session.invalidate()
        }

        public func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {}
    }
#endif
