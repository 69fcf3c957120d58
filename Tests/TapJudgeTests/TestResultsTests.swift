import TapJudge
import Testing

@Suite struct `Results of single tests` {
    @Test(arguments: [
        ("PASSED tests/test_a.py::test_b", "tests/test_a.py::test_b", true),
        ("FAILED tests/test_a.py::test_b[x y] - AssertionError: a - b", "tests/test_a.py::test_b[x y]", false),
        ("tests/test_a.py::A::test_b PASSED           [ 50%]", "tests/test_a.py::A::test_b", true),
        ("\u{1B}[31mFAILED\u{1B}[0m a.py::\u{1B}[1mtest_b\u{1B}[0m - E", "a.py::test_b", false),
        ("ERROR a.py::test_b - no card", "a.py::test_b", false),
        ("test_b (test_a.A.test_b) ... ok", "test_b (test_a.A.test_b)", true),
        ("FAIL: test_b (test_a.A.test_b)", "test_b (test_a.A.test_b)", false),
        ("✔ Test \"reads a card\" passed after 0.003 seconds.", "\"reads a card\"", true),
        ("✘ Test reads() failed after 0.003 seconds with 1 issue.", "reads()", false),
        ("Test Case 'A.testB' passed (0.1 seconds)", "A.testB", true),
        ("Test Case '-[M.A testB]' failed (0.1 seconds).", "-[M.A testB]", false),
        (" 1/3 Test  #1: reads ............   Passed    0.01 sec", "reads", true),
        (" 2/3 Test #12: shows: all .......***Failed    0.01 sec", "shows: all", false),
        ("[       OK ] A.b (0 ms)", "A.b", true), ("[  FAILED  ] A.b (0 ms)", "A.b", false),
        ("    --- FAIL: TestA/b (0.00s)", "TestA/b", false), ("test a::b ... ok", "a::b", true),
        ("test a::b ... FAILED", "a::b", false), ("ATest > b() FAILED", "ATest > b()", false),
        ("ok 1 - reads", "reads", true), ("not ok 2 shows", "shows", false), ("  ✓ reads (5 ms)", "reads", true),
        ("✖ shows (1.2ms)", "shows", false), ("   × shows 3ms", "shows", false),
        (" ✓ a.test.ts > reads all cards 1.20s", "a.test.ts > reads all cards", true),
        ("  ✓ reads (all cards)", "reads (all cards)", true), ("  ✓ Test of a card", "Test of a card", true),
        ("\u{1B}[?25l\u{1B}(B\u{1B}[32m✓\u{1B}[m reads", "reads", true),
    ])
    func `are read from the lines of a suite`(line: String, name: String, isPassed: Bool) {
        let results = TestResults("collected 2 items\n\(line)\r\ndone\n")
        #expect(results.names == [name] && results.failed == (isPassed ? [] : [name]), "\(results)")
    }

    @Test(arguments: [
        "✔ Test run with 3 tests in 1 suite passed after 0.1 seconds.", "✔ Suite A passed after 0.1 seconds.",
        "◇ Test reads() started.", "[  FAILED  ] 1 test, listed below:", "ok, done", "ok 3 # SKIP no card",
        "1 passed in 0.1s",
        "✘ Test reads() recorded an issue at A.swift:3:5: Expectation failed: false", "✖ failing tests:",
        "✘ Test \"reads\" recorded an issue with 1 argument n → 1 at A.swift:3:5: Expectation failed: false",
        " 2/3 Test #2: shows ............***Skipped   0.01 sec",
        " 3/3 Test #3: writes ...........***Not Run   0.00 sec",
        "✓ src/a.test.ts (2 tests) 5ms", "  1) shows", "1 failing",
        "error: a::b", "FAILED (failures=1)", "test result: ok. 3 passed; 0 failed",
    ])
    func `are not made of other lines`(line: String) {
        #expect(TestResults(line).names.isEmpty)
    }

    @Test func `are failures where a test fails once`() {
        let results = TestResults("ok 1 - a\nok 2 - b\nnot ok 3 - a\n")
        #expect(results.names == ["a", "b"] && results.failed == ["a"])
    }

    @Test func `are read from a run of Mocha, which lists its failures once more`() {
        let results = TestResults(
            """
            usage: 1) start it 2) tap a card
              A reader
                ✓ reads
                1) shows
                ✓ writes
                2) "after each" hook for "shows"

              2 passing (5ms)
              2 failing

              1) A reader
                   shows:
                  Error: no balance
              2) A reader
                   "after each" hook for "shows":
                  Error: no card
            """)
        let hook = "\"after each\" hook for \"shows\""
        #expect(results.names == ["reads", "shows", "writes", hook])
        #expect(results.failed == ["shows", hook])
    }
}
