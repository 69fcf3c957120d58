import TapDoors
import TapField
import TapPhone

/// What the person who holds the phone does.
///
/// Each returns when the phone knows of it; without a phone it throws ``VirtualNFCError``.
extension VirtualNFC {
    /// Puts a card before the phone.
    public static func tap(_ name: String) throws(VirtualNFCError) {
        try move(name) { $0.tap(name) }
    }

    /// Takes a card away, or all where none is named.
    public static func remove(_ name: String? = nil) throws(VirtualNFCError) {
        guard let name else {
            return try phone.host.perform { world in
                for card in world.cards where card.isPresent { world.remove(card.name) }
            }
        }
        try move(name) { $0.remove(name) }
    }

    /// Takes a card away and puts another before the phone.
    ///
    /// - Parameters:
    ///   - out: The card that leaves.
    ///   - incoming: The card that comes.
    ///   - gap: How long none of them is there, in the time of the field.
    public static func swap(_ out: String, for incoming: String, gap: Duration = .zero) throws(VirtualNFCError) {
        try move(incoming) { _ in }
        try move(out) { $0.swap(out, for: incoming, after: gap) }
    }

    /// Presses Cancel on the sheet, which ends the session with error 200.
    public static func cancel() throws(VirtualNFCError) { try phone.cancel() }

    /// Sends the app to the background, which ends the session with error 202.
    public static func background() throws(VirtualNFCError) { try phone.sendToBackground() }

    /// Switches NFC on or off, which ends the session with error 6.
    public static func radio(on isOn: Bool) throws(VirtualNFCError) { try phone.setRadio(on: isOn) }

    private static func move(_ name: String, _ body: (inout World) -> Void) throws(VirtualNFCError) {
        let phone = try phone
        let world = phone.host.snapshot
        guard world.card(named: name) != nil else { throw .noCard(name, of: world) }
        phone.host.perform { body(&$0) }
    }
}
