import Foundation
import TapDocument
import TapSystem
import Testing

/// Apps with a Core NFC interface whose cards come from the launch environment and are moved by `tapsim ctl`.
@Suite struct `Controlling the cards of an app` {
    @Test func `moves cards during a session, and shows what the phone does`() throws {
        let app = try SteeredApp(["TAPSIM_CARD": "suica:balance=3120,trips=20"])
        #expect(app.perform("available") == ["available true"])
        let control = try app.control()
        #expect(try SteeredApp.json(control, "status")["phone"]?["session"]?.text == "none")
        _ = try SteeredApp.json(control, "remove")
        #expect(app.perform("begin") == ["active"])
        let polling = try SteeredApp.json(control, "status")["phone"]
        #expect(polling?["session"]?.text == "polling")
        #expect(polling?["alert"]?.text == "Hold your card near the phone")
        #expect(try SteeredApp.ctl(control, "tap", "suica").output == "suica is now on the reader\n")
        #expect(app.nextLine() == "connected 0003")
        #expect(app.perform("read") == ["balance 3120"])
        let connected = try SteeredApp.json(control, "status")["phone"]
        #expect(connected?["session"]?.text == "connected")
        #expect(connected?["alert"]?.text == "Read")
        #expect(try SteeredApp.ctl(control, "journal").output.contains(" >  "))
        _ = try SteeredApp.json(control, "remove", "suica")
        #expect(app.perform("read") == ["failed 100"])
        #expect(try SteeredApp.ctl(control, "phone", "cancel").output == "the user cancels the session\n")
        #expect(app.nextLine() == "ended 200")
        #expect(try SteeredApp.json(control, "status")["phone"]?["error"]?.text == "200")
        #expect(app.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: URL(fileURLWithPath: control).deletingLastPathComponent().path))
    }

    @Test func `judges the app, and replaces cards`() throws {
        let app = try SteeredApp(["TAPSIM_CARD": "suica:balance=3120", "TAPSIM_SEED": "3"])
        #expect(app.perform("begin", printing: 2) == ["active", "connected 0003"])
        let control = try app.control()
        #expect(app.perform("read") == ["balance 3120"])
        _ = try SteeredApp.json(control, "set", "suica", "balance=5000")
        #expect(app.perform("end") == ["ended 200"])
        #expect(app.perform("begin", printing: 2) == ["active", "connected 0003"])
        #expect(app.perform("read") == ["balance 5000"])
        #expect(try SteeredApp.ctl(control, "verify", "--count", "felica.read=2").exitCode == 0)
        let failed = try SteeredApp.ctl(control, "verify", "--count", "felica.read=1")
        #expect(failed.exitCode == 1)
        #expect(failed.output.contains("reproduce  env TAPSIM_CARD=suica:balance=3120 TAPSIM_SEED=3 "))
        let sessions = try TapSimProgram.file(
            "sessions.json", #"{"phone": {"sessions": 2, "tags": ["suica", "suica"]}}"#)
        #expect(try SteeredApp.ctl(control, "verify", "--file", sessions).exitCode == 0)
        _ = try SteeredApp.ctl(control, "phone", "radio", "off")
        #expect(app.nextLine() == "ended 6")
        _ = try SteeredApp.json(control, "reset")
        #expect(try SteeredApp.json(control, "status")["exchanges"]?.text == "0")
        #expect(app.perform("begin", printing: 2) == ["active", "connected 0003"])
        #expect(app.perform("read") == ["balance 3120"])
        #expect(try SteeredApp.json(control, "status")["phone"]?["sessions"]?.text == "1")
        #expect(try SteeredApp.ctl(control, "verify", "--file", sessions).exitCode == 1)
    }

    @Test func `ends sessions as a user would, and rejects what a phone does not have`() throws {
        let app = try SteeredApp(["TAPSIM_CARD": "suica"])
        #expect(app.perform("available") == ["available true"])
        let control = try app.control()
        let early = try SteeredApp.ctl(control, "phone", "cancel")
        #expect(early.exitCode == 2)
        #expect(early.error.contains("no session is open"))
        #expect(app.perform("begin", printing: 2) == ["active", "connected 0003"])
        #expect(try SteeredApp.json(control, "phone", "background")["ended"]?.text == "true")
        #expect(app.nextLine() == "ended 202")
        #expect(try SteeredApp.ctl(control, "phone", "radio", "off").output == "NFC is off\n")
        #expect(app.perform("begin") == ["ended 6"])
        #expect(try SteeredApp.ctl(control, "status").output.contains("NFC off"))
        _ = try SteeredApp.ctl(control, "phone", "radio", "on")
        #expect(app.perform("begin", printing: 2) == ["active", "connected 0003"])
        #expect(try SteeredApp.ctl(control, "unplug").error.contains("a phone has no reader"))
        #expect(try SteeredApp.json(control, "stop")["stopping"]?.text == "true")
        // The app continues with its cards, and the socket is removed once it stops answering.
        #expect(app.perform("read")[0].hasPrefix("balance "))
        while ControlClient.isAnswered(control) {}
    }

    @Test(arguments: [("cancel", 200), ("background", 202)])
    func `answers before the end if the app exits with its session`(act: String, code: Int) throws {
        // The phone continues with the next session in card time while the app is notified of the end of the first.
        let file = try TapSimProgram.file(
            "queue.json",
            """
            {"format": 1, "cards": {"suica": {"template": "suica"}}, "timeline": [{"after": "70s", "tap": "suica"}],
             "settings": {"pace": "card"},
             "phone": {"second_session": "queue", "system_codes": ["0003", "FE00", "88B4", "12FC", "8008"]}}
            """)
        let app = try SteeredApp(["TAPSIM_SCENARIO": file])
        #expect(app.perform("begin") == ["active"])
        app.ask("begin")
        app.ask("leave")
        #expect(app.perform("available") == ["available true"])
        let outcome = try SteeredApp.ctl(try app.control(), "phone", act)
        #expect(outcome.exitCode == 0, "\(outcome.error)")
        // Each session calls its delegate on its own queue: the next one may be active before the end is reported.
        let line = app.nextLine()
        #expect((line == "active" ? app.nextLine() : line) == "ended \(code)")
        #expect(app.exitCode() == 7)
    }

    @Test func `follows the timeline of a file in real time`() throws {
        let file = try TapSimProgram.file(
            "later.json",
            """
            {"format": 1, "cards": {"suica": {"template": "suica", "balance": 700}},
             "timeline": [{"after": "50ms", "tap": "suica"}, {"when": "felica.read", "remove": "suica"}],
             "expect": {"counts": {"felica.read": 1}, "phone": {"sessions": 1, "tags": ["suica"]}}}
            """)
        let app = try SteeredApp(["TAPSIM_SCENARIO": file])
        #expect(app.perform("begin", printing: 2) == ["active", "connected 0003"])
        #expect(app.perform("read") == ["balance 700"])
        #expect(app.perform("read") == ["failed 100"])
        #expect(try SteeredApp.ctl(try app.control(), "verify").exitCode == 0)
    }

    @Test(arguments: [
        (["TAPSIM_CARD": "suiica"], "TapSim: TAPSIM_CARD: suiica: `suiica` is neither a template nor an IC"),
        (
            ["TAPSIM_SCENARIO": "Scenarios/felica/suica-history.yaml"],
            "`tapsim check --resolved --json Scenarios/felica"
        ),
        (["TAPSIM_CARD": "suica", "TAPSIM_SEED": "one"], "TAPSIM_SEED: `one` is not a whole number"),
    ])
    func `reports an invalid environment in one line, and disables reading`(
        environment: [String: String], sentence: String
    ) throws {
        let app = try SteeredApp(environment)
        #expect(app.perform("available") == ["available false"])
        #expect(app.perform("begin") == ["ended 1"])
        #expect(app.end() == 0)
        let line = try #require(try app.errors().first)
        #expect(line.contains(sentence), "\(line)")
        #expect(line.hasSuffix("; NFC reading is not available"))
        #expect(try app.errors().count == 1)
    }

    @Test func `disables reading silently without cards`() throws {
        let app = try SteeredApp(["TAPSIM_SEED": "1"])
        #expect(app.perform("available") == ["available false"])
        #expect(app.perform("begin") == ["ended 1"])
        #expect(app.end() == 0)
        #expect(try app.errors().isEmpty)
    }

    @Test func `listens at the given path unless another program does, and replaces the socket of a dead app`()
        throws
    {
        let path = "\(try TapSimProgram.file("ctl", "")).socket"
        let cards = ["TAPSIM_CARD": "suica", "TAPSIM_CTL": path]
        let first = try SteeredApp(cards)
        #expect(first.perform("available") == ["available true"])
        #expect(try SteeredApp.json(path, "status")["scenario"]?.text == "suica")
        let second = try SteeredApp(cards)
        #expect(second.perform("available") == ["available true"])
        let other = try second.control()
        #expect(other != path && ControlClient.isAnswered(other))
        first.kill()
        #expect(FileManager.default.fileExists(atPath: path) && !ControlClient.isAnswered(path))
        let third = try SteeredApp(cards)
        #expect(third.perform("available") == ["available true"])
        #expect(try SteeredApp.json(path, "status")["phone"]?["sessions"]?.text == "0")
        #expect(third.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `lets one of several apps listen at a shared path, while the others print theirs`() throws {
        let path = "\(try TapSimProgram.file("ctl", "")).socket"
        let apps = try (0..<6).map { _ in try SteeredApp(["TAPSIM_CARD": "suica", "TAPSIM_CTL": path]) }
        for app in apps { app.ask("available") }
        for app in apps { #expect(app.nextLine() == "available true") }
        #expect(try apps.count { try $0.errors().isEmpty } == 1)
        #expect(ControlClient.isAnswered(path))
        for app in apps where try !app.errors().isEmpty { #expect(ControlClient.isAnswered(try app.control())) }
    }

    @Test func `reads resolved cases of a scenario`() throws {
        let written = try TapSim.run(["check", "--resolved", "--json", "Scenarios/uses/app.yaml"])
        let file = try TapSimProgram.file("app.json", written.output)
        let app = try SteeredApp(["TAPSIM_SCENARIO": file, "TAPSIM_CASE": "1"])
        #expect(app.perform("begin", printing: 2) == ["active", "connected 0003"])
        #expect(app.perform("read") == ["balance 3120"])
        let verdict = try SteeredApp.json(try app.control(), "verify")
        // The app shows a different text than the scenario expects, and its session is open.
        #expect(verdict["failures"]?.items.map { $0["path"]?.text } == ["expect.phone.alerts", "expect.phone.error"])
        let none = try SteeredApp(["TAPSIM_SCENARIO": file])
        #expect(none.perform("available") == ["available false"])
        #expect(
            try none.errors()[0].contains("3 a card without the systems that the app declares is not reported; choose"))
    }

    @Test func `prints where it listens if a path is invalid`() throws {
        let file = try TapSimProgram.file("ctl", "a file")
        let app = try SteeredApp(["TAPSIM_CARD": "suica", "TAPSIM_CTL": file])
        #expect(app.perform("available") == ["available true"])
        #expect(try app.errors()[0].contains("use another path or remove the existing file"))
        #expect(ControlClient.isAnswered(try app.control()))
    }

    @Test func `works with a temporary directory too long for sockets`() throws {
        let folder = "\(try TapSimProgram.file(String(repeating: "long", count: 30), "")).d"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let app = try SteeredApp(["TAPSIM_CARD": "suica", "TMPDIR": folder])
        #expect(app.perform("available") == ["available true"])
        #expect(try app.control().hasPrefix("/tmp/tapsim-"))
    }

    @Test func `is distinguished from readers`() throws {
        let run = try TapSim.run(["run", "--card", "suica", "--", TapSimProgram.alongside("PhoneClient")])
        #expect(run.exitCode == 1)
        #expect(run.output.contains("It is built on VirtualCoreNFC, which opens no transport"), "\(run.output)")
    }
}
