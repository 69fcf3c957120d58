import Foundation
import TapField
import Testing

/// The pages for apps with Core NFC: what they show stands in an example whose tests run from its own folder.
@Suite struct `The guide for apps` {
    static let pages = ["docs/ios.md", "docs/ios.ja.md"]
    static let folder = "Tools/examples/corenfc-app"

    @Test(arguments: pages) func `shows listings of a package that is tested`(page: String) throws {
        // On the pages TapSim lies beside the app.
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(TapSimProgram.root)/\(Self.folder)")
            .filter { [".swift", ".yaml", ".yml", ".plist"].contains(where: $0.hasSuffix) }
            .map { path in
                try TapSimProgram.text(of: "\(Self.folder)/\(path)").replacing("../../..", with: "../TapSim")
            }
        let listings = try Self.blocks(of: page).filter { !$0.language.isEmpty }
        #expect(listings.count >= 7)
        for listing in listings {
            #expect(files.contains { $0.contains(listing.text) }, "\(listing.language):\n\(listing.text)")
        }
    }

    @Test(arguments: pages) func `names commands and files that are there`(page: String) throws {
        let text = try TapSimProgram.text(of: page)
        let lines = try Self.blocks(of: page).filter(\.language.isEmpty).flatMap { $0.text.split(separator: "\n") }
        let commands = lines.filter { $0.hasPrefix("tapsim ") }.map { $0.split(separator: " ").map(String.init) }
        #expect(commands.count >= 7)
        for words in commands {
            let help = try TapSim.run([words[1], "--help"])
            #expect(help.exitCode == 0, "\(words)")
            for word in words.dropFirst(2) where word.hasPrefix("--") {
                #expect(help.output.contains(word), "\(words): \(word)")
            }
            if words[1] == "ctl" { #expect(help.output.contains("tapsim ctl \(words[2])"), "\(words)") }
        }
        for link in text.split(separator: "](").dropFirst().map({ $0.prefix { $0 != ")" } }) {
            #expect(FileManager.default.fileExists(atPath: "\(TapSimProgram.root)/docs/\(link)"), "\(link)")
        }
    }

    @Test func `shows faults and keys that are there`() throws {
        for page in Self.pages {
            let text = try TapSimProgram.text(of: page)
            let faults = text.split(separator: "`").filter { $0.hasPrefix("phone.") && !$0.contains(" ") }
            let known = Set(FaultCatalogue.all.map(\.name)).union(["phone.nak", "phone.second_session"])
            #expect(faults.count > 9)
            for fault in faults { #expect(known.contains(String(fault)), "\(page): \(fault)") }
        }
    }

    @Test func `shows a scenario in the style, of which JSON is made that is read again`() throws {
        let file = "\(Self.folder)/Scenarios/app.yaml"
        #expect(try TapSim.run(["fmt", "--check", file]).exitCode == 0)
        let made = try TapSim.run(["check", "--resolved", "--json", file])
        #expect(made.exitCode == 0, "\(made.error)")
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
        try made.output.write(to: copy, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: copy) }
        let again = try TapSim.run(["check", "--resolved", "--json", copy.path])
        #expect(again.exitCode == 0, "\(again.error)")
        #expect(again.output.contains("the card slips away"))
    }

    @Test func `shows the same listings in both languages`() throws {
        let pages = try Self.pages.map { try Self.blocks(of: $0).map(\.text) }
        #expect(pages.first == pages.last)
    }

    /// The blocks of code of a page; a language of none for what a shell or Xcode takes.
    private static func blocks(of page: String) throws -> [(language: String, text: String)] {
        let parts = try TapSimProgram.text(of: page).components(separatedBy: "```")
        return parts.indices.filter { $0 % 2 == 1 }.map { index in
            let (language, text) = (parts[index].prefix { $0 != "\n" }, parts[index].drop { $0 != "\n" }.dropFirst())
            return (String(language), String(text))
        }
    }
}
