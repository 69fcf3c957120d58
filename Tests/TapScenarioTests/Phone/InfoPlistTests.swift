@testable import TapDocument
@testable import TapScenario
import TapWire
import Testing

@Suite struct `An Info.plist` {
    static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    private func read(_ body: String) throws -> InfoPlist { try InfoPlist(reading: Array((Self.head + body).utf8)) }

    @Test func `declares systems in order and the usage description`() throws {
        let list = try read(
            """
            <dict>
                <key>UIDeviceFamily</key> <array><integer>1</integer><true/><dict/></array>
                <!-- <key>NFCReaderUsageDescription</key><string>no</string> -->
                <key>com.apple.developer.nfc.readersession.felica.systemcodes</key>
                <array> <string>0003</string> <string>fe00</string> </array>
                <key>NFCReaderUsageDescription</key>
                <string>Reads &lt;cards&gt; &amp; tags&#33; &unknown; & more</string>
            </dict></plist>
            """)
        #expect(list.systemCodes == [SystemCode(0x0003), SystemCode(0xFE00)])
        #expect(list.usage == "Reads <cards> & tags! &unknown; & more")
    }

    @Test(arguments: ["<dict/></plist>", "<dict></dict></plist>", "<dict><key>a</key><string/></dict></plist>"])
    func `without NFC keys declares nothing`(_ body: String) throws {
        let list = try read(body)
        #expect(list.systemCodes.isEmpty && list.usage.isEmpty)
    }

    @Test(arguments: [
        ("<array></array></plist>", "is not an XML property list"),
        ("<dict><key>a</key></dict>", "is not an XML property list"),
        ("<dict><key>a</key><string>b", "is not an XML property list"),
        ("<dict><string>a</string></dict>", "is not an XML property list"),
        ("<dict><key>a</key><set/></dict>", "is not an XML property list"), ("<dict", "is not an XML property list"),
        ("<dict><key>NFCReaderUsageDescription</key><true/></dict>", "has no string under NFCReaderUsageDescription"),
        (
            "<dict><key>com.apple.developer.nfc.readersession.felica.systemcodes</key><string>0003</string></dict>",
            "has no array of system codes"
        ),
        (
            "<dict><key>com.apple.developer.nfc.readersession.felica.systemcodes</key><array><string>3</string></array></dict>",
            "declares `3` as a system code"
        ),
        (
            "<dict><key>com.apple.developer.nfc.readersession.felica.systemcodes</key><array><true/></array></dict>",
            "declares a value that is not a string as a system code"
        ),
    ])
    func `that cannot be used is rejected with a reason`(_ body: String, _ message: String) {
        let problem = #expect(throws: InfoPlistProblem.self) { try read(body) }
        #expect(problem?.message.hasPrefix(message) == true, "\(problem?.message ?? "")")
        #expect(problem?.hint.isEmpty == false)
    }

    @Test func `in another format or too large is rejected`() {
        let forms: [([UInt8], String)] = [
            (Array("bplist00".utf8), "is a binary property list"), ([], "is not an XML property list"),
            ([UInt8](repeating: 0xFF, count: 100), "is not an XML property list"),
            ([UInt8](repeating: 0x20, count: InfoPlist.maximumBytes + 1), "is too large"),
        ]
        for (bytes, message) in forms {
            #expect(throws: InfoPlistProblem.self, "\(message)") { try InfoPlist(reading: bytes) }
            do { _ = try InfoPlist(reading: bytes) } catch { #expect(error.message == message) }
        }
    }

    @Test func `with excessive nesting is rejected`() {
        let deep = String(repeating: "<array>", count: 5_000)
        #expect(throws: InfoPlistProblem.self) { try read("<dict><key>a</key>\(deep)") }
    }
}
