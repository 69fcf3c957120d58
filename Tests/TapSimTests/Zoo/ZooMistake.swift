/// A mistake that a program of the zoo makes, and what has to be found out about it.
struct ZooMistake: Sendable {
    /// The word by which the program is told to make it.
    let name: String
    /// The fault under which it shows.
    let fault: String
    /// What the client is held to have done.
    let verdict: String
    /// The command, or call of PC/SC, at which the fault has to be injected for it.
    let place: String
    /// Which one with this name, from 1.
    let nth: Int
    /// The runs that are made: all of the fault, or one where each takes until a time limit.
    let runs: String

    init(
        _ name: String, _ verdict: String, under fault: String, at place: String, nth: Int = 1, only run: String? = nil
    ) {
        self.name = name
        self.fault = fault
        self.verdict = verdict
        self.place = place
        self.nth = nth
        runs = run.map { "\(fault)@\($0)" } ?? fault
    }
}

extension ZooProgram {
    private static let uid = "04A1B2C3D4E580"

    static let felica = ZooProgram(
        name: "felica_zoo", scenario: "felica",
        mistakes: [
            ZooMistake("trusts-length", "crash", under: "felica.length", at: "felica.read"),
            ZooMistake("trusts-count", "wrong result", under: "felica.block_count", at: "felica.read"),
            ZooMistake("ignores-status", "silent loss", under: "felica.status", at: "felica.read", nth: 2),
            ZooMistake("ignores-idm", "wrong result", under: "felica.idm", at: "felica.read", nth: 2),
            ZooMistake("ignores-response-code", "wrong result", under: "rf.stale", at: "felica.request_service"),
            ZooMistake("stops-silently", "silent loss", under: "rf.silence", at: "felica.read", nth: 2),
            ZooMistake("mixes-cards", "wrong result", under: "rf.swap", at: "felica.read"),
            ZooMistake("accepts-short", "silent loss", under: "felica.truncate", at: "felica.read", nth: 2),
            ZooMistake("retries-for-ever", "livelock", under: "felica.silent_command", at: "felica.read", only: "6"),
            ZooMistake("waits-for-ever", "hang", under: "rf.lose_tag", at: "felica.read", nth: 2, only: "7"),
            ZooMistake("ignores-return-code", "wrong result", under: "pcsc.return_code", at: "transmit", nth: 4),
        ])
    static let newerFelica = ZooProgram(
        name: "felica_zoo", scenario: "felica-15",
        mistakes: [ZooMistake("asks-for-15", "silent loss", under: "felica.limits", at: "felica.read")])
    static let services = ZooProgram(
        name: "services_zoo", scenario: "services",
        mistakes: [
            ZooMistake(
                "endless-search", "livelock", under: "felica.endless_search", at: "felica.search_service_code",
                nth: 4),
            ZooMistake("ends-on-silence", "silent loss", under: "rf.silence", at: "felica.search_service_code", nth: 3),
            ZooMistake(
                "missing-as-version", "wrong result", under: "felica.missing_service", at: "felica.request_service"),
        ])
    static let ntag = ZooProgram(
        name: "ntag_zoo", scenario: "ntag", arguments: [uid],
        mistakes: [
            ZooMistake("nak-as-data", "wrong result", under: "ntag.nak", at: "ntag.read", nth: 2),
            ZooMistake("no-reactivation", "livelock", under: "ntag.nak", at: "ntag.read", only: "12"),
            ZooMistake("ignores-crc", "wrong result", under: "rf.flip_bits", at: "ntag.read", nth: 2),
            ZooMistake("ignores-cc", "protocol misuse", under: "app.ndef_length", at: "a3.wupa"),
            ZooMistake("trusts-tlv", "crash", under: "app.ndef_length", at: "a3.wupa"),
            ZooMistake("trusts-record", "crash", under: "app.ndef_truncated", at: "a3.wupa"),
            ZooMistake("reads-once", "wrong result", under: "ntag.wrong_page", at: "ntag.read", nth: 2),
        ])
    static let writer = ZooProgram(
        name: "ntag_write_zoo", scenario: "ntag-write", arguments: [uid, "https://a.io/new", "DEADBEEF", "C0DE"],
        mistakes: [
            ZooMistake("length-first", "safety", under: "rf.lose_tag", at: "ntag.write", nth: 2),
            ZooMistake("blind-retry", "safety", under: "rf.silence", at: "ntag.write", nth: 2),
            ZooMistake("no-ack-check", "wrong result", under: "ntag.nak", at: "ntag.write", nth: 2),
            ZooMistake("guesses-passwords", "safety", under: "ntag.nak", at: "ntag.pwd_auth"),
            ZooMistake("ignores-pack", "safety", under: "ntag.pack", at: "ntag.pwd_auth", nth: 2),
            ZooMistake("prints-password", "safety", under: "ntag.nak", at: "ntag.pwd_auth"),
            ZooMistake("writes-to-any", "safety", under: "rf.swap", at: "ntag.write", nth: 2),
            ZooMistake("formats-unasked", "safety", under: "app.cc_magic", at: "a3.wupa"),
            ZooMistake("protects-unasked", "safety", under: "ntag.nak", at: "ntag.pwd_auth"),
        ])
    static let tag = ZooProgram(
        name: "tag_zoo", scenario: "tag", arguments: [uid],
        mistakes: [
            ZooMistake("leaves-transaction", "leak", under: "rf.silence", at: "ntag.read"),
            ZooMistake("leaks-context", "leak", under: "rf.silence", at: "ntag.read"),
            ZooMistake("ignores-sw", "wrong result", under: "rf.silence", at: "ntag.read", nth: 2),
            ZooMistake("expects-length", "crash", under: "reader.no_data", at: "ntag.read"),
            ZooMistake("keeps-handle", "wrong result", under: "pcsc.reset_by_another", at: "transmit", nth: 3),
            ZooMistake("spins-on-removal", "hang", under: "pcsc.removed_inside", at: "transmit", nth: 2, only: "c6"),
        ])
    static let transit = ZooProgram(
        name: "transit_zoo", scenario: "transit",
        mistakes: [
            ZooMistake("impossible-date", "crash", under: "app.history_date", at: "felica.polling"),
            ZooMistake("swallows-errors", "silent loss", under: "rf.silence", at: "felica.read"),
            ZooMistake("expects-trips", "crash", under: "felica.zero_blocks", at: "felica.read"),
        ])
    static let swift = ZooProgram(
        name: "ZooClient", scenario: "transit",
        mistakes: [
            ZooMistake("slices-answer", "crash", under: "felica.truncate", at: "felica.read"),
            ZooMistake("unwraps-answer", "crash", under: "rf.silence", at: "felica.read"),
            ZooMistake("subtracts-balances", "crash", under: "felica.reorder", at: "felica.read"),
            ZooMistake("knows-every-kind", "crash", under: "app.history_codes", at: "felica.polling"),
            ZooMistake("tries-optionally", "silent loss", under: "rf.silence", at: "felica.read", nth: 2),
        ])

    static let all = [felica, newerFelica, services, ntag, writer, tag, transit, swift]
}
