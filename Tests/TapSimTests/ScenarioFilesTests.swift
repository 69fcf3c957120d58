import Foundation
import TapDocument
import TapSystem
import Testing

/// The command with scenarios that name other files.
@Suite struct `Scenarios that name other files` {
    /// A separate folder with files.
    private struct Folder {
        let path: String

        init(_ files: [String: String]) throws {
            let file = try TapSimProgram.file("main.yaml", files["main.yaml"] ?? "")
            path = String(file.dropLast("/main.yaml".count))
            for (name, text) in files {
                let url = URL(fileURLWithPath: "\(path)/\(name)")
                let folder = url.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
        }

        func run(_ arguments: String...) throws -> CommandOutcome {
            try TapSim.run(arguments.map { $0.hasSuffix(".yaml") ? "\(path)/\($0)" : $0 })
        }
    }

    private static let tag = """
        format: 1
        params: {ic: NTAG213}
        cards: {tag: {template: ndef, ic: "${params.ic}"}}

        """

    @Test func `find them relative to their own folder`() throws {
        let folder = try Folder([
            "main.yaml": "format: 1\ninclude: parts/tag.yaml\nclient: {builtin: ndef}\n", "parts/tag.yaml": Self.tag,
            "other.yaml": "format: 1\nextends: parts/../main.yaml\ncases: [{name: a}, {name: b}]\n",
        ])
        #expect(try folder.run("run", "main.yaml").output.contains("NTAG213"))
        #expect(try folder.run("run", "main.yaml", "--param", "ic=NTAG216").output.contains("NTAG216"))
        #expect(try folder.run("run", "other.yaml").output.contains("2 passed, 0 failed"))
        let wrong = try folder.run("check", "main.yaml", "--param", "ic=NTAG2")
        #expect(wrong.exitCode == 2 && wrong.error.contains("--param:1:4"), "\(wrong.error)")
    }

    @Test(arguments: [
        "include: secret.txt", "include: [secret.yaml]", "extends: secret.yaml", "include: secret.json",
        "include: plain.yaml", "cards: {tag: {template: ndef, persist: secret.txt}}",
        "cards: {tag: {ic: NTAG215, image: secret.txt}}",
        "cards: {tag: {template: ndef}}\nphone: {info_plist: secret.txt, usage: x}",
    ])
    func `never show contents of unrelated files`(_ line: String) throws {
        let folder = try Folder([
            "main.yaml": "format: 1\n\(line)\n", "secret.txt": "root:hunter2:1:\n\thunter2\n",
            "secret.yaml": "key: [hunter2\n", "secret.json": "{\"key\": hunter2}", "plain.yaml": "hunter2: hunter2\n",
        ])
        for words in [["check"], ["check", "--json"], ["run"], ["fuzz"], ["fmt", "--check"]] {
            let outcome = try TapSim.run(words + ["\(folder.path)/main.yaml"])
            let shown = outcome.output + outcome.error
            #expect(!shown.contains("hunter2"), "\(words): \(shown)")
            guard words == ["run"] else { continue }
            #expect(outcome.exitCode == 2 && ["secret", "plain"].contains(where: shown.contains), "\(shown)")
        }
        #expect(try String(contentsOfFile: "\(folder.path)/secret.txt", encoding: .utf8).contains("hunter2"))
    }

    @Test func `report the position of errors in an included scenario, even an unreadable one`() throws {
        let folder = try Folder([
            "main.yaml": "format: 1\ninclude: part.yaml\n", "part.yaml": "# a part\n---\nformat: 1\ncards: [tag\n",
            "main2.yaml": "format: 1\ninclude: part.json\n", "part.json": "{\n  \"format\": 1,\n  \"cards\": tag\n}",
        ])
        #expect(try folder.run("check", "main.yaml").error.contains("cards: [tag"))
        #expect(try folder.run("check", "main2.yaml").error.contains("\"cards\": tag"))
    }

    @Test func `cannot read another user's file through a link in a folder`() throws {
        let outside = try Folder(["main.yaml": "key: [hunter2\n"])
        let folder = try Folder(["main.yaml": Self.tag])
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link.yaml", withDestinationPath: "\(outside.path)/main.yaml")
        let outcome = try folder.run("check", folder.path)
        #expect(outcome.exitCode == 0 && outcome.output == "1 file, 1 case, no errors\n", "\(outcome.error)")
    }

    @Test func `stay inside their root, despite dots or links`() throws {
        let outside = try Folder(["main.yaml": Self.tag])
        let folder = try Folder([
            "main.yaml": "format: 1\ninclude: link.yaml\n",
            "dots.yaml": "format: 1\nextends: ../\(outside.path.split(separator: "/").last ?? "")/main.yaml\n",
            "folder.yaml": "format: 1\ncards: {tag: {image: .}}\n",
        ])
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/link.yaml", withDestinationPath: "\(outside.path)/main.yaml")
        for name in ["main.yaml", "dots.yaml"] {
            let outcome = try folder.run("check", name)
            #expect(outcome.exitCode == 2 && outcome.error.contains("error[S071]"), "\(outcome.error)")
        }
        #expect(try folder.run("check", "folder.yaml").error.contains("error[S07"))
    }

    @Test func `are resolved with their origins, and run in this form`() throws {
        let folder = try Folder([
            "main.yaml": "format: 1\ninclude: tag.yaml\nclient: {builtin: ndef}\ncases: [{name: a}, {name: b}]\n",
            "tag.yaml": Self.tag,
        ])
        let text = try folder.run("check", "main.yaml", "--resolved", "--case", "b").output
        #expect(text.contains("# params.ic, ") && text.contains("tag.yaml:2\n"))
        let alone = try Folder(["main.yaml": text])
        #expect(try alone.run("run", "main.yaml").output.contains("1 passed, 0 failed"))
        let list = try folder.run("check", "main.yaml", "--resolved", "--json")
        #expect(list.json?.items.count == 2)
        let file = try TapSimProgram.file("all.json", list.output)
        let all = try TapSim.run(["run", file])
        #expect(all.output.contains("2 passed, 0 failed"), "\(all.error)")
        #expect(try TapSim.run(["run", file, "--case", "b"]).output.contains("1 passed, 0 failed"))
    }

    @Test func `keep data written to a card between runs`() throws {
        let text = """
            format: 1
            cards:
              tag:
                template: ndef
                uid: "04 A1 B2 C3 D4 E5 80"
                persist: tag.json
                config: {pwd: DEADBEEF, auth0: 4, prot: read_write, authlim: 5}
            client: {builtin: {ndef: {password: "00000000"}}}
            expect: {client: {exit: 1..}}

            """
        let folder = try Folder(["main.yaml": text, "other.yaml": text.replacing("E5 80", with: "E5 81")])
        for count in 1...2 {
            #expect(try folder.run("run", "main.yaml").exitCode == 0)
            let state = try String(contentsOfFile: "\(folder.path)/tag.json", encoding: .utf8)
            #expect(state.contains("\"auth_failures\": \(count)"), "\(state)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["main.yaml", "other.yaml", "tag.json"])
        let other = try folder.run("run", "other.yaml")
        #expect(other.exitCode == 2 && other.error.contains("error[S076]"), "\(other.error)")
    }

    @Test(arguments: [false, true])
    func `do not overwrite a card file that changed during the run`(isThere: Bool) throws {
        let folder = try Folder([
            "main.yaml": "format: 1\ncards: {tag: {template: ndef, persist: tag.json}}\n",
            "client.sh": "echo mine >tag.json\n",
        ])
        let run = { (words: [String]) in
            try TapSim.run(["run", "main.yaml", "--trace", "off"] + words, in: folder.path)
        }
        let text = { (name: String) in try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8) }
        if isThere {
            #expect(try run([]).exitCode == 0)
            #expect(try text("tag.json").contains("\"format\": 1"))
        }
        let changed = try run(["--", "sh", "client.sh"])
        #expect(
            changed.error.contains("tag.json has changed since it was read")
                && changed.error.contains("was saved to tag.json.1"), "\(changed.error)")
        #expect(try text("tag.json") == "mine\n" && text("tag.json.1").contains("\"format\": 1"))
        let refused = try run([])
        #expect(refused.exitCode == 2 && refused.error.contains("use another file"), "\(refused.error)")
        #expect(!refused.error.contains("remove"))
    }
}
