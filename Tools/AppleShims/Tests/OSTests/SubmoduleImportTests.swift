import Testing
import os.log

/// The names visible to a file that contains `import os.log`, as most published code does.
struct SubmoduleImportTests {
    @Test func `The logger and its levels are there by way of the submodule`() {
        let log = OSLog(subsystem: "example.reader", category: "card")
        Logger(log).log(level: .debug, "seen through os.log")
        #expect(OSLogType.fault.rawValue == 17)
    }
}
