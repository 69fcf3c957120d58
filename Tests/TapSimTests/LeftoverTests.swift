import Foundation
import TestSupport
import Testing

/// Processes that clients leave running, and processes and folders of killed runs.
///
/// Some tests start `tapsim`: it adopts orphans, is killed, and reports what it removed when it ends.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/environ"))) struct `Leftover processes and files`
{
    /// Runs a shell script in which `$tapsim` is the command and `$TMPDIR` its own folder.
    private func run(_ script: String) throws -> (output: [String], error: String, folder: URL) {
        let folder = try TestFolder.make()
        let outcome = try TapSimProgram.run(
            ["-c", script], environment: ["TMPDIR": folder.path, "tapsim": TapSimProgram.path], program: "/bin/sh")
        return (outcome.output.split(separator: "\n").map(String.init), outcome.error, folder)
    }

    @Test(arguments: [("setsid", 301), ("env -i setsid", 303)])
    func `of a client are ended with it and reported`(_ start: String, _ time: Int) throws {
        let result = try run(
            #"$tapsim run --card suica -- sh -c '\#(start) sleep \#(time) & sleep 0.3' >$TMPDIR/out 2>$TMPDIR/error"#
                + "; cat $TMPDIR/error; ps -eo args | grep -c '^sleep \(time)'; true")
        #expect(result.output.first?.hasPrefix("tapsim: ended processes that clients left") == true, "\(result)")
        #expect(result.output.last == "0", "\(result)")
    }

    @Test func `never include open files of the run in the client`() throws {
        let result = try run(
            #"""
            $tapsim run --card suica -- sh -c '
                for other in $(pgrep -P $PPID); do [ $other = $$ ] || ls /proc/$other/fd > $TMPDIR/files; done
            ' 9>$TMPDIR/held >/dev/null 2>&1
            cat $TMPDIR/files
            """#)
        #expect(result.output == ["0", "1", "2"], "\(result)")
    }

    @Test func `of a killed run do not include processes in the client's group`() throws {
        let result = try run(
            """
            $tapsim run --card suica -- sh -c 'sleep 304 & echo > "$TMPDIR/up"; sleep 304' >/dev/null 2>&1 & run=$!
            while [ ! -e $TMPDIR/up ]; do sleep 0.05; done
            kill -9 $run; wait $run 2>/dev/null
            for try in $(seq 200); do ps -eo args | grep -q '^sleep 304' || break; sleep 0.05; done
            ps -eo args | grep -c '^sleep 304'
            true
            """)
        #expect(result.output == ["0"], "\(result)")
    }

    @Test func `of a killed campaign do not include processes in the groups of copied clients`() throws {
        let client = try TapSimProgram.file(
            "staying.py",
            """
            import os, subprocess, sys
            sys.path.insert(0, "Tests/Clients/zoo")
            from pcsc_light import Context
            context = Context()
            reader = context.reader()
            with open("/proc/%d/comm" % os.getppid()) as parent:
                is_copy = parent.read() != "tapsim\\n"
            if is_copy:
                subprocess.Popen(["sleep", "306"])
                open(os.environ["TMPDIR"] + "/up", "w").close()
                subprocess.run(["sleep", "306"])
            context.wait_for_card(reader, 100)
            context.release()
            """)
        let result = try run(
            """
            $tapsim fuzz --card suica --allow-no-read -- \(TapSimProgram.python) -s \(client) >/dev/null 2>&1 & run=$!
            while [ ! -e $TMPDIR/up ] && kill -0 $run; do sleep 0.05; done
            kill -9 $run; wait $run 2>/dev/null
            for try in $(seq 200); do ps -eo args | grep -q '^sleep 306' || break; sleep 0.05; done
            ps -eo args | grep -c '^sleep 306'
            ls $TMPDIR/up >/dev/null && echo copied
            """)
        #expect(result.output == ["0", "copied"], "\(result)")
    }

    @Test(arguments: [("run --card suica -- true", 302), ("run Scenarios/felica/suica-history.yaml", 305)])
    func `of a killed run are ended and removed by the next run`(_ next: String, _ time: Int) throws {
        let result = try run(
            """
            $tapsim run --card suica -- sh -c '(setsid sleep \(time) &); sleep 60' >/dev/null 2>&1 & run=$!
            # Before that it is in the group of the client or its child, and goes with it.
            for try in $(seq 200); do ps -eo args | grep -q '^sleep \(time)' && break; sleep 0.05; done
            kill -9 $run; wait $run 2>/dev/null
            for try in $(seq 200); do ps -eo args | grep -q '^sh -c (setsid sleep \(time)' || break; sleep 0.05; done
            ls -d $TMPDIR/tapsim-* | wc -l
            $tapsim \(next) 2>&1 >/dev/null
            ls $TMPDIR | grep -c tapsim-
            ps -eo args | grep -c '^sleep \(time)'
            true
            """)
        #expect(
            result.output == [
                "2", "tapsim: ended processes that clients left running: sleep",
                "tapsim: removed the temporary folders of a killed run", "0", "0",
            ], "\(result)")
    }

    @Test func `do not include a run that is in progress`() throws {
        let result = try run(
            """
            $tapsim run --card suica -- sh -c 'echo > "$TMPDIR/up"; while [ ! -e "$TMPDIR/end" ]; do sleep 0.05; done
            test -d "$TAPSIM_RUN_DIR" && echo stays' & run=$!
            while [ ! -e $TMPDIR/up ]; do sleep 0.05; done
            $tapsim run --card suica -- true >/dev/null
            touch $TMPDIR/end; wait $run
            """)
        #expect(result.output.contains("stays") && result.error.isEmpty, "\(result)")
    }
}
