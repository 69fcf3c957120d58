import TapDocument
import TapField
import TapJudge
import TapScenario
import TapWire

/// Runs and their expected outcomes.
enum OutcomeTables {
    private static func trips(_ numbers: [Int], balance: Int = 3120) -> ClientReport {
        ClientReport(
            end: .exit(0), result: ["trips": .list(numbers.map { .number($0) }), "balance": .number(balance)])
    }

    static let ends: [OutcomeRow] = [
        .end("as without faults", "correct: exit 0 and the result of the baseline runs") { _ in },
        .end("an error in words", "clear error at exchange 3: exit 1: no card") { $0.fail() },
        .end("signal", "crash at exchange 3: signal 11 (SIGSEGV) ended it") { $0.end(.signal(11)) },
        .end(
            "a shell's word for a signal",
            "crash at exchange 3: exit 139, which is how a shell reports signal 11 (SIGSEGV)"
        ) {
            $0.fail(139, "")
        },
        .end(
            "sanitizer",
            "crash at exchange 3: exit 0, and UndefinedBehaviorSanitizer reports: "
                + "a.c:7:3: runtime error: index 20 out of bounds for type 'int[16]'"
        ) {
            $0.client.standardError = "a.c:7:3: runtime error: index 20 out of bounds for type 'int[16]'\n"
        },
        .end(
            "AddressSanitizer",
            "crash at exchange 3: exit 1, and AddressSanitizer reports: "
                + "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200"
        ) {
            $0.fail(1, "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200\nSUMMARY: x\n")
        },
        .end("Python", "crash at exchange 3: exit 1, and Python reports: IndexError: list index") {
            $0.fail(1, "Traceback (most recent call last):\n  File \"a.py\", line 1\nIndexError: list index\n")
        },
        .end("a traceback of an error that was mended", "correct: exit 0 and the result of the baseline runs") {
            $0.client.standardError = "Traceback (most recent call last):\nretrying\n"
        },
        .end(
            "Rust",
            "crash at exchange 3: exit 101, and Rust reports: panicked at src/main.rs:4:5: index out of bounds"
        ) {
            $0.fail(101, "thread 'main' (7) panicked at src/main.rs:4:5:\nindex out of bounds\n")
        },
        .end("Go", "crash at exchange 3: exit 2, and Go reports: panic: runtime error: index out of range") {
            $0.fail(2, "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n")
        },
        .end(
            "Java",
            "crash at exchange 3: exit 1, and Java reports: "
                + "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: 12"
        ) {
            $0.fail(
                1, "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: 12\n\tat A.main(A.java:3)\n")
        },
        .end(
            "Node.js",
            "crash at exchange 3: exit 1, and Node.js reports: TypeError: x is undefined"
        ) {
            $0.fail(
                1, "TypeError: x is undefined\n    at f (a.js:1:2)\n    at node:internal/main/run_main_module:23:47\n")
        },
        .end(".NET", "crash at exchange 3: exit 134, and .NET reports: Unhandled exception. System.Exception: x") {
            $0.fail(134, "Unhandled exception. System.Exception: x\n")
        },
        .end("Ruby", "crash at exchange 3: exit 1, and Ruby reports: a.rb:3:in `read': nil (NoMethodError)") {
            $0.fail(1, "a.rb:3:in `read': nil (NoMethodError)\n")
        },
        .end("Swift", "crash at exchange 3: exit 1, and Swift reports: a/b.swift:3: Fatal error: Index out of range") {
            $0.fail(1, "a/b.swift:3: Fatal error: Index out of range\n")
        },
        .end("glibc", "crash at exchange 3: exit 1, and glibc reports: *** stack smashing detected ***: terminated") {
            $0.fail(1, "*** stack smashing detected ***: terminated\n")
        },
        .end("time limit", "hang at exchange 3: it was still running when its time was over") { $0.end(.timeLimit) },
        .end("idle limit", "hang at exchange 3: it neither printed nor sent anything for 2s") {
            $0.end(.idleLimit(.seconds(2)))
        },
        .end("no more cards", "hang at exchange 3: it was still looking for a card, and none came") {
            $0.end(.dismissed(exit: nil))
        },
        .end(
            "no more cards after a wrong result",
            "wrong result at exchange 3: `/balance` is 0, not 3120, and it continues"
        ) {
            $0.client = ClientReport(
                end: .dismissed(exit: nil), standardOutput: "{}", result: trips(Array(0..<20), balance: 0).result)
        },
        .end("no more cards after the right result", "correct: exit 0 and the result of the baseline runs") {
            $0.client = ClientReport(end: .dismissed(exit: nil), result: $0.client.result)
        },
        .end("exchange limit", "livelock at exchange 3: it sent 3 frames and did not end") {
            $0.end(.exchangeLimit)
        },
        .end("retry limit", "livelock at exchange 3: it sent the same command 9 times in a row and got nowhere") {
            $0.end(.retryLimit(9))
        },
        .end(
            "busy until its time is over",
            "livelock at exchange 73: it was still sending after 73 exchanges when its "
                + "time was over; the baseline run needs 3"
        ) {
            for _ in 0..<70 { $0.poll(.ndef) }
            $0.end(.timeLimit)
        },
        .end(
            "reading on until its time is over", "hang at exchange 103: it was still running when its time was over"
        ) { script in
            for page in 0..<100 { script.ntag("30 \(Hex.digits(UInt8(page), width: 2))") }
            script.end(.timeLimit)
        },
        .end("left open", "leak at exchange 3: it ended with 1 transaction open; SCardEndTransaction releases it") {
            $0.service = ServiceUse()
            $0.service?.transactions = 1
            $0.service?.cards = 2
        },
        .end("left open by a client that was killed", "hang at exchange 3: it was still running when its time was over")
        {
            $0.service = ServiceUse()
            $0.service?.contexts = 1
            $0.end(.timeLimit)
        },
        .end(
            "misused service",
            "protocol misuse at exchange 2: it called SCardTransmit on a handle whose card was removed"
        ) {
            $0.service = ServiceUse()
            $0.service?.misuses = [
                .init(call: "SCardTransmit", reason: "on a handle whose card was removed", exchange: 2)
            ]
        },
    ]

    static let results: [OutcomeRow] = [
        .end("fewer items", "silent loss at exchange 3: `/trips` has 12 of 20 items, and it exits 0") {
            $0.client = trips(Array(0..<12))
        },
        .end(
            "an item left out",
            "silent loss at exchange 3: `/trips` has 19 of 20 items, and item 7 is the first missing one, and it exits 0"
        ) {
            $0.client = trips(Array(0..<7) + Array(8..<20))
        },
        .end("nothing at all", "silent loss at exchange 3: `/trips` has 0 of 20 items, and it exits 0") {
            $0.client = trips([])
        },
        .end("a key less", "silent loss at exchange 3: `/balance` is missing, and it exits 0") {
            $0.client.result = ["trips": .list((0..<20).map { .number($0) })]
        },
        .end("null for a value", "silent loss at exchange 3: `/balance` is missing, and it exits 0") {
            $0.client.result = ["trips": .list((0..<20).map { .number($0) }), "balance": .null]
        },
        .end("another value", "wrong result at exchange 3: `/balance` is 4000, not 3120, and it exits 0") {
            $0.client = trips(Array(0..<20), balance: 4000)
        },
        .end(
            "fewer items and another value", "wrong result at exchange 3: `/balance` is 4000, not 3120, and it exits 0"
        ) {
            $0.client = trips(Array(0..<12), balance: 4000)
        },
        .end("another item", "wrong result at exchange 3: `/trips/3` is 99, not 3, and it exits 0") {
            $0.client = trips([0, 1, 2, 99] + Array(4..<20))
        },
        .end("more items", "wrong result at exchange 3: `/trips` has 21 items, not 20, and it exits 0") {
            $0.client = trips(Array(0..<21))
        },
        .end(
            "no result at all",
            "wrong result at exchange 3: the result is [\"oops\"], not {\"trips\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19],\"balance\":3120}, and it exits 0"
        ) {
            $0.client = ClientReport(end: .exit(0), standardOutput: "oops\n")
        },
    ]
}
