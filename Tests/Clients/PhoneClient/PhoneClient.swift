import CoreNFC

/// An app without a screen that performs commands from standard input and prints a line for each event.
@main
final class PhoneClient: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
    private var session: NFCTagReaderSession?
    private var tag: NFCFeliCaTag?
    /// A Boolean value that indicates whether the app ends with its session.
    private var leavesAtEnd = false
    private let lock = NSLock()

    static func main() {
        let app = PhoneClient()
        while let line = readLine(), line != "quit" { app.perform(line) }
    }

    private func perform(_ line: String) {
        switch line {
        case "available": say("available \(NFCTagReaderSession.readingAvailable)")
        case "begin":
            session = NFCTagReaderSession(pollingOption: .iso18092, delegate: self)
            session?.alertMessage = "Hold your card near the phone"
            session?.begin()
        case "again": session?.restartPolling()
        case "read": read()
        case "end": session?.invalidate()
        case "leave": lock.withLock { leavesAtEnd = true }
        default: say("cannot \(line)")
        }
    }

    private func read() {
        guard let tag = lock.withLock({ tag }) else { return say("no tag") }
        tag.readWithoutEncryption(
            serviceCodeList: [Data([0x8B, 0x00])], blockList: [Data([0x80, 0x00])]
        ) { [self] flag, _, blocks, error in
            if let error { return say("failed \((error as NSError).code)") }
            guard flag == 0, let block = blocks.first, block.count == 16 else { return say("status \(flag)") }
            session?.alertMessage = "Read"
            say("balance \(Int(block[11]) | Int(block[12]) << 8)")
        }
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
        say("active")
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        say("ended \((error as NSError).code)")
        if lock.withLock({ leavesAtEnd }) { exit(7) }
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let first = tags.first, case .feliCa(let found) = first else { return say("found another") }
        session.connect(to: first) { [self] error in
            if let error { return say("failed \((error as NSError).code)") }
            lock.withLock { tag = found }
            say("connected \(found.currentSystemCode.map { String(format: "%02X", $0) }.joined())")
        }
    }

    /// Prints a whole line at once, from any queue.
    private func say(_ line: String) {
        lock.withLock { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
    }
}
