import TapCards
import TapWire
import TestSupport

@testable import TapImages

/// Dumps as the tools write them, of cards made up for tests.
enum SampleDumps {
    /// T0 of the vectors with a counter, as its memory.
    static let tag: NTAGDefinition = {
        var tag = SampleTags.t4()
        tag.password = SampleTags.password
        tag.pack = SampleTags.pack
        return tag
    }()

    private static func hex(_ bytes: some Collection<UInt8>) -> String { Hex.text(bytes, separator: " ") }

    private static var pages: [String] {
        (0..<tag.product.layout.pageCount).map { "Page \($0): \(hex(tag[page: $0].bytes))" }
    }

    /// The lines of a tag as the firmware of Flipper Zero writes them, without those for people.
    static var flipperTag: [String] {
        [
            "Filetype: Flipper NFC device", "Version: 4", "Device type: NTAG/Ultralight",
            "UID: 04 A2 3B 5C 6D 7E 80", "ATQA: 00 44", "SAK: 00", "Data format version: 2",
            "NTAG/Ultralight type: NTAG215", "Signature: \(hex(tag.signature.bytes))",
            "Mifare version: 00 04 04 02 01 00 11 03", "Counter 0: 0", "Tearing 0: 00", "Counter 1: 0",
            "Tearing 1: 00", "Counter 2: 16176", "Tearing 2: 00", "Pages total: 135", "Pages read: 135",
        ] + pages + ["Failed authentication attempts: 0"]
    }

    /// A file of the first versions: the type names the card, ATQA as it travels, no number of pages that were read.
    static var oldFlipperTag: [String] {
        flipperTag.compactMap { line in
            switch line.split(separator: ":")[0] {
            case "Version": "Version: 2"
            case "Device type": "Device type: NTAG215"
            case "ATQA": "ATQA: 44 00"
            case "Data format version", "NTAG/Ultralight type", "Pages read", "Failed authentication attempts": nil
            default: line
            }
        }
    }

    /// Block n of a Lite-S: its status flags and sixteen bytes; CK reads as zeros, S_PAD3 was refused.
    static let flipperLite: [String] = {
        let blocks = (0..<28).map { number -> String in
            let data =
                switch number {
                case 0: "10 04 01 00 0D 00 00 00 00 00 01 00 00 00 00 23"
                case 3: "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                case 14: "FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF"
                case 17: "01 2E 3D 4C 5B 6A 79 88 00 9A 11 22 33 44 55 66"
                case 18: "01 2E 3D 4C 5B 6A 79 88 00 F1 00 00 00 01 43 00"
                case 20: "88 B4 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                case 21: "02 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                case 23: "FF FF FF 01 07 00 00 00 00 00 00 00 00 00 00 00"
                case 24: "34 12 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                case 1, 2, 4..<14: hex((0..<16).map { UInt8(number * 16 + $0) })
                default: "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                }
            return "Block \(number): \(number == 3 ? "01 B1" : "00 00") \(data)"
        }
        return [
            "Filetype: Flipper NFC device", "Version: 4", "Device type: FeliCa", "UID: 01 2E 3D 4C 5B 6A 79 88",
            "Data format version: 2", "Manufacture id: 01 2E 3D 4C 5B 6A 79 88",
            "Manufacture parameter: 00 F1 00 00 00 01 43 00", "IC Type: FeliCa Lite-S", "", "Blocks total: 28",
            "Blocks read: 27",
        ] + blocks
    }()

    private static let balance = "00 00 00 00 00 00 00 00 20 00 00 30 0C 00 02 15"
    private static let trips = [
        "16 01 00 02 35 72 01 E6 01 CC 30 0C 00 02 15 00", "C7 46 00 00 35 71 7A 43 0D C2 02 0D 00 02 14 00",
    ]

    /// A transit card of a firmware that does not tell systems.
    static let flipperStandard = [
        "Filetype: Flipper NFC device", "Version: 4", "Device type: FeliCa", "UID: 01 12 01 02 03 04 05 06",
        "Data format version: 2", "Manufacture id: 01 12 01 02 03 04 05 06",
        "Manufacture parameter: 01 20 22 04 27 67 4E FF", "IC Type: FeliCa Standard RC-S962", "",
        "Area found: 2", "Area 000: | Code 0000 | Services #000-#003 |", "Area 001: | Code 0080 | Services #000-#001 |",
        "", "Service found: 4", "Service 000: | Code 0088 | Attrib. 08 | Private | Random | Read/Write |",
        "Service 001: | Code 008B | Attrib. 0B | Public  | Random | Read Only  |",
        "Service 002: | Code 090C | Attrib. 0C | Private | Random | Read/Write |",
        "Service 003: | Code 090F | Attrib. 0F | Public  | Random | Read Only  |", "", "Directory Tree: ",
        "+++ ... are public services", "||| ... are private services", "- AREA_0000/", "|- AREA_0002/",
        "| |- serv_0088", "+ +- serv_008B", "Public blocks read: 3",
        "Block 0000: | Service code 008B | Block index 00 | Data: \(balance) |",
        "Block 0001: | Service code 090F | Block index 00 | Data: \(trips[0]) |",
        "Block 0002: | Service code 090F | Block index 01 | Data: \(trips[1]) |",
    ]

    /// The same card and a second system, as newer firmware tells them.
    static let flipperSystems: [String] =
        flipperStandard.prefix(9) + ["System found: 2", "", "System 00: 0003", ""]
        + flipperStandard.dropFirst(9) + [
            "", "System 01: FE00", "", "Area found: 1", "Area 000: | Code 0000 | Services #000-#000 |", "",
            "Service found: 1", "Service 000: | Code 170F | Attrib. 0F | Public  | Random | Read Only  |", "",
            "Directory Tree: ", "- AREA_0000/", "Public blocks read: 1",
            "Block 0000: | Service code 170F | Block index 00 | Data: 20 00 00 04 2E 02 AE 41 00 00 02 4A 00 00 01 9E |",
        ]

    /// What `hf felica dump` writes.
    static let proxmarkStandard = """
        {
          "specification_version": "00008502000000",
          "product_information": null,
          "container_issue_information": null,
          "systems": [
            {
              "code": "0003",
              "idm": "0112010203040506",
              "pmm": "01202204276 74EFF",
              "encryption_identifier": "DES56",
              "nodes": [
                {"type": "system", "code": "FFFF", "des_key_version": "0100", "aes_key_version": null, "data": {}},
                {"type": "area", "code": "0000FFFE", "des_key_version": "0100", "aes_key_version": null, "data": {}},
                {"type": "area", "code": "008000BF", "des_key_version": "0200", "aes_key_version": null, "data": {}},
                {"type": "service", "code": "0088", "des_key_version": "0300", "aes_key_version": null, "data": {}},
                {"type": "service", "code": "008B", "des_key_version": "0300", "aes_key_version": null,
                 "data": {"0000": "\(balance.split(separator: " ").joined())"}}
              ]
            },
            {
              "code": "FE00", "idm": "1112010203040506", "pmm": "0120220427674EFF", "encryption_identifier": null,
              "nodes": [
                {"type": "area", "code": "0000FFFE", "des_key_version": null, "aes_key_version": null, "data": {}}
              ]
            }
          ]
        }
        """.replacing("00008502000000", with: "000085010000").replacing("276 74", with: "27674")

    /// A scan of felica-tool, some of it hidden.
    static let felicaTool = """
        {
          "metadata": {"creation_time": 0, "app_version": "1.0"},
          "primary_idm": "0112010203040506", "pmm": "0120220427674eff", "ic_type_name": "RC-S962",
          "primary_system_code": "0003",
          "specification_version": {"format_version": "00", "basic_version": "5.0.0"},
          "systems": {
            "0003": {
              "idm": "0112010203040506", "des_key_version": "0001",
              "nodes": [
                {"type": "area", "code": "0000feff", "number": 0, "end_number": 1023, "des_key_version": "0001"},
                {"type": "area", "code": "8000bf00", "number": 2, "end_number": 2, "des_key_version": "0002"},
                {"type": "service", "code": "8800", "number": 2, "data": null, "des_key_version": "0003", "blocks_total": 2},
                {"type": "service", "code": "8b00", "number": 2, "des_key_version": "0003",
                 "data": {"0000": "\(balance.split(separator: " ").joined().lowercased())", "0001": "XXXXXXXXXXXXXXXX0000000000000000"}}
              ]
            }
          }
        }
        """

    /// What tagtool of nfcpy shows of the tag, PWD and PACK as they are read.
    static var nfcpyTag: [String] {
        let infos = ["UID0-UID2, BCC0", "UID3-UID6", "BCC1, INT, LOCK0-LOCK1", "OTP0-OTP3"]
        let footers = [
            130: "LOCK2-LOCK4", 131: "MIRROR, RFU, MIRROR_PAGE, AUTH0", 132: "ACCESS", 133: "PWD0-PWD3",
            134: "PACK0-PACK1",
        ]
        let rows = (0..<135).map { number -> String in
            let bytes = number < 133 ? tag[page: number].bytes : [0, 0, 0, 0]
            let words = bytes.map { Hex.digits($0, width: 2).lowercased() }.joined(separator: " ")
            let info = (number < 4 ? infos[number] : footers[number]).map { "(\($0))" } ?? "|....|"
            return "  \(Hex.digits(number, width: 3)): \(words) \(info)"
        }
        return [
            "Type2Tag 'NXP NTAG215' ID=04A23B5C6D7E80", "NDEF Capabilities:", "  readable  = yes", "Memory Dump:",
        ] + rows
    }

    /// A tag whose pages from 8 on need a password: the rest in three rows, then the footers.
    static var protectedNfcpyTag: [String] {
        nfcpyTag.prefix(12) + ["  008: ?? ?? ?? ?? |....|", "   *   ?? ?? ?? ?? |....|", "  081: ?? ?? ?? ?? |....|"]
            + nfcpyTag.suffix(5).map { $0.prefix(7) + "?? ?? ?? ?? (X)" }
    }

    static let nfcpyLite: [String] = {
        let row = "01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10"
        let zeros = "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
        return [
            "Type3Tag 'FeliCa Lite-S (RC-S966)' ID=012E3D4C5B6A7988 PMM=00F1000000014300 SYS=88B4", "Memory Dump:",
            "    0: 10 04 01 00 0d 00 00 00 00 00 01 00 00 00 00 23 |...............#|",
            "    1: \(row) |................|",
            "    3: \(zeros) |................|", "    *  \(zeros) |................|",
            "   13: \(zeros) |................|",
            "   14: ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff (REGA[4]B[4]C[8])",
            "  128: \(zeros) (RC1[8], RC2[8])", "  129: \(zeros) (MAC[8])",
            "  130: 01 2e 3d 4c 5b 6a 79 88 00 9a 00 00 00 00 00 00 (IDD[8], DFC[2])",
            "  131: 01 2e 3d 4c 5b 6a 79 88 00 f1 00 00 00 01 43 00 (IDM[8], PMM[8])",
            "  132: \(zeros) (SERVICE_CODE[2])",
            "  133: 88 b4 00 00 00 00 00 00 00 00 00 00 00 00 00 00 (SYSTEM_CODE[2])", "  134: \(zeros) (CKV[2])",
            "  135: \(zeros) (CK1[8], CK2[8])",
            "  136: ff ff ff 01 07 00 00 00 00 00 00 00 00 00 00 00 (MEMORY_CONFIG)",
            "  144: 4b fe ff 00 00 00 00 00 00 00 00 00 00 00 00 00 (WCNT[3])",
            "  145: ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? (MAC_A[8])", "  146: \(zeros) (STATE)",
        ]
    }()

    static let nfcpyStandard = [
        "Type3Tag 'FeliCa Standard (RC-S962)' ID=0112010203040506 PMM=0120220427674EFF SYS=0003", "Memory Dump:",
        "  System 0003 (Suica)", "  Area 0000--FFFE", "    Area 0080--00BF",
        "      Random Service 2: write with key & read w/o key (0x0088 0x008B)",
        "       0000: \(balance.lowercased()) |........ ..0....|",
        "      Cyclic Service 36: write with key & read w/o key (0x090C 0x090F)",
        "       0000: \(trips[0].lowercased()) |................|",
        "       0001: \(trips[1].lowercased()) |................|",
        "       *     \(trips[1].lowercased()) |................|",
        "       0013: \(trips[1].lowercased()) |................|",
        "  System FE00 (Common Area)", "  Area 0000--FFFE",
    ]

    private static func text(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    /// The 56 bytes of Proxmark3 before the memory.
    private static let proxmarkHeader: [UInt8] =
        tag.version.bytes + [0, 0, 0, 0x86] + tag.signature.bytes + [0, 0, 0, 0, 0, 0, 0, 0, 0x30, 0x3F, 0, 0xBD]
    private static let oldProxmarkHeader: [UInt8] =
        tag.version.bytes + [0, 0, 0xBD, 0xBD, 0xBD, 0xAB, 0xCD, 0] + tag.signature.bytes

    /// Every sample under the name of a file.
    static let all: [(name: String, bytes: [UInt8])] = [
        ("tag.nfc", text(flipperTag)), ("old.nfc", text(oldFlipperTag)), ("lite.nfc", text(flipperLite)),
        ("standard.nfc", text(flipperStandard)), ("systems.nfc", text(flipperSystems)), ("tag.bin", tag.memory),
        ("short.bin", Array(tag.memory.prefix(532))), ("signed.bin", tag.memory + Array(tag.signature.bytes)),
        ("pm3.bin", proxmarkHeader + tag.memory), ("old-pm3.bin", oldProxmarkHeader + tag.memory),
        ("tag.eml", Array(HexadecimalDump.text(proxmarkHeader + tag.memory).utf8)), ("tag.json", proxmarkTag),
        ("standard.json", Array(proxmarkStandard.utf8)), ("scan.json", Array(felicaTool.utf8)),
        ("tag.txt", text(nfcpyTag)), ("protected.txt", text(protectedNfcpyTag)), ("lite.txt", text(nfcpyLite)),
        ("standard.txt", text(nfcpyStandard)),
    ]

    static func bytes(_ name: String) -> [UInt8] { all.first { $0.name == name }?.bytes ?? [] }

    private static let proxmarkTag: [UInt8] = {
        let blocks = (0..<135).map { "    \"\($0)\": \"\(Hex.text(tag[page: $0].bytes))\"" }.joined(separator: ",\n")
        return Array(
            """
            {
              "Created": "proxmark3",
              "FileType": "mfu",
              "Card": {
                "UID": "04A23B5C6D7E80",
                "Version": "0004040201001103",
                "TBO_0": "0000",
                "TBO_1": "00",
                "Signature": "\(Hex.text(tag.signature.bytes))",
                "Counter0": "000000",
                "Tearing0": "00",
                "Counter1": "000000",
                "Tearing1": "00",
                "Counter2": "303F00",
                "Tearing2": "BD"
              },
              "blocks": {
            \(blocks)
              }
            }
            """.utf8)
    }()
}
