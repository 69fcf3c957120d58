import Foundation
import TapDocument
import TapYAML
import TestSupport
import Testing

/// `tapsim init`: its files pass, are formatted, and never overwrite existing files.
///
/// Some tests start `tapsim`: a pipeline runs it in a shell, and an installed copy is in another folder.
@Suite struct `A first scenario` {
    private func folder(_ prefix: String = "tapsim-") throws -> String {
        try TestFolder.make(prefix).path
    }

    /// Writes a scenario, checks its format and runs it; returns its text.
    private func initialized(_ arguments: [String], permission: [String] = []) throws -> String {
        let folder = try folder()
        let outcome = try TapSim.run(["init", folder, "--ci", "none"] + arguments)
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
        let file = "\(folder)/Scenarios/first.yaml"
        #expect(outcome.output.contains("wrote \(file)\n"))
        let checked = try TapSim.run(["check", file])
        #expect(checked.output == "1 file, 1 case, no errors\n")
        #expect(checked.error.isEmpty)
        #expect(try TapSim.run(["fmt", "--check", file]).exitCode == 0)
        let run = try TapSim.run(["run", file] + permission)
        #expect(run.exitCode == 0, "\(run.output)\(run.error)")
        return try String(contentsOfFile: file, encoding: .utf8)
    }

    @Test func `uses a Suica and comes with a CI file`() throws {
        let folder = try folder()
        let outcome = try TapSim.run(["init", folder])
        #expect(outcome.exitCode == 0)
        let text = try String(contentsOfFile: "\(folder)/Scenarios/first.yaml", encoding: .utf8)
        #expect(text.contains("cards: {suica: {template: suica, balance: 3120, trips: 20}}"))
        #expect(text.contains("/trips/length: 20"))
        let workflow = try String(contentsOfFile: "\(folder)/.github/workflows/tapsim.yml", encoding: .utf8)
        #expect(workflow.contains("run: tapsim run --junit tapsim.xml Scenarios\n"))
        #expect(outcome.output.contains("next:\n  cd \(folder)\n  tapsim run Scenarios/first.yaml\n"))
        let again = try TapSim.run(["init", folder])
        #expect(again.exitCode == 2)
        #expect(
            again.error.contains("first.yaml already exists; use `--force` to replace it, or `--name` to write another")
        )
        #expect(try TapSim.run(["init", folder, "--name", "second"]).error.contains("`--ci none` to leave it out"))
        #expect(try TapSim.run(["init", folder, "--force", "--ci", "gitlab"]).exitCode == 0)
        #expect(FileManager.default.fileExists(atPath: "\(folder)/.gitlab-ci.yml"))
    }

    @Test(arguments: [
        "suica:balance=3120,trips=20", "nanaco", "edy", "waon", "ndef", "blank", "NTAG213",
        "NTAG215:config.pwd=DEADBEEF,config.auth0=4,config.prot=read_write",
        "ndef:config.pwd=DEADBEEF,config.auth0=4",
    ])
    func `passes with any card`(card: String) throws {
        #expect(try initialized(["--card", card]).hasPrefix("# A first scenario"))
        let text = try initialized(["--from-run", "--card", card])
        #expect(text.hasPrefix("# Written from a run: tapsim run --card \(card)\n"))
        #expect(text.contains("order: subsequence"))
        #expect(text.contains("  counts: {"))
    }

    @Test func `states what a run did, with the card as named`() throws {
        let text = try initialized(["--from-run", "--card", "suica:balance=3120,trips=20", "--seed", "7"])
        for line in [
            "settings: {seed: 7}", "cards: {suica: {template: suica, balance: 3120, trips: 20}}",
            "      - {command: felica.read, service: \"090F\", blocks: 0..11, reply: {status: \"00 00\", blocks: 12}}",
            "    /trips/length: 20", "  counts: {felica.request_service: 1, felica.read: 4}",
            "  cards: {suica: unchanged}",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(text)")
        }
    }

    @Test func `states what an external client did`() throws {
        let client = ["--", "python3", "\(TapSimProgram.root)/Tests/Clients/udp_felica.py", "{nfcpy}"]
        let text = try initialized(
            ["--from-run", "--card", "suica:balance=3120,trips=20"] + client, permission: ["--allow-client"])
        #expect(text.contains("client: {run: [python3, "))
        #expect(text.contains("{command: felica.read, service: \"090F\", blocks: 0..11"))
        #expect(text.contains("/trips: 20"))
    }

    @Test func `of a tag with a password uses a client with the password`() throws {
        let tag = "ndef:config.pwd=DEADBEEF,config.auth0=4,config.prot=read_write"
        let text = try initialized(["--card", tag])
        #expect(text.contains("client: {builtin: {ndef: {password: \"DE AD BE EF\"}}}"), "\(text)")
        #expect(text.contains("/records/length: 1"), "\(text)")
        // A client that may read without a password is not given a password.
        let open = try initialized(["--card", "ndef:config.pwd=DEADBEEF,config.auth0=4"])
        #expect(open.contains("client: {builtin: ndef}"), "\(open)")
    }

    @Test func `names a dump relative to its own folder`() throws {
        let folder = try folder("tap sim-")
        try FileManager.default.createDirectory(atPath: "\(folder)/dumps", withIntermediateDirectories: true)
        try Self.dump.write(to: URL(fileURLWithPath: "\(folder)/dumps/my tag.bin"))
        let made = try TapSim.run(
            ["init", "--card", "NTAG215:image=dumps/my tag.bin,persist=state.json"], in: folder)
        #expect(made.exitCode == 0, "\(made.error)")
        let text = try String(contentsOfFile: "\(folder)/Scenarios/first.yaml", encoding: .utf8)
        #expect(text.contains("image: ../dumps/my tag.bin, persist: ../state.json"), "\(text)")
        for file in ["Scenarios", "Scenarios/first.yaml"] {
            let run = try TapSim.run(["run", file], in: folder)
            #expect(run.exitCode == 0, "\(run.output)\(run.error)")
        }
        #expect(FileManager.default.fileExists(atPath: "\(folder)/state.json"))
        let elsewhere = try TapSim.run(
            ["init", "project", "--card", "NTAG215:image=dumps/my tag.bin"], in: folder)
        #expect(elsewhere.exitCode == 2)
        #expect(elsewhere.error.contains("dumps/my tag.bin is outside project"), "\(elsewhere.error)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/project"))
    }

    /// The services and clients to test: all pairs with `Tools/test --long`, otherwise each client with one service.
    private static let pipelines = {
        let services = ["github", "gitlab"]
        return zip(Client.allCases.indices, Client.allCases).flatMap { index, client in
            (TestScale.isLong ? services : [services[index % services.count]]).map { ($0, client) }
        }
    }()

    @Test(arguments: pipelines)
    func `runs in CI as written, with any client`(service: String, client: Client) throws {
        let folder = try folder("tap sim-")
        try client.prepare(folder)
        let made = try TapSim.run(
            [
                "init", "--ci", service, "--install", "export PATH='\(folder)/bin':\"$PATH\"", "--from-run", "--card",
                client.card,
            ] + client.words, in: folder)
        #expect(made.exitCode == 0, "\(made.error)")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/bin/tapsim", withDestinationPath: TapSimProgram.path)
        // The client's requirements are installed on this machine.
        let commands = try Self.commands(of: service, in: folder).filter { !$0.contains("apt-get") }
        #expect(commands.count == 2)
        let outcome = try TapSimProgram.run(
            ["-e", "-c", commands.joined(separator: "\n")], program: "/bin/bash", in: folder)
        #expect(outcome.exitCode == 0, "\(commands)\n\(outcome.output)\(outcome.error)")
        #expect(outcome.output.contains("1 passed, 0 failed"))
        // The suggested next steps match the steps in CI.
        let next = made.output.split(separator: "\n").first { $0.contains("tapsim run Scenarios/first.yaml") }
        #expect(next?.contains("--allow-client") == commands.last?.contains("--allow-client"))
        #expect(next?.contains("--allow-client") == client.needsPermission)
    }

    @Test func `explains why the pipeline lets a scenario start a program outside its folder`() throws {
        let folder = try folder()
        #expect(
            try TapSim.run(["init", "--from-run", "--card", "ndef", "--", "nfc-list"], in: folder).exitCode == 0)
        let text = try String(contentsOfFile: "\(folder)/.github/workflows/tapsim.yml", encoding: .utf8)
        #expect(text.contains("# --allow-client, since a scenario starts `nfc-list`, which is outside the working"))
        #expect(text.contains("- run: sudo apt-get install --yes libnfc-bin\n"), "\(text)")
    }

    @Test func `prepares the client in CI`() throws {
        let folder = try folder()
        try "pyscard\n".write(toFile: "\(folder)/requirements.txt", atomically: true, encoding: .utf8)
        let setup = ["--setup", "apt-get install -y libpcsclite-dev", "--setup", "make -C client: all"]
        for service in ["github", "gitlab"] {
            #expect(try TapSim.run(["init", "--force", "--ci", service] + setup, in: folder).exitCode == 0)
            let commands = try Self.commands(of: service, in: folder)
            let root = service == "github" ? "sudo " : ""
            #expect(
                commands == [
                    "pip install ./wheels/tapsim-*.whl", "\(root)apt-get update",
                    "\(root)apt-get install --yes gcc libc6-dev swig", "apt-get install -y libpcsclite-dev",
                    "make -C client: all", "pip install -r requirements.txt",
                    "tapsim run --junit tapsim.xml Scenarios",
                ])
        }
    }

    @Test(arguments: [
        ("pyscard", "gcc libc6-dev libpcsclite-dev swig"), ("  PySCard >= 2 ; python_version > '3'", "gcc"),
        ("requests\nnfcpy[all]==1.0.4  # a comment", "libusb-1.0-0"), ("pyscardtools\n#pyscard\n-r pyscard", nil),
    ])
    func `installs the packages of the client's requirements`(requirements: String, packages: String?) throws {
        let folder = try folder()
        try requirements.write(toFile: "\(folder)/requirements.txt", atomically: true, encoding: .utf8)
        #expect(try TapSim.run(["init"], in: folder).exitCode == 0)
        let command = try Self.commands(of: "github", in: folder).first { $0.contains("apt-get install") }
        if let packages {
            #expect(command?.hasPrefix("sudo apt-get install --yes \(packages)") == true, "\(command ?? "none")")
        } else {
            #expect(command == nil)
        }
    }

    /// Creates a client that prints its result as text.
    private func textClient(in folder: String) throws -> [String] {
        try Client.interpreted.prepare(folder)
        let script = "python3 client.py \"$1\" | tr -d '{}'\n"
        try script.write(toFile: "\(folder)/client.sh", atomically: true, encoding: .utf8)
        return ["--", "sh", "client.sh", "{nfcpy}"]
    }

    @Test func `expects the client's output, so that another card fails`() throws {
        let folder = try folder()
        let client = try textClient(in: folder)
        let made = try TapSim.run(
            ["init", "--ci", "none", "--from-run", "--card", "suica:balance=3120,trips=20"] + client, in: folder)
        #expect(made.exitCode == 0, "\(made.error)")
        let file = "\(folder)/Scenarios/first.yaml"
        #expect(try TapSim.run(["run", file], in: folder).exitCode == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let swapped = text.replacing("balance: 3120, trips", with: "balance: 312, trips")
        #expect(swapped != text)
        try swapped.write(toFile: file, atomically: true, encoding: .utf8)
        let run = try TapSim.run(["run", file], in: folder)
        #expect(run.exitCode == 1)
        #expect(run.output.contains("expect.client.stdout"), "\(run.output)")
    }

    @Test func `states the ready line of a resident client, and one visit`() throws {
        let folder = try folder()
        // The shell starts at once, however long Python takes.
        let script = "echo ready for cards\nexec python3 \(TapSimProgram.root)/Tests/Clients/resident.py\n"
        try script.write(toFile: "\(folder)/client.sh", atomically: true, encoding: .utf8)
        let made = try TapSim.run(
            ["init", "--ci", "none", "--from-run", "--card", "ndef", "--", "sh", "client.sh"], in: folder)
        #expect(made.exitCode == 0, "\(made.output)\(made.error)")
        #expect(made.error.contains("the client does not end by itself; running it again with `taps: 1`"))
        let file = "\(folder)/Scenarios/first.yaml"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("\ntaps: 1\n") && text.contains(", ready: ready"), "\(text)")
        #expect(text.contains(#""done\n""#), "\(text)")
        let run = try TapSim.run(["run", file], in: folder)
        #expect(run.exitCode == 0, "\(run.output)\(run.error)")
    }

    @Test func `warns about a client whose result is not visible`() throws {
        let folder = try folder()
        try Client.interpreted.prepare(folder)
        try "python3 client.py \"$1\" > /dev/null\n".write(
            toFile: "\(folder)/client.sh", atomically: true, encoding: .utf8)
        let made = try TapSim.run(
            ["init", "--ci", "none", "--from-run", "--card", "suica", "--", "sh", "client.sh", "{nfcpy}"], in: folder)
        #expect(made.exitCode == 0, "\(made.error)")
        #expect(
            made.error.contains("warning: TapSim saw no output of the client, so the scenario does not check"))
    }

    /// Files that contain commands for users, or from which TapSim prints or writes commands.
    private static func texts() throws -> [(path: String, text: String)] {
        let folders = ["README.md", "docs", "Sources", "Tools"].map { "\(TapSimProgram.root)/\($0)" }
        let words = ["-rlI", "--exclude-dir=.build", "-e", "pip", "-e", "uvx"]
        let listed = try TapSimProgram.run(words + folders, program: "/bin/grep")
        return listed.output.split(separator: "\n").map(String.init).compactMap { path in
            (try? String(contentsOfFile: path, encoding: .utf8)).map { (path, $0) }
        }
    }

    @Test func `never installs tapsim by its bare name, like all pages and tools`() throws {
        let texts = try Self.texts()
        #expect(texts.contains { $0.path.hasSuffix("docs/ci.md") })
        // Matches the name alone, with a version or with an extra, but not a path, an address or another package.
        let bare =
            #/
            (?: uvx | (?: pip3? | uv | pipx ) ['"]? (?: \s [^\s`|&;]+ )*? \s (?: install | download | add | run ) )
            (?: \s [^\s`|&;]+ )*? \s ['"]? tapsim (?: [=<>~!\[] [^\s\/]* )? ['"]? (?: \s | $ | [`&;|)] )
            /#
        #expect("pip install tapsim\n".contains(bare) && "- pip install --quiet 'tapsim==0.1.0'".contains(bare))
        #expect(!"pip install ./wheels/tapsim-*.whl\n".contains(bare))
        for (path, text) in texts {
            for line in text.split(separator: "\n") where line.contains(bare) { Issue.record("\(path): \(line)") }
        }
    }

    /// Creates a Python package as installed by pip, with the command and a record of its origin.
    private func installed(from address: String?, _ layout: (binary: String, records: String)) throws -> String {
        let files = FileManager.default
        let folder = try folder("tap sim-")
        let (binary, record) = ("\(folder)/\(layout.binary)", "\(folder)/\(layout.records)/tapsim-0.1.0.dist-info")
        try files.createDirectory(
            atPath: URL(fileURLWithPath: binary).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try files.createDirectory(atPath: record, withIntermediateDirectories: true)
        // Copied by another process: a process started meanwhile would inherit the open file, which then could not be executed.
        #expect(try TapSimProgram.run([TapSimProgram.path, binary], program: "/bin/cp").exitCode == 0)
        if let address {
            try #"{"archive_info": {}, "url": "\#(address)"}"#
                .write(toFile: "\(record)/direct_url.json", atomically: true, encoding: .utf8)
        }
        return binary
    }

    @Test(arguments: [
        ("lib/python3.11/site-packages/tapsim/tapsim", "lib/python3.11/site-packages"),
        ("bin/tapsim", "lib/python3.13/site-packages"), ("site/bin/tapsim", "site"),
    ])
    func `installs tapsim in CI the way it is installed here`(binary: String, records: String) throws {
        let address = "https://example.com/tapsim-0.1.0-py3-none-any.whl"
        #expect(try install(from: address, (binary, records)).command == "pip install \(address)")
    }

    /// Runs a copy of `tapsim` as installed by pip.
    ///
    /// - Returns: The command in its CI file that installs `tapsim`, and the folder of that file.
    private func install(
        from address: String?, _ layout: (binary: String, records: String) = ("site/bin/tapsim", "site")
    ) throws -> (command: String?, folder: String) {
        let program = try installed(from: address, layout)
        let place = try folder()
        let made = try TapSimProgram.run(["init"], program: program, in: place)
        #expect(made.exitCode == 0, "\(made.error)")
        return (try Self.commands(of: "github", in: place).first, place)
    }

    @Test func `installs tapsim in CI from the same wheel, or from an unknown one`() throws {
        #expect(try install(from: nil).command == "pip install ./wheels/tapsim-*.whl")
        let wheel = try TapSimProgram.file("tapsim-0.1.0+a b.whl", "a wheel")
        let copied = try install(from: "file://" + wheel.replacing(" ", with: "%20"))
        #expect(copied.command == "pip install './wheels/tapsim-0.1.0+a b.whl'")
        let copy = try String(contentsOfFile: "\(copied.folder)/wheels/tapsim-0.1.0+a b.whl", encoding: .utf8)
        #expect(copy == "a wheel")
    }

    @Test func `warns if it expects a failed client`() throws {
        let outcome = try TapSim.run(
            ["init", "--from-run", "--card", "ndef", "--", "/bin/sh", "-c", "echo no reader >&2; exit 3"],
            in: try folder())
        #expect(outcome.exitCode == 0)
        #expect(
            outcome.error.contains(
                "warning: the client exited with 3, and the scenario expects this exit code: no reader"))
    }

    @Test func `rejects a client that does not exist where the scenario will run`() throws {
        let folder = try folder()
        try Client.interpreted.prepare(folder)
        let outcome = try TapSim.run(
            ["init", "project", "--from-run", "--card", "suica"] + Client.interpreted.words, in: folder)
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("will run in project, where `client.py` does not exist"), "\(outcome.error)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/project"))
    }

    @Test func `leaves no files if one of its folders cannot be created`() throws {
        let folder = try folder()
        try Data().write(to: URL(fileURLWithPath: "\(folder)/.github"))
        let outcome = try TapSim.run(["init"], in: folder)
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains("cannot make the folder .github/workflows"), "\(outcome.error)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/Scenarios/first.yaml"))
    }

    @Test(arguments: [
        (["a", "b"], "name one folder"), (["--card", "ndef", "--", "true"], "a client needs `--from-run`"),
        (["--from-run"], "`--from-run` needs a card"), (["--ci", "travis"], "`github`, `gitlab` or `none`"),
        (["--card", "ndef", "--card", "suica"], "several cards need `--from-run`"),
        (["first.yaml"], "`--name first` writes Scenarios/first.yaml"), (["--setup", ""], "needs a command"),
        (["--ci", "none", "--setup", "make"], "`--setup` is for CI"), (["--install", "a\nb"], "needs a command"),
        (["--name", "a b"], "`--name` needs letters"), (["--from-run", "--card", "nothing"], "neither a template"),
        (["--from-run", "--card", "suica", "--", "/no/such/client"], "/no/such/client"),
    ])
    func `is rejected if the command line makes no sense`(arguments: [String], sentence: String) throws {
        let folder = try folder()
        let outcome = try TapSim.run(["init"] + arguments.map { $0 == "a" ? folder : $0 })
        #expect(outcome.exitCode == 2)
        #expect(outcome.error.contains(sentence), "\(outcome.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    /// Clients as users name them: in the scenario's folder and installed on the machine.
    enum Client: CaseIterable {
        case interpreted, environment, script, installed

        var card: String { self == .installed ? "ndef" : "suica:balance=3120,trips=20" }

        var words: [String] {
            switch self {
            case .interpreted: ["--", "python3", "client.py", "{nfcpy}"]
            case .environment: ["--", ".venv/bin/python", "client.py"]
            case .script: ["--", "./client.py", "{nfcpy}"]
            case .installed: ["--", "nfc-list"]
            }
        }

        var needsPermission: Bool { self == .installed }

        func prepare(_ folder: String) throws {
            let files = FileManager.default
            try files.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
            let program = "\(folder)/client.py"
            if self == .environment {
                let environment = URL(fileURLWithPath: TapSimProgram.python).deletingLastPathComponent()
                    .deletingLastPathComponent().path
                try files.createDirectory(atPath: "\(folder)/.venv/bin", withIntermediateDirectories: true)
                for name in ["pyvenv.cfg", "lib", "bin/python"] {
                    try files.createSymbolicLink(
                        atPath: "\(folder)/.venv/\(name)", withDestinationPath: "\(environment)/\(name)")
                }
                try Data(Self.smartcard.utf8).write(to: URL(fileURLWithPath: program))
            } else {
                try files.copyItem(atPath: "\(TapSimProgram.root)/Tests/Clients/udp_felica.py", toPath: program)
                try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            }
        }

        private static let smartcard = """
            from smartcard.System import readers
            connection = readers()[0].createConnection()
            connection.connect()
            data, sw1, sw2 = connection.transmit([0xFF, 0xCA, 0, 0, 0])
            print('{"idm": "%s"}' % bytes(data).hex())
            """
    }

    /// The commands of a CI file.
    private static func commands(of service: String, in folder: String) throws -> [String] {
        let path = service == "github" ? ".github/workflows/tapsim.yml" : ".gitlab-ci.yml"
        let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
        var diagnostics = Diagnostics()
        let file = try #require(YAMLReader().read(SourceFile(name: path, text: text), into: &diagnostics))
        let job = file["scenarios"] ?? file["jobs"]?["scenarios"]
        return (job?["steps"]?.items ?? []).compactMap { $0["run"]?.text }
            + (job?["script"]?.items.compactMap(\.text) ?? [])
    }

    /// A complete dump of an NTAG215 with a link.
    private static var dump: Data {
        var bytes = [UInt8](repeating: 0, count: 540)
        let pages: [Int: [UInt8]] = [
            0: [0x04, 0x11, 0x22, 0xBF], 1: [0x33, 0x44, 0x55, 0x66], 2: [0x44, 0x48, 0, 0], 3: [0xE1, 0x10, 0x3E, 0],
            4: [0x03, 0x08, 0xD1, 0x01], 5: [0x04, 0x55, 0x04] + Array("a".utf8), 6: Array(".b".utf8) + [0xFE],
            130: [0, 0, 0, 0xBD], 131: [4, 0, 0, 0xFF], 133: [0xDE, 0xAD, 0xBE, 0xEF],
        ]
        for (page, content) in pages { bytes.replaceSubrange(page * 4..<page * 4 + content.count, with: content) }
        return Data(bytes)
    }
}
