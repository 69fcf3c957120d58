import Foundation
import TestSupport
import Testing

@testable import TapSystem

/// Files that belong to a user, and files that a user names.
///
/// Some tests start `tapsim`: shells pass it pipes, descriptors and a file mode mask, and it runs as another user.
@Suite struct `User files` {
    private let folder: String
    private static let scenario = "format: 1\ncards: {tag: {template: ndef}}\n"

    init() throws {
        folder = try TestFolder.make().path
        try Self.scenario.write(toFile: "\(folder)/tag.yaml", atomically: true, encoding: .utf8)
    }

    /// Runs a shell script in the folder, in which `$tapsim` is the command.
    private func run(_ script: String) throws -> (output: String, error: String, exitCode: Int32?) {
        let outcome = try TapSimProgram.run(
            ["-c", script], environment: ["tapsim": TapSimProgram.path, "TMPDIR": folder], program: "/bin/bash",
            in: folder)
        return (outcome.output, outcome.error, outcome.exitCode)
    }

    /// Runs the command in the folder.
    ///
    /// - Parameter line: Its arguments, separated by spaces.
    private func tapsim(_ line: String, environment: [String: String] = [:]) throws -> CommandOutcome {
        try TapSim.run(line.split(separator: " ").map(String.init), environment: environment, in: folder)
    }

    /// Saves a run of the scenario, and returns its folder.
    private func savedRun() throws -> String {
        _ = try tapsim("run --trace always tag.yaml")
        return try run("printf %s .tapsim/runs/*/*/").output
    }

    private func text(_ name: String) -> String? { try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) }

    private func status(_ name: String) -> stat {
        var status = stat()
        _ = unsafe lstat("\(folder)/\(name)", &status)
        return status
    }

    // MARK: Output

    static let outputs = [
        "run --junit %s tag.yaml", "card new ndef -o %s", "card export tag.yaml -o %s --format pm3-json",
        "trace export --format jsonl %s",
    ]

    @Test(arguments: outputs) func `that are pipes are written completely and once`(_ verb: String) throws {
        _ = try savedRun()
        let toFile = try tapsim(verb.replacing("%s", with: "file.out"))
        let line = verb.replacing("%s", with: "pipe.out")
        let toPipe = try run("mkfifo pipe.out; timeout 20 cat pipe.out >copy & $tapsim \(line) >log; wait")
        #expect(toFile.exitCode == 0 && toPipe.exitCode == 0, "\(toFile)\(toPipe)")
        #expect(status("pipe.out").st_mode & S_IFMT == S_IFIFO)
        let (file, copy) = (text("file.out") ?? "", text("copy"))
        #expect(!file.isEmpty && copy?.count == file.count)
    }

    @Test(arguments: outputs) func `that are descriptors are written to`(_ verb: String) throws {
        _ = try savedRun()
        let line = verb.replacing("%s", with: "/dev/fd/7")
        let outcome = try run("$tapsim \(line) >log 7> >(cat >copy); wait; sleep 0.1")
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(text("copy")?.isEmpty == false)
    }

    @Test func `that are standard output append to its target`() throws {
        let outcome = try run(
            "echo first >out; $tapsim card new ndef -o /dev/stdout >>out 2>error; ln -s /dev/stdout link"
                + "; $tapsim card new ndef -o link | grep -c format")
        #expect(text("out")?.hasPrefix("first\n") == true && text("out")?.contains("format: 1") == true)
        #expect(outcome.output == "1\n", "\(outcome)")
        #expect(status("link").st_mode & S_IFMT == S_IFLNK)
    }

    @Test(.enabled(if: getuid() == 0)) func `that are devices stay devices`() throws {
        _ = try run("mknod null c 1 3; mknod disk b 7 200")
        for line in ["run --junit null tag.yaml", "card new ndef -o null"] {
            let outcome = try tapsim(line)
            #expect(outcome.exitCode == 0, "\(outcome)")
        }
        #expect(status("null").st_mode & S_IFMT == S_IFCHR)
        let disk = try tapsim("card new ndef -o disk --force")
        #expect(disk.exitCode == 2 && disk.error.contains("disk is a disk"), "\(disk)")
        #expect(status("disk").st_mode & S_IFMT == S_IFBLK)
    }

    @Test func `that are folders or sockets are rejected`() throws {
        _ = try run("mkdir out")
        let folder = try tapsim("run --junit out tag.yaml")
        #expect(folder.exitCode == 2 && folder.error.contains("cannot write out: Is a directory"), "\(folder)")
        let listener = try UnixListener(at: "\(self.folder)/s")
        let socket = try tapsim("run --junit s tag.yaml")
        listener.close()
        #expect(socket.exitCode == 2 && socket.error.contains("s is a socket"), "\(socket)")
    }

    @Test func `behind a link are replaced, and the link remains`() throws {
        _ = try run(
            """
            mkdir there; echo old >there/file; chmod 640 there/file; ln -s there/file link; ln -s there/new dangling
            ln -s loop loop
            """)
        let refused = try tapsim("card new ndef -o link")
        #expect(refused.error.contains("link already exists"), "\(refused)")
        #expect(try tapsim("card new ndef -o link --force").exitCode == 0)
        #expect(try tapsim("card new ndef -o dangling").exitCode == 0)
        let endless = try tapsim("card new ndef -o loop --force")
        #expect(endless.error.contains("Too many levels"), "\(endless)")
        #expect(status("link").st_mode & S_IFMT == S_IFLNK && status("dangling").st_mode & S_IFMT == S_IFLNK)
        #expect(text("there/file")?.contains("format: 1") == true && text("there/new")?.contains("format: 1") == true)
        #expect(status("there/file").st_mode & 0o777 == 0o640)
    }

    @Test func `are created with the permissions that the mask allows`() throws {
        _ = try run("umask 077; $tapsim card new ndef -o mine; umask 0; $tapsim card new ndef -o others")
        #expect(status("mine").st_mode & 0o777 == 0o600 && status("others").st_mode & 0o777 == 0o644)
    }

    @Test(.enabled(if: getuid() == 0)) func `keep their owner, or grant a foreign group no access`() throws {
        let outcome = try run(
            """
            echo old >theirs; chown nobody:daemon theirs; chmod 660 theirs
            $tapsim card new ndef -o theirs --force
            mkdir free; cp $tapsim free/tapsim; chmod 711 . ..; chmod 777 free
            cd free; seq 100 >closed; cp closed open; chmod 666 open; echo old >grouped; chown nobody:daemon grouped
            chmod 660 grouped
            cp open own; chown nobody:nogroup own; chmod 444 own
            for name in closed open grouped own; do
                setpriv --reuid=nobody --regid=nogroup --clear-groups ./tapsim card new ndef -o $name --force
            done
            """)
        #expect(status("theirs").st_uid != 0 && status("theirs").st_mode & 0o777 == 0o660)
        #expect(text("free/grouped")?.contains("format: 1") == true, "\(outcome)")
        #expect(status("free/grouped").st_mode & 0o777 == 0o600)
        #expect(outcome.error.contains("closed belongs to another user"), "\(outcome)")
        #expect(text("free/closed")?.hasPrefix("1\n2\n") == true && status("free/closed").st_uid == 0)
        #expect(outcome.error.contains("cannot write own: Permission denied"), "\(outcome)")
        #expect(text("free/own")?.hasPrefix("1\n") == true)
        #expect(text("free/open") == text("free/grouped"))
        #expect(status("free/open").st_uid == 0 && status("free/open").st_mode & 0o777 == 0o666)
    }

    @Test(arguments: [
        "card new ndef -o FILE", "trace export --format jsonl FILE", "trace diff $run $run --page FILE",
    ]) func `that may have been edited are replaced only with --force`(_ verb: String) throws {
        let line = verb.replacing("FILE", with: "file").replacing("$run", with: try savedRun())
        try "mine".write(toFile: "\(folder)/file", atomically: true, encoding: .utf8)
        let refused = try tapsim(line)
        #expect(refused.exitCode == 2 && text("file") == "mine", "\(refused)")
        #expect(refused.error.contains("file already exists; use `--force` to replace it"))
        _ = try tapsim("\(line) --force")
        #expect(text("file")?.contains("mine") == false)
    }

    @Test(arguments: ["run", "fuzz", "audit"])
    func `that are not reports are never replaced by a report`(_ verb: String) throws {
        try "#!/bin/sh\n".write(toFile: "\(folder)/client.sh", atomically: true, encoding: .utf8)
        _ = try run("ln -s tag.yaml link; ln tag.yaml hard; echo '<p>mine</p>' >page")
        let outcomes = try ["tag.yaml", "link", "hard", "client.sh", "page"].map { file in
            try tapsim("\(verb) tag.yaml --allow-client --junit \(file) -- sh client.sh")
        }
        let summary = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "\(folder)/tag.yaml"]
        let summarized = try tapsim("\(verb) tag.yaml --allow-client -- sh client.sh", environment: summary)
        for outcome in outcomes + [summarized] { #expect(outcome.exitCode == 2, "\(outcome)") }
        let messages = outcomes.map(\.error).joined()
        #expect(messages.contains("hard exists and is not a JUnit report of TapSim; name another file"))
        #expect(summarized.error.contains("tag.yaml, a scenario of this run"), "\(summarized.error)")
        #expect(text("tag.yaml") == Self.scenario && text("page") == "<p>mine</p>\n")
        #expect(text("client.sh") == "#!/bin/sh\n" && status("link").st_mode & S_IFMT == S_IFLNK)
    }

    @Test func `that are reports of an earlier run, or empty, are replaced`() throws {
        try "".write(toFile: "\(folder)/report", atomically: true, encoding: .utf8)
        #expect(try tapsim("run tag.yaml --junit report").exitCode == 0)
        #expect(text("report")?.contains("<testsuite ") == true)
        _ = try run("echo '<!-- old -->' >>report")
        #expect(try tapsim("run tag.yaml --junit report").exitCode == 0)
        #expect(text("report")?.contains("old") == false)
    }

    @Test func `that are TapSim's own descriptors are rejected`() throws {
        let outcome = try run(
            """
            for number in $(seq 3 99); do eval "exec $number>&-"; done
            for number in 3 4 5 9; do $tapsim run tag.yaml --junit /dev/fd/$number; echo $?; done
            $tapsim run tag.yaml --junit /proc/self/fd/4; echo $?
            $tapsim run tag.yaml --junit /proc/thread-self/fd/4; echo $?
            $tapsim run tag.yaml --junit /dev/stdin <&-; echo $?
            """)
        #expect(outcome.output == String(repeating: "2\n", count: 7), "\(outcome)")
        #expect(outcome.error.split(separator: "\n").allSatisfy { $0.contains("Bad file descriptor") }, "\(outcome)")
    }

    @Test(arguments: [
        ("card new ndef -o %s", "-"), ("card export tag.yaml --format pm3-json --json -o %s", "-"),
        ("trace export --format jsonl %s", "-"), ("trace diff $run $run --page %s", "file"),
        ("run tag.yaml --junit %s", "file"),
    ]) func `that are standard output contain nothing else`(_ verb: String, _ other: String) throws {
        let line = verb.replacing("$run", with: try savedRun())
        let printed = try tapsim(line.replacing("%s", with: other)).output
        try (text("file") ?? printed).write(toFile: "\(folder)/expected", atomically: true, encoding: .utf8)
        let outcome = try run(
            """
            $tapsim \(line.replacing("%s", with: "/dev/stdout")) >out
            sed -i 's/time="[^"]*"//' expected out; cmp expected out && test -s out && echo same
            """)
        #expect(outcome.output == "same\n", "\(outcome)\(text("out") ?? "")")
    }

    @Test func `that are pipes without a reader cause an error after a while`() throws {
        let outcome = try run(
            """
            mkfifo pipe; export GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=
            for words in "--junit pipe" ""; do
                [ -n "$words" ] || export GITHUB_STEP_SUMMARY=pipe
                { $tapsim run tag.yaml $words >log; echo $?; } &
            done
            $tapsim fuzz tag.yaml --known pipe --update-known; echo $?
            wait
            """)
        #expect(outcome.output == "2\n2\n2\n", "\(outcome)")
        let complaint = "no program reads the pipe pipe; start its reader first"
        #expect(outcome.error.components(separatedBy: complaint).count == 3, "\(outcome)")
        #expect(outcome.error.contains("`--update-known` cannot update pipe, which is a pipe"), "\(outcome)")
    }

    // MARK: Links in folders

    @Test func `behind a link in a folder are not formatted, and the link is reported`() throws {
        _ = try run(
            """
            mkdir out in; printf 'title: a # t\\nformat: 1\\ncards: {t: {ic: NTAG215}}\\n' | tee out/a.yaml out/b.yaml >in/c.yaml
            ln -s ../out/a.yaml in/a.yaml; ln -s ../out in/out; ln -s nowhere in/dangling.yaml; ln -s . in/loop
            """)
        let outcome = try tapsim("fmt in")
        #expect(outcome.output == "in/c.yaml\n", "\(outcome)")
        for name in ["in/a.yaml", "in/out"] { #expect(outcome.error.contains("skipped \(name), a symbolic link")) }
        #expect(!outcome.error.contains("dangling"))
        #expect(try tapsim("fmt in/a.yaml").output == "in/a.yaml\n")
        #expect(text("out/b.yaml")?.hasPrefix("title") == true && text("out/a.yaml")?.hasPrefix("format") == true)
    }

    @Test(arguments: [".github", "Scenarios", ".github/workflows/tapsim.yml"])
    func `are not created through a link in a repository`(_ name: String) throws {
        _ = try run(
            """
            mkdir -p there $(dirname repository/\(name)); ln -s $PWD/there/new repository/\(name)
            [[ \(name) == *.yml ]] || mkdir there/new
            """)
        let outside = try tapsim("init repository")
        #expect(outside.exitCode == 2)
        #expect(outside.error.contains("error: repository/\(name) is a symbolic link to"), "\(outside)")
        let inside = try TapSim.run(["init", "--force"], in: "\(folder)/repository")
        #expect(inside.exitCode == 2)
        #expect(inside.error.contains("error: \(name) is a symbolic link to"), "\(inside)")
        #expect(try run("find there -type f").output.isEmpty)
    }

    @Test func `are not created through the link of a persistent card`() throws {
        _ = try run(
            """
            mkdir in; ln -s ../outside in/state.json
            printf 'format: 1\\ncards: {tag: {template: ndef, persist: state.json}}\\n' >in/kept.yaml
            """)
        let outcome = try TapSim.run(["run", "kept.yaml", "--trace", "off"], in: "\(folder)/in")
        #expect(outcome.error.contains("it is a dangling link"), "\(outcome)")
        #expect(text("outside") == nil)
    }

    // MARK: Sockets and links of their own

    @Test func `at the path of a socket or serial line are not removed with it`() throws {
        let listener = try UnixListener(at: "\(folder)/s")
        try FileManager.default.removeItem(atPath: "\(folder)/s")
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/s"))
        listener.close()
        #expect(text("s") == "x")
        let link = try FixedLink.make("\(folder)/line", to: "/dev/pts/4000")
        try FileManager.default.removeItem(atPath: "\(folder)/line")
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/line"))
        link.remove()
        #expect(text("line") == "x")
    }

    @Test func `include dangling links, which are not replaced`() throws {
        _ = unsafe symlink("/media/disk/away", "\(folder)/line")
        #expect(throws: SystemError.self) { _ = try FixedLink.make("\(folder)/line", to: "/dev/pts/4000") }
        #expect(RealPath.target(ofLink: "\(folder)/line") == "/media/disk/away")
        _ = unsafe symlink("/dev/pts/3999", "\(folder)/old")
        let link = try FixedLink.make("\(folder)/old", to: "/dev/pts/4000")
        #expect(RealPath.target(ofLink: "\(folder)/old") == "/dev/pts/4000")
        link.remove()
    }

    // MARK: Run folders

    @Test(.enabled(if: getuid() == 0)) func `are created in a temporary directory that cannot be listed`() throws {
        let outcome = try run(
            """
            mkdir free drop; cp $tapsim free/tapsim; chown nobody drop; chmod 300 drop; chmod 711 . ..
            TMPDIR=$PWD/drop setpriv --reuid=nobody --regid=nogroup --clear-groups env -C / $PWD/free/tapsim doctor
            """)
        let answers = ["private sockets can be created in", "sockets go to /tmp"]
        #expect(answers.contains { outcome.output.contains($0) }, "\(outcome)")
        #expect(!(outcome.output + outcome.error).contains("cannot make a folder"), "\(outcome)")
    }

    @Test(arguments: ["000", "022", "077", "0777"]) func `of a run are accessible only to that user`(_ mask: String)
        throws
    {
        let outcome = try run("umask \(mask); $tapsim run --trace always tag.yaml >log; chmod u+r log; cat log")
        let runs = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/.tapsim/runs")
        #expect(runs.count == 1, "\(outcome)")
        for run in runs { #expect(status(".tapsim/runs/\(run)").st_mode & 0o7777 == 0o700) }
    }

    @Test func `in runs from elsewhere are kept, along with the targets of links`() throws {
        _ = try run(
            """
            mkdir precious; echo x >precious/file
            for number in $(seq 10 40); do
                mkdir -p -m 700 .tapsim/runs/202001$number-000000/d
                ln -s $PWD/precious .tapsim/runs/202001$number-000000/d/link
                printf 'TapSim made this folder and removes it. Format 1.\\nkind run\\ndevice 1\\ninode 2\\nprocess 99999999\\nstart 1\\n' \
                    >.tapsim/runs/202001$number-000000/.tapsim-folder
                chmod 555 .tapsim/runs/202001$number-000000/d
            done
            """)
        let outcome = try tapsim("run --trace always --no-client tag.yaml")
        let runs = try run("chmod 700 .tapsim/runs/*/d; ls .tapsim/runs").output
        #expect(text("precious/file") == "x\n")
        #expect(runs.split(separator: "\n").count == 32, "\(outcome)")
    }

    @Test(arguments: [
        #"ln -sn "$PWD/victim" "${d}s-2""#,
        #"mkdir "${d}s-2" && ln "$PWD/victim/trace.jsonl" "${d}s-2/trace.jsonl""#,
        #"mkdir "${d}s-2" && mkfifo "${d}s-2/trace.jsonl""#,
    ]) func `are safe from links and pipes that a client creates in its run folder`(trap: String) throws {
        let folder = try TestFolder.make().path
        let victim = "\(folder)/victim"
        let client = """
            d=$(ls -d .tapsim/runs/*/ 2>/dev/null | tail -1)
            [ -n "$d" ] && \(trap)
            exit 1
            """
        try FileManager.default.createDirectory(atPath: victim, withIntermediateDirectories: false)
        try "mine".write(toFile: "\(victim)/trace.jsonl", atomically: false, encoding: .utf8)
        try client.write(toFile: "\(folder)/c.sh", atomically: false, encoding: .utf8)
        let cases = "cases: [{name: a}, {name: b}, {name: c}]"
        try "format: 1\ncards: {c: {template: ndef}}\nclient: {run: [sh, c.sh]}\n\(cases)\n".write(
            toFile: "\(folder)/s.yaml", atomically: false, encoding: .utf8)
        let outcome = try TapSim.run(["run", "s.yaml", "--allow-client"], in: folder)
        #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: victim) == ["trace.jsonl"])
        #expect(try String(contentsOfFile: "\(victim)/trace.jsonl", encoding: .utf8) == "mine")
    }
}
