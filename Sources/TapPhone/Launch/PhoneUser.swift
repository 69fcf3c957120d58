import TapDoors
import TapField
import TapReport
import TapScenario
import TapServe
import TapWire

/// A phone whose field is steered: its sessions use the cards, and the person who holds it does as is asked.
struct PhoneUser: FieldUser {
    let phone: VirtualPhone
    /// How many sessions had begun when the field began anew.
    private let forgotten = Lock(0)

    init(_ phone: VirtualPhone) {
        self.phone = phone
    }

    /// The sessions since the field began anew.
    private var sessions: ArraySlice<SessionRecord> { phone.sessions.dropFirst(forgotten.withLock { $0 }) }

    /// The session that is open.
    private var openSession: SessionRecord? { phone.sessions.last.flatMap { $0.error == nil ? $0 : nil } }

    var status: (rows: [[String]], entries: [(key: String, value: Node)]) {
        // What the app has just done is told as well.
        phone.catchUp()
        let (session, connected) = (openSession, phone.reader?.connectedTag)
        let state = session == nil ? "none" : connected == nil ? "polling" : "connected"
        let radio = phone.state.withLock { $0.isRadioOn }
        let (sessions, last) = (sessions, sessions.last { $0.error != nil })
        let node = Node.map([
            "session": .text(state), "alert": session?.alerts.last.map(Node.text),
            "tag": session == nil ? nil : connected.map { .text($0.identifier) },
            "radio": .boolean(radio), "sessions": .number(sessions.count),
            "error": last?.error.map { .number($0.code.rawValue) },
            "error_message": last?.errorMessage.map(Node.text),
        ])
        let words = session == nil ? "no session" : connected.map { "connected to \($0.identifier)" } ?? state
        let row = ["phone", radio ? "NFC on" : "NFC off", words, session?.alerts.last ?? last?.error?.text ?? ""]
        return (rows: [row.map(PrintableText.visible)], entries: [(key: "phone", value: node)])
    }

    func perform(_ request: ControlRequest, on field: SteeredField) throws(ControlRefusal) -> ControlAnswer {
        guard case .phone(let act) = request else {
            throw ControlRefusal(
                "a phone has no reader that is plugged in or unplugged; `phone radio off` switches its NFC off")
        }
        switch act {
        case .cancel: return try end("the person cancels the session") { $0.cancel() }
        case .background:
            return try end("the app goes to the background, and the session ends") { $0.sendToBackground() }
        case .radio(let isOn):
            phone.setRadio(on: isOn)
            phone.catchUp()
            return ControlAnswer("NFC is \(isOn ? "on" : "off")", ["radio": .boolean(isOn)])
        }
    }

    private func end(_ words: String, _ act: (VirtualPhone) -> Void) throws(ControlRefusal) -> ControlAnswer {
        guard openSession != nil else { throw ControlRefusal("no session is open; the app has to begin one first") }
        act(phone)
        phone.catchUp()
        return ControlAnswer(words, ["ended": true])
    }

    var hasPhone: Bool { true }

    func cardsHaveMoved() {
        phone.catchUp()
    }

    func fieldHasRestarted() {
        phone.sendToBackground()
        phone.setRadio(on: true)
        phone.catchUp()
        forgotten.withLock { $0 = phone.sessions.count }
    }

    func record(of world: World) -> RunRecord {
        phone.catchUp()
        var record = RunRecord(world: world, client: ClientReport(end: .elsewhere))
        record.phone = PhoneReport(sessions.map(\.report))
        return record
    }
}

extension PhoneTag {
    /// The IDm or the UID in hexadecimal.
    fileprivate var identifier: String {
        switch kind {
        case .feliCa(let idm, _, _): "\(idm)"
        case .miFare(let uid, _, _): "\(uid)"
        }
    }
}
