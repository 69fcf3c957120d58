import Foundation
import Testing

@Suite("The module built for a device")
struct DeviceGuardSuite {
    @Test("is empty: every file is enclosed in the guard that excludes devices")
    func files() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/VirtualCoreNFC")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(files.count > 12)
        let opening = "#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)\n"
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            let isGuarded = text.hasPrefix(opening) && text.hasSuffix("\n#endif\n")
            // Only the last line may close what the guard opens.
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("#") }
            #expect(isGuarded && lines.count == 2, "\(file.lastPathComponent) would add code on devices")
        }
    }
}
