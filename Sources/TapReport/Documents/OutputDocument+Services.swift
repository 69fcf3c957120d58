import TapDocument

/// What `serve`, `ctl` and `card` print.
extension OutputDocument {
    static let served = OutputObject(
        "served", "Open transports",
        [
            .always("env", .map(.text), "The variables that clients need"),
            .always("control", .text, "The control socket"), .always("pid", .number, "The process"),
        ])

    static let moved = OutputObject(
        "moved", "Cards that moved",
        [
            .maybe("tapped", .list(.text), "Cards that came"), .maybe("removed", .list(.text), "Cards that left"),
            .maybe("gap", .number, "How long no card lies there"),
        ])

    static let cardSet = OutputObject(
        "card-set", "A card that was set",
        [
            .always("card", .text, "Its name"),
            .always(
                "definition", .map(.any("what the key of a card takes")), "The card as it is now, as a scenario has it"),
        ])

    static let reset = OutputObject("reset", "A reset", [.always("reset", .flag, "true")])
    static let stopping = OutputObject(
        "stopping", "A service that ends",
        [.always("stopping", .flag, "true"), .always("clients", .number, "How many programs are still connected")])
    static let plugged = OutputObject(
        "plugged", "A reader plugged in or away", [.always("changed", .flag, "Whether it was the other way before")])
    static let phoneRadio = OutputObject(
        "phone-radio", "NFC of a phone", [.always("radio", .flag, "Whether it is on")])
    static let phoneEnded = OutputObject(
        "phone-ended", "A session of a phone that ended", [.always("ended", .flag, "true")])

    static let keptFiles = OutputObject(
        "kept-files", "A test that was kept",
        [.always("folder", .text, "The folder"), .always("files", .list(.text), "The files written there")])

    static let journal = OutputObject(
        "journal", "A journal",
        [
            .always("count", .number, "How many exchanges there were"),
            .always("exchanges", .list(.object(exchange)), "The newest ones"),
            .always("calls", .list(.object(call)), "Commands among them that led to no frame"),
        ])

    static let status = OutputObject(
        "status", "The state of a service",
        [
            .always("scenario", .text, "The scenario"), .always("case", .number, "The case"),
            .always("seed", .number, "The seed"), .always("cards", .list(.object(cardStatus)), "The cards"),
            .maybe("transports", .list(.object(transport)), "The transports of `serve`"),
            .maybe("readers", .list(.text), "The readers of PC/SC"),
            .maybe("clients", .number, "How many programs are connected"),
            .maybe("phone", .object(phone), "The phone of an app"), .always("field", .flag, "Whether the field is on"),
            .always("exchanges", .number, "How many exchanges there were"),
            .always("exhausted", .flag, "Whether the limit of exchanges is used up"),
            .always("card_time", .number, "Card time"),
        ])

    static let cardStatus = OutputObject(
        "card-status", "The state of a card",
        [
            .always("name", .text, "Its name"), .always("ic", .text, "Its IC"),
            .always("identifier", .text, "Its IDm or UID"),
            .always("present", .flag, "Whether it lies before the reader"),
            .always("state", .text, "Its state, in the words of its manual"),
        ])

    static let transport = OutputObject(
        "transport", "A transport",
        [
            .always("name", .text, "Its name"), .always("used", .flag, "Whether a client came"),
            .always("variables", .map(.text), "The variables that lead to it"),
        ])

    static let phone = OutputObject(
        "phone", "A phone",
        [
            .always("session", .word(["none", "polling", "connected"]), "Its session"),
            .maybe("alert", .text, "What the sheet says"), .maybe("tag", .text, "The tag it is connected to"),
            .always("radio", .flag, "Whether NFC is on"), .always("sessions", .number, "How many sessions there were"),
            .maybe("error", .number, "The error of the last one, a code of NFCReaderError"),
            .maybe("error_message", .text, "What the app showed then"),
        ])

    static let cardSheet = OutputObject(
        "card-sheet", "A card in words",
        [
            .always("ic", .text, "The IC"), .always("sections", .list(.object(sheetSection)), "What there is to tell"),
            .always("notes", .list(.text), "What the card has and its dump does not"),
        ])

    static let sheetSection = OutputObject(
        "sheet-section", "A section about a card",
        [.always("title", .text, "What it is about"), .always("rows", .list(.object(sheetRow)), "Its rows")])

    static let sheetRow = OutputObject(
        "sheet-row", "A row about a card",
        [.always("name", .text, "What it is about"), .always("text", .text, "What there is to tell")])

    static let cardDifference = OutputObject(
        "card-difference", "A key by which cards differ",
        [
            .always("key", .text, "The key, as `config.auth0`; pages and blocks one by one"),
            .always("first", .either([.text, .null]), "What the first card has; null for nothing or the default"),
            .always("second", .either([.text, .null]), "What the second card has"),
        ])

    static let recordedFiles = OutputObject(
        "recorded-files", "Scenarios of what was recorded",
        [
            .always("files", .list(.object(recordedFile)), "One for each visit of a card"),
            .always("notes", .list(.text), "What was replaced, left out and not understood"),
        ])

    private static let recordedFile = OutputObject(
        "recorded-file", "A scenario of a recording",
        [.always("file", .text, "Its path"), .always("exchanges", .number, "How many exchanges it has")])

    static let checkedRecordings = OutputObject(
        "checked-recordings", "Whether recordings tell whose card it was",
        [
            .always("files", .number, "How many files have a recording"),
            .always("findings", .list(.object(recordingFinding)), "Where they tell it"),
        ])

    private static let recordingFinding = OutputObject(
        "recording-finding", "A place that tells whose card it was",
        [
            .maybe("file", .text, "The path of the scenario"), .maybe("line", .number, "Its line, from 1"),
            .always("what", .text, "What stands there, without its value"),
        ])

    static let probedCard = OutputObject(
        "probed-card", "A card that was read",
        [
            .always("file", .text, "The file of the card"), .maybe("trace", .text, "The file of what was said"),
            .always("ic", .text, "Its IC"), .always("exchanges", .number, "How many exchanges it took"),
            .always("complete", .flag, "Whether the card was asked everything"),
            .always("notes", .list(.text), "What the card has and the file does not, and what was replaced"),
        ])

    static let writtenCard = OutputObject(
        "written-card", "A file of a card that was written",
        [
            .always("file", .text, "The file"),
            .always("notes", .list(.text), "What the dump, or the format that was written, does not hold"),
        ])
}
