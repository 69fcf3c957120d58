import FoundationLocalization
import Testing

/// Texts of `String(localized:)`, which Foundation on Linux lacks.
@Suite struct `A localized text` {
    @Test func `is its key with its values if no table has it`() {
        let (count, share, name) = (3, 0.5, "Suica")
        #expect(String(localized: "100% read") == "100% read")
        #expect(String(localized: "\(count) trips of \(name), 5%") == "3 trips of Suica, 5%")
        #expect(String(localized: "\(share)", locale: Locale(identifier: "en_US_POSIX")) == "0.500000")
        #expect(String(localized: "trips", defaultValue: "\(count) trips", comment: "a count") == "3 trips")
    }

    @Test func `comes from the table of its bundle`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#""%lld trips" = "trips: %lld"; "tooMany" = "one card, please";"#.utf8)
            .write(to: folder.appendingPathComponent("Localizable.strings"))
        let bundle = try #require(Bundle(path: folder.path))
        #expect(String(localized: "\(20) trips", bundle: bundle) == "trips: 20")
        #expect(String(localized: "tooMany", defaultValue: "too many", bundle: bundle) == "one card, please")
    }
}
