#if os(Linux)
    import Foundation
    import TapDocument
    import Testing

    /// Clients that a campaign starts once and then copies just before they access a reader.
    @Suite struct `A client of which copies make the runs` {
        private static let everywhere = ["rf.silence", "felica.idm", "pcsc.return_code"]

        private func grid(_ words: [String], _ client: [String]) throws -> Node {
            let outcome = try TapSim.run(["fuzz", "--json", "--trace", "off"] + words + ["--"] + client)
            return try #require(outcome.json?["cases"]?[0], "\(outcome.error)")
        }

        /// - Parameters:
        ///   - words: Arguments for the card, the transport and the runs.
        ///   - client: Its command.
        private func compare(_ words: [String], _ client: [String]) throws {
            let copied = try grid(words, client)
            let started = try grid(words + ["--start-each"], client)
            #expect(copied["measured"]?["start_milliseconds"] != nil)
            #expect(started["measured"]?["start_milliseconds"] == nil)
            for key in ["runs", "causes", "totals"] { #expect(copied[key] == started[key], "\(key)") }
            #expect(copied["runs"]?.items.isEmpty == false)
        }

        private var faults: [String] { Self.everywhere.flatMap { ["--only", $0] } }

        @Test(arguments: ["correct", "trusts-length", "swallows-errors"])
        func `behaves like one that is started for each run, over PC/SC in C`(mistake: String) throws {
            try compare([ZooProgram.felica.scenarioPath] + faults, ZooProgram.felica.command(mistake))
        }

        @Test func `behaves like one that is started for each run, over PC/SC in Python`() throws {
            try compare([ZooProgram.transit.scenarioPath] + faults, ZooProgram.transit.command("expects-trips"))
        }

        @Test func `behaves like one that is started for each run, over a serial line and over UDP`() throws {
            let line = ZooProgram.named("felica_libnfc")
            try compare(
                line.card + [
                    "--except", "card.*", "--only", "rf.silence", "--only", "rf.lose_tag", "--only", "felica.idm",
                ],
                line.command("ignores-libnfc-error"))
            let tag = [
                "--card", "ndef:uid=04A1B2C3D4E580", "--transport", "nfcpy", "--except", "card.*", "--only",
                "rf.silence",
            ]
            try compare(tag, ZooProgram.named("nfcpy_zoo").command("hides-errors"))
        }

        @Test func `behaves like one that is started for each run, over USB`() throws {
            let tag = [
                "--card", "ndef:uid=04A1B2C3D4E580", "--model", "rc-s380", "--transport", "usb", "--except", "card.*",
            ]
            try compare(
                tag + ["--only", "rf.silence"],
                ZooProgram.named("nfcpy_zoo").command("hides-errors"))
            let chip = ZooProgram.named("felica_pn533")
            try compare(
                chip.card + ["--except", "card.*", "--only", "rf.silence", "--only", "felica.idm"],
                chip.command("correct"))
        }

        @Test func `gets the same results from the requests of usbfs as one that is started for each run`() throws {
            let client = try TapSimProgram.file("usb_requests", "")
            let line = "cc -Wall -Wextra -Werror -o \"$0\" Tests/Clients/usb_requests.c -lpthread"
            let built = try TapSimProgram.run(["-c", line, client], program: "/bin/sh")
            try #require(built.exitCode == 0, "\(built.error)")
            let faults = ["rf.silence", "rf.lose_tag", "felica.idm"].flatMap { ["--only", $0] }
            let card = ["--card", "suica:idm=01010A1020304050", "--model", "rc-s380", "--transport", "usb"]
            try compare(card + ["--except", "card.*"] + faults, [client])
        }

        @Test func `does the same as one that is started for each run, where it falls back to a line`() throws {
            let client = try TapSimProgram.file(
                "falling_back.py",
                """
                import os, sys
                sys.path.insert(0, "Tests/Clients/zoo")
                from pcsc_light import Card, Context, PCSCError

                def ask(line, command):
                    data = bytes([0xD4]) + command
                    frame = bytes([0, 0, 0xFF, len(data), -len(data) & 0xFF]) + data + bytes([-sum(data) & 0xFF, 0])
                    os.write(line, bytes([0x55, 0x55] + 14 * [0]) + frame)
                    answer = b""
                    # An ACK of six bytes comes first.
                    while len(answer) < 10 or len(answer) < 13 + answer[9]:
                        answer += os.read(line, 300)
                    return answer[13:]

                context = Context()
                try:
                    card = Card(context, context.reader())
                    data, status = card.transmit(bytes.fromhex("FFCA000000"))
                    card.close()
                except PCSCError:
                    data, status = b"", 0
                context.release()
                if status != 0x9000:
                    line = os.open(os.environ["TAPSIM_TTY"], os.O_RDWR | os.O_NOCTTY)
                    ask(line, bytes.fromhex("1401"))
                    found = ask(line, bytes.fromhex("4A0100"))
                    if len(found) < 13:
                        sys.exit("there is no tag")
                    data = found[6:13]
                print(data.hex())
                """)
            let words = ["--card", "ndef:uid=04A1B2C3D4E580", "--except", "card.*", "--only", "pcsc.return_code"]
            try compare(words + ["--only", "rf.silence"], [TapSimProgram.python, "-s", client])
        }

        @Test(arguments: [[], ["--start-each"]])
        func `counts the edges of its code if built to do so`(options: [String]) throws {
            let client = try TapSimProgram.file(
                "counting.py",
                """
                import ctypes, os, sys
                sys.path.insert(0, "Tests/Clients/zoo")
                from pcsc_light import Card, Context
                libc = ctypes.CDLL(None)
                libc.shmat.restype = ctypes.c_void_p
                memory = libc.shmat(int(os.environ["__AFL_SHM_ID"]), None, 0)
                edges = (ctypes.c_ubyte * int(os.environ["AFL_MAP_SIZE"])).from_address(memory)
                context = Context()
                reader = context.reader()
                context.wait_for_card(reader, 100)
                card = Card(context, reader)
                edges[1] += 1
                data, status = card.transmit(bytes.fromhex("FFB0000404"))
                edges[2 if status == 0x9000 else 3] += 1
                card.close()
                context.release()
                if status != 0x9000:
                    sys.exit("the tag does not answer")
                print(data.hex())
                """)
            let words = ["fuzz", "--card", "ndef:uid=04A1B2C3D4E580", "--only", "rf.silence@6", "--trace", "off"]
            let outcome = try TapSim.run(
                words + options + ["--budget", "1s", "--", TapSimProgram.python, "-s", client])
            #expect(outcome.output.contains("2 edges of its code"), "\(outcome.output)\(outcome.error)")
        }

        @Test func `finds an empty run folder, keeps its old objects, and leaves nothing running`() throws {
            let client = try TapSimProgram.file(
                "littering.py",
                """
                import gc, os, subprocess, sys
                sys.path.insert(0, "Tests/Clients/zoo")
                from pcsc_light import Card, Context
                parent = os.getppid()
                context = Context()
                if os.getppid() != parent and gc.get_freeze_count() == 0:
                    sys.exit("objects from before the copy are collected")
                reader = context.reader()
                folder = os.environ["TAPSIM_RUN_DIR"]
                os.makedirs(folder + "/new/sub")
                subprocess.Popen(["sleep", "307"], start_new_session=True)
                context.wait_for_card(reader, 100)
                card = Card(context, reader)
                data, status = card.transmit(bytes.fromhex("FFCA000000"))
                card.close()
                context.release()
                if status != 0x9000:
                    sys.exit("the tag does not answer")
                print(data.hex())
                """)
            let words = ["fuzz", "--card", "ndef:uid=04A1B2C3D4E580", "--only", "rf.silence", "--only", "pcsc.*"]
            let outcome = try TapSimProgram.run(
                words + ["--except", "card.*", "--json", "--trace", "off", "--", TapSimProgram.python, "-s", client])
            let result = try #require(outcome.json?["cases"]?[0], "\(outcome.error)")
            #expect(result["measured"]?["start_milliseconds"] != nil, "\(outcome.error)")
            #expect(outcome.error.contains("ended processes that clients left running: sleep"), "\(outcome.error)")
            let left = try TapSimProgram.run(["-c", "ps -eo args | grep -c '^sleep 307'"], program: "/bin/sh")
            #expect(left.output == "0\n")
        }

        @Test func `is started for each run if there are few runs`() throws {
            let client = try ZooProgram.felica.command("correct")
            let words = ["fuzz", ZooProgram.felica.scenarioPath, "--only", "rf.silence@6", "--trace", "off", "--"]
            let outcome = try TapSim.run(words + client)
            #expect(outcome.error.contains("started for each run: there are fewer than 10 runs"), "\(outcome.error)")
        }

        @Test func `is started for each run if another process reads, or if threads exist already`() throws {
            let command = ZooProgram.transit
            let script = "\"$@\"; exit $?"
            let words = [
                command.scenarioPath, "--only", "rf.silence", "--only", "rf.lose_tag", "--trace", "off", "--",
            ]
            let wrapped = try TapSim.run(
                ["fuzz"] + words + ["/bin/sh", "-c", script, "sh"] + command.command("correct"))
            #expect(wrapped.exitCode == 0)
            #expect(wrapped.error.contains("was started for each run: it ends"), "\(wrapped.error)")
            let busy = """
                import os, runpy, sys, threading
                threading.Thread(target=threading.Event().wait, daemon=True).start()
                sys.argv = sys.argv[1:]
                sys.path.insert(0, os.path.dirname(sys.argv[0]))
                runpy.run_path(sys.argv[0], run_name="__main__")
                """
            let client = try command.command("correct")
            let split = try #require(client.firstIndex { $0.hasSuffix(".py") })
            let threaded = try TapSim.run(
                ["fuzz"] + words + [client[0], "-s", "-c", busy] + client[split...])
            #expect(threaded.exitCode == 0)
            #expect(threaded.error.contains("it already has several threads"), "\(threaded.error)")
            let reaping = """
                import os, runpy, signal, sys
                signal.signal(signal.SIGCHLD, lambda *_: os.waitpid(-1, os.WNOHANG))
                sys.argv = sys.argv[1:]
                sys.path.insert(0, os.path.dirname(sys.argv[0]))
                runpy.run_path(sys.argv[0], run_name="__main__")
                """
            let handled = try TapSim.run(
                ["fuzz"] + words + [client[0], "-s", "-c", reaping] + client[split...])
            #expect(handled.exitCode == 0)
            #expect(handled.error.contains("it ignores SIGCHLD or handles it itself"), "\(handled.error)")
        }
    }
#endif
