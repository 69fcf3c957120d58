import CoreNFC
import Testing

@Suite("A file that imports only Core NFC")
struct ExportSuite {
    @Test("sees Foundation and Dispatch")
    func exports() {
        #expect(Data([0x12, 0xFC]).count == 2)
        let semaphore = DispatchSemaphore(value: 0)
        semaphore.signal()
        #expect(semaphore.wait(timeout: .now()) == .success)
    }
}
