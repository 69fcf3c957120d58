#if os(iOS)
    import CoreNFC
    import SwiftUI

    /// A model of a view, which is not part of the package; all it takes comes with SwiftUI.
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
