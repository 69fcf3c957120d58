extension ScenarioDocument {
    /// The files the page shows, from short to long; all of them run as they stand.
    public static let examples = [
        Example(
            title: "The shortest file",
            remarks: """
                A Suica with 3120 yen and 20 trips lies before a reader; the built-in client reads its history, and its exit code
                has to be 0. What is not said is made up from the seed, the same each time. Without a file,
                `tapsim run --card suica:balance=3120,trips=20` does the same.
                """,
            yaml: """
                format: 1
                cards: {suica: {template: suica, balance: 3120, trips: 20}}

                """),
        Example(
            title: "What has to come out",
            remarks: """
                `expect` holds what a good client does: values of its result by JSON pointer, how many commands it sends, what it never
                sends, and what the card is like afterwards.
                """,
            yaml: """
                format: 1
                cards:
                  tag:
                    ic: NTAG215
                    ndef: [{uri: "https://example.com/t/42"}]
                    config: {pwd: "DE AD BE EF", pack: "C0 DE", auth0: 4, prot: read_write, authlim: 3}
                client: {builtin: {ndef: {password: "DE AD BE EF"}}}
                expect:
                  result: {/records/0/uri: "https://example.com/t/42"}
                  counts: {ntag.pwd_auth: 1}
                  never: [ntag.write]
                  cards: {tag: unchanged}

                """),
        Example(
            title: "Cases, parameters and a timeline",
            remarks: """
                Each case is a test: the second one gives the parameter another value, the third lets the card come late. What a case
                says under `timeline`, `client` or `expect` stands in place of what the file says there.
                """,
            yaml: """
                # A transit card that is read through two chips, and one that comes late.
                format: 1
                scenario: history
                title: Read the history of a transit card
                tags: [felica]
                params: {ic: RC-S962}
                cards:
                  suica:
                    ic: "${params.ic}"
                    template: suica
                    balance: 3120
                    history:
                      - {date: 2026-11-18, kind: fare-gate, from: "001-230", to: "001-204", balance: 3120}
                    trips: 20                        # the rest is made up from the seed
                client: {builtin: transit-history}
                expect:
                  exchanges:
                    list:
                      - {command: felica.polling, system: "0003", reply: ok}
                      - {command: felica.read, service: "090F", blocks: 0..11, reply: {status: "00 00", blocks: 12}}
                  result: {/balance: 3120, /trips/length: 20}
                cases:
                  - name: a usual chip
                  - name: an older chip
                    params: {ic: RC-S915}
                  - name: the card comes late
                    timeline: [{at: 20ms, tap: suica}]
                    expect: {result: {/trips/length: 20}}

                """),
        Example(
            title: "Something goes wrong",
            remarks: """
                Faults strike in the exchange they name. Without an expectation on the client it has to come to the right result or
                report an error it understands; [faults.md](faults.md) lists what can happen.
                """,
            yaml: FaultDocument.example),
        Example(
            title: "An app for iPhones",
            remarks: """
                `phone` is what the app declares (`info_plist: App/Info.plist` takes it from there) and how its phone behaves,
                `expect.phone` what it shows and hears. A test of the app judges that; `tapsim run` has no phone, says that it does not
                judge it, and reads the card with the client of the file. `tapsim check --resolved --json FILE` writes it out for an app.
                Faults of the phone itself, [phone.*](faults.md), belong into files for apps alone.
                """,
            yaml: """
                format: 1
                cards: {suica: {template: suica, balance: 3120, trips: 20}}
                phone: {system_codes: ["0003"], usage: Reads the balance of transit cards}
                expect:
                  cards: {suica: unchanged}
                  phone: {alerts: [Hold your card, 3120 yen], error: none, sessions: 1, tags: [suica]}

                """),
    ]
}
