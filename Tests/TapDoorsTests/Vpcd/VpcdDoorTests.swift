import TapDoors
import TapField
import TapReaders
import TestSupport
import Testing

/// The door against the installed pcscd and its vpcd driver.
@Suite struct `The vpcd door` {
    @Test(arguments: [("ntag", "MIFARE Ultralight"), ("felica", "FeliCa")])
    func `pcsc_scan names the card by its ATR`(card: String, text: String) throws {
        let field = try VpcdField()
        field.tap(card)
        let scan = try field.run(["pcsc_scan", "-t", "2"])
        #expect(scan.standardOutput.text.contains(text), "\(scan.standardOutput.text)\(scan.standardError.text)")
    }
}
