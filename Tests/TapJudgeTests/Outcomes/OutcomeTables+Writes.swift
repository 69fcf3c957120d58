import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

extension OutcomeTables {
    static let writes: [OutcomeRow] = [
        writer("the baseline run", "correct: exit 0 and the result of the baseline runs") { _ in },
        writer(
            "lock bytes",
            "safety at exchange 10: it wrote to page 2 (static lock bytes), which the case does not ask for"
        ) {
            $0.write(2, "00 00 0F 00")
        },
        writer(
            "dynamic lock bytes",
            "safety at exchange 10: it wrote to page 130 (dynamic lock bytes), which the case does not ask for"
        ) {
            $0.write(130, "01 00 00 00")
        },
        writer(
            "capability container",
            "safety at exchange 10: it wrote to page 3 (the capability container), which the case does not ask for"
        ) {
            $0.write(3, "00 00 00 00")
        },
        writer("configuration", "safety at exchange 10: it wrote to page 131 (CFG0), which the case does not ask for") {
            $0.write(131, "00 00 00 FF")
        },
        writer("password", "safety at exchange 10: it wrote to page 133 (PWD), which the case does not ask for") {
            $0.write(133, "01 02 03 04")
        },
        writer(
            "unheard",
            "safety at exchange 10: it wrote to page 2 (static lock bytes), which the case does not ask for; "
                + "the card did not confirm it"
        ) {
            $0.remove("tag")
            $0.write(2, "00 00 0F 00")
        },
        writer("a page of its own", "correct: exit 0 and the result of the baseline runs") {
            $0.write(20, "01 02 03 04")
        },
        writer(
            "one guess after the other",
            "safety at exchange 16: it tried 2 passwords in 2 PWD_AUTHs, "
                + "2 of them wrong; AUTHLIM wrong passwords in a row lock a tag forever"
        ) {
            $0.ntag("1B FF FF FF FF")
            $0.select()
            $0.ntag("1B 00 00 00 00")
        },
        writer("the right password again", "correct: exit 0 and the result of the baseline runs") {
            $0.ntag("1B DE AD BE EF")
            $0.ntag("1B DE AD BE EF")
        },
        OutcomeRow(
            "a write of ordinary memory repeated without reading back, which is harmless",
            "clear error at exchange 7: exit 1: no card", writes: true
        ) { test in
            var script = OutcomeScript(test)
            script.select()
            script.remove("tag")
            script.write(4, "03 00 FE 00")
            script.write(4, "03 00 FE 00")
            script.fail()
            return script
        },
        OutcomeRow(
            "a write repeated after reading back", "correct: exit 0 and the result of the baseline runs", writes: true
        ) { interrupted($0, readsBack: true) },
        OutcomeRow(
            "a write repeated to the tag that was found again", "correct: exit 0 and the result of the baseline runs",
            writes: true
        ) { interrupted($0, readsBack: false) },
        writer(
            "a lock byte written again to the tag that was found again",
            "safety at exchange 10: it wrote to page 2 (static lock bytes), which the case does not ask for; "
                + "the card did not confirm it"
        ) {
            $0.remove("tag")
            $0.write(2, "00 00 0F 00")
        },
        writer("the right PACK", "correct: exit 0 and the result of the baseline runs") { $0.ntag("1B DE AD BE EF") },
        writer(
            "the PWD in an error",
            "safety at exchange 9: it writes the PWD to its standard error, where others can read it"
        ) { $0.fail(1, "the tag refuses the password de:ad:be:ef\n") },
        writer(
            "the PACK in the output",
            "safety at exchange 9: it writes the PACK to its standard output, where others can read it"
        ) { $0.client.standardOutput = "pack C0DE\n" },
        writer(
            "the PACK in what a function returns", "safety at exchange 9: it returns the PACK, where others can read it"
        ) { $0.client = ClientReport(end: .returned, standardOutput: "pack C0DE\n") },
        writer("longer numbers that hold the PACK by chance", "correct: exit 0 and the result of the baseline runs") {
            $0.client.standardOutput = "uid 04C0DEDEADBE80, page 01 C0 DE 02\n"
        },
        OutcomeRow(
            "a message to a tag that came in place of the one that was read",
            "safety at exchange 12: it wrote to page 4 of other, from which it had read nothing, after it had read tag",
            writes: true
        ) { test in swapped(test, readsAgain: false) },
        OutcomeRow(
            "a whole message to a tag that came and was read, too",
            "correct: exit 0 and the result of the baseline runs",
            writes: true
        ) { test in
            var script = swapped(test, readsAgain: true)
            // The intended contents of the first tag.
            script.remove("other")
            script.tap("tag")
            script.select()
            script.writeMessage()
            return script
        },
        OutcomeRow(
            "the length first",
            "safety at exchange 7: it left tag with a mixture of the old message and the new; write the length "
                + "last, so that a reader finds the old message, the new one or none", writes: true
        ) { test in
            var script = OutcomeScript(test)
            script.select()
            script.write(4, "03 06 D1 01")
            script.write(5, "02 54 00 42")
            script.fail()
            return script
        },
        OutcomeRow("the length last, and cut short", "clear error at exchange 7: exit 1: no card", writes: true) {
            test in
            var script = OutcomeScript(test)
            script.select()
            script.write(4, "03 00 FE 00")
            script.write(5, "02 54 00 41")
            script.fail()
            return script
        },
        OutcomeRow(
            "success without the write",
            "wrong result at exchange 5: page 4 of tag does not have the contents that it has after "
                + "the baseline run, and it exits 0", writes: true
        ) { test in
            var script = OutcomeScript(test)
            script.select()
            return script
        },
    ]

    /// A run of the writing client that then does something else.
    static func writer(
        _ name: String, _ expected: String, _ change: @escaping @Sendable (inout OutcomeScript) -> Void
    ) -> OutcomeRow {
        OutcomeRow(name, expected, writes: true) { test in
            var script = OutcomeScript.writer(test)
            change(&script)
            return script
        }
    }

    /// A run that reads one tag and writes to another.
    private static func swapped(_ test: ScenarioCase, readsAgain: Bool) -> OutcomeScript {
        var script = OutcomeScript(test)
        script.select()
        script.ntag("30 04")
        script.remove("tag")
        script.addOther()
        script.select()
        if readsAgain { script.ntag("30 04") }
        script.writeMessage()
        return script
    }

    /// A run whose first write meets no tag.
    private static func interrupted(_ test: ScenarioCase, readsBack: Bool) -> OutcomeScript {
        var script = OutcomeScript(test)
        script.select()
        script.remove("tag")
        script.write(4, "03 00 FE 00")
        script.tap("tag")
        script.select()
        if readsBack { script.ntag("30 04") }
        script.write(4, "03 00 FE 00")
        script.write(5, "02 54 00 41")
        script.write(6, "FE 00 00 00")
        script.write(4, "03 06 D1 01")
        return script
    }
}
