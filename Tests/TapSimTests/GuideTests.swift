import Foundation
import TapField
import TapSystem
import TestSupport
import Testing

/// The pages for Core NFC apps: their listings come from an example that is tested in its own folder.
@Suite struct `The guide for apps` {
    static let pages = ["docs/ios.md", "docs/ios.ja.md"]
    static let folder = "Tools/examples/corenfc-app"

    @Test(arguments: pages) func `shows listings from a tested package`(page: String) throws {
        // On the pages, TapSim is next to the app.
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

    @Test(arguments: pages) func `names existing commands and files`(page: String) throws {
        let text = try TapSimProgram.text(of: page)
        let lines = try Self.blocks(of: page).filter(\.language.isEmpty).flatMap { $0.text.split(separator: "\n") }
        let commands = lines.filter { $0.hasPrefix("tapsim ") }.map { $0.split(separator: " ").map(String.init) }
        #expect(commands.count >= 7)
        for words in commands {
            let help = try TapSim.run([words[1], "--help-all"])
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

    @Test func `names existing faults and keys`() throws {
        for page in Self.pages {
            let text = try TapSimProgram.text(of: page)
            let faults = text.split(separator: "`").filter { $0.hasPrefix("phone.") && !$0.contains(" ") }
            let known = Set(FaultCatalogue.all.map(\.name)).union(["phone.nak", "phone.second_session"])
            #expect(faults.count > 9)
            for fault in faults { #expect(known.contains(String(fault)), "\(page): \(fault)") }
        }
    }

    @Test func `shows a formatted scenario that can be converted to JSON and read again`() throws {
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

    /// The code blocks of a page; no language for input of a shell or Xcode.
    fileprivate static func blocks(of page: String) throws -> [(language: String, text: String)] {
        let parts = try TapSimProgram.text(of: page).components(separatedBy: "```")
        return parts.indices.filter { $0 % 2 == 1 }.map { index in
            let (language, text) = (parts[index].prefix { $0 != "\n" }, parts[index].drop { $0 != "\n" }.dropFirst())
            return (String(language), String(text))
        }
    }
}

/// The guides for kinds of users.
///
/// Their commands are lines for a shell. A shell splits the ones that run `tapsim`, and runs the others.
@Suite struct `A guide` {
    static let pages = TapSimProgram.files(below: "docs/guides", endingIn: ".md")

    @Test(arguments: pages) func `prints what it shows, with the files that it shows`(page: String) throws {
        let folder = try TestFolder.make()
        for block in try `The guide for apps`.blocks(of: page) {
            // The first line of a file is a comment with its name.
            if let name = block.text.prefixMatch(of: #/# ([\w/-]+\.[a-z]+)/#)?.1 {
                let file = folder.appendingPathComponent(String(name))
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try block.text.write(to: file, atomically: true, encoding: .utf8)
                guard name.hasSuffix(".yaml") else { continue }
                #expect(try TapSim.run(["fmt", "--check", file.path]).exitCode == 0, "\(name)")
            }
            guard block.language == "console" else { continue }
            for step in "\n\(block.text)".components(separatedBy: "\n$ ").dropFirst() {
                let lines = step.split(separator: "\n").map(String.init)
                let output = try Self.output(of: lines[0], in: folder.path)
                var printed = output.split(separator: "\n").map(String.init)[...]
                for line in lines.dropFirst() where line.contains(where: { $0 != " " && $0 != "…" }) {
                    let place = printed.firstIndex { Self.fits($0, line) }
                    guard let place else { Issue.record("\(lines[0])\nlacks \(line)\nof\n\(output)"); break }
                    printed = printed[(place + 1)...]
                }
            }
        }
    }

    @Test(arguments: pages + ["docs/README.md"]) func `links to files that are there`(page: String) throws {
        let folder = URL(fileURLWithPath: "\(TapSimProgram.root)/\(page)").deletingLastPathComponent().path
        let links = try TapSimProgram.text(of: page).split(separator: "](").dropFirst()
        for link in links.map({ $0.prefix { $0 != ")" && $0 != "#" } }) where !link.isEmpty {
            #expect(FileManager.default.fileExists(atPath: "\(folder)/\(link)"), "\(link)")
        }
    }

    @Test func `for apps, and the README, show files of the app that is tested`() throws {
        let files = try FileManager.default
            .subpathsOfDirectory(atPath: "\(TapSimProgram.root)/\(`The guide for apps`.folder)")
            .filter { $0.hasSuffix(".swift") }
            .map { try TapSimProgram.text(of: "\(`The guide for apps`.folder)/\($0)") }
        let shown = try ["docs/guides/ios-app.md", "README.md"].flatMap(`The guide for apps`.blocks(of:))
            .filter { $0.language == "swift" }.map { $0.text.replacing("../TapSim", with: "../../..") }
        #expect(shown.count == 4)
        for text in shown { #expect(files.contains { $0.contains(text) }, "\(text)") }
    }

    @Test func `for fuzzing shows the finding of the README`() throws {
        let readme = try `The guide for apps`.blocks(of: "README.md").first { $0.text.hasPrefix("$ tapsim fuzz ") }
        let guide = try `The guide for apps`.blocks(of: "docs/guides/fuzzing.md").map(\.text)
        #expect(guide.contains(try #require(readme?.text)))
    }

    /// Returns the text that a command prints on both streams, with the Python of the tests.
    private static func output(of command: String, in folder: String) throws -> String {
        let python = URL(fileURLWithPath: TapSimProgram.python).deletingLastPathComponent().path
        let environment = ["PATH": "\(python):\(ProcessEnvironment["PATH"] ?? "")"]
        guard command.hasPrefix("tapsim ") else {
            return try TapSimProgram.run(
                ["-c", command], environment: environment, redirection: "2>&1", program: "/bin/sh", in: folder
            ).output
        }
        let printed = Lock<[UInt8]>([])
        let write: @Sendable ([UInt8]) -> Void = { bytes in printed.withLock { $0 += bytes } }
        _ = try TapSim.run(
            TapSim.arguments(of: command, in: folder), environment: environment, in: folder, printing: write,
            warning: write)
        return String(decoding: printed.withLock { $0 }, as: UTF8.self)
    }

    /// Whether a line is the one that a page shows, in which `…` stands for any text.
    private static func fits(_ line: String, _ shown: String) -> Bool {
        let parts = shown.trimmingCharacters(in: .whitespaces).components(separatedBy: "…")
        guard parts.count > 1 else { return line.trimmingCharacters(in: .whitespaces) == parts[0] }
        var rest = line[...]
        for part in parts where !part.isEmpty {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
