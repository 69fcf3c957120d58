import TapCards
import TapWire

// Transit cards by generation, from felica-tool's public card table: first those in system 0003, then those with their own
// systems.

// Nodes that many of these cards share.
private let card = "0000-FFFE 0040-07FF 0048 004A 0088 008B"
private let aes = "00C0-00FF 00C8 00CA 00CC 00CE 00D0 00D2 00D4 00D6"
private let fares = "0800-0FBF 0810 0812 0816 0850 0852 0856 0890 0892 0896 08C8 08CA"
private let rides = "090C 090F 0FC0-7FFF 1000-17BF 1008 100A 1048 104A 108C 108F 10C8 10CB"
private let passes = "1108 110A 1148 114A"
private let common = "FE00  0000-FFFE 3940-39FF 3941-39FF 3948 394B 3988 398B 39C9"

extension CardTemplate {
    /// The default generation is the one with the most measured facts.
    static let suica = transit(
        "suica", of: "JR East", area: 0, issuerID: 0x0103, isJR: true, defaultGeneration: 2,
        CardGeneration(
            .newSuica, order: .asTracedSuica,
            """
            0003  \(card) \(aes) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1800-1A3F 1808 180A 1848 184B 18C8 18CA
                  1908 190A 1948 194B 1988 198B 2300-243F 2308 230A 2348 234B 2388 238B 23C8 23CB
            \(common)
            86A7  0000-FFFE 0040-007F 0048 004B 0280-02BF 0288 028B
            """),
        CardGeneration(
            .known("RC-S95x", .measured, source: "a Suica in the tests of nfcpy has these nodes and this PMm"),
            order: SystemOrder(confidence: .measured, source: "a Suica in the tests of nfcpy"),
            """
            0003  \(card) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1800-1A3F 1808 180A 1848 184B 18C8 18CA 1908 190A
                  1948 194B 1988 198B 2300-243F 2308 230A 2348 234B 2388 238B 23C8 23CB
            \(common)
            86A7  0000-FFFE 0040-007F 0048 004B 0280-02BF 0288 028B
            """),
        CardGeneration(
            .phone,
            """
            0003  \(card) \(aes) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1800-1A3F 1808 180A 1848 184B 1888 188B
                  1908 190A 1948 194B 1988 198B 1F00-1F3F 1F08 1F0A 1F0B 2300-243F 2308 230A 2348 234B 2388 238B 23C8
                  23CB
            """),
        CardGeneration(
            .firstYears,
            """
            0003  \(card) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1800-1A3F 1808 180A 1848 184B 18C8 18CA
            """),
        CardGeneration(
            .firstYears,
            """
            0003  \(card) \(fares) \(rides) \(passes) 17C0-7FFF 1800-1FFF 1808 180A 1848 184B
            """),
        CardGeneration(
            .firstYears,
            """
            0003  0000-FFFE 0008 0009 0040-07FF 0048 004A 0088 008B \(fares) \(rides) 17C0-7FFF 1800-1FFF 1808 180A
                  1848 184B
            """))

    static let icoca = transit(
        "icoca", of: "JR West", .icoca, area: 2, issuerID: 0x0105, isJR: true, defaultGeneration: 2,
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(fares) \(rides) \(passes) 17C0-7FFF 1A40-1B7F 1A48 1A4A 1A88 1A8A 8000-FFFE 9600-973F 9608
                  960A
            """),
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(aes) \(fares) \(rides) \(passes) 17C0-7FFF 1A40-1B7F 1A48 1A4A 1A88 1A8A 8000-FFFE
                  9600-973F 9608 960A
            """))

    static let pasmo = transit(
        "pasmo", of: "the private railways of Kanto", area: 0, issuerID: 0x0252,
        CardGeneration(
            .known(
                "SD1", .measured,
                source:
                    "PASMO cards in nfcpy, issue 205, and in pull request 2951 of Proxmark3 have this PMm; older cards, such as "
                    + "the one in metrodroid, pull request 711, do not answer the commands of AES cards"), order: .seen,
            """
            0003  \(card) \(aes) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1800-1A3F 1848 184B 1908 190A 1948 194B
                  1988 198B 1CC0-1DFF 1CC8 1CCA 1D08 1D0A 2300-243F 2308 230A 2348 234B 2388 238B 23C8 23CB
            \(common)
            """),
        CardGeneration(
            .phone,
            """
            0003  \(card) \(aes) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1800-1A3F 1848 184B 1CC0-1DFF 1CC8 1CCA
                  1D08 1D0A 1F00-1F3F 1F08 1F0A 1F0B 2300-243F 2308 230A 2348 234B 2388 238B 23C8 23CB
            """))

    static let toica = transit(
        "toica", of: "JR Central", area: 1, issuerID: 0x0104, isJR: true, defaultGeneration: 2,
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(fares) \(rides) \(passes) 17C0-7FFF 1800-1DFF 1848 184B 1E00-1EFF 1E08 1E0A 1E48 1E4A 1E88
                  1E8A 1E8B 1ECC 1ECF
            """),
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(aes) \(fares) \(rides) \(passes) 17C0-7FFF 1800-1A3F 1848 184B 1E00-1EFF 1E08 1E0A 1E48
                  1E4A 1E88 1E8A 1E8B 1ECC 1ECF
            """))

    static let manaca = transit(
        "manaca", of: "the railways of Nagoya", area: 1, issuerID: 0x0387,
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(fares) 090A \(rides) \(passes) 8000-FFFE 9880-99BF 9888 988B 98CC 98CF 9908 990A 9948 994A
                  9988 998B
            \(common)
            """))

    static let kitaca = transit(
        "kitaca", of: "JR Hokkaido", area: 3, issuerID: 0x0102, isJR: true,
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(aes) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1800-1A3F 1848 184B 2080-21BF 2088 208B
                  20C8 20CB 2108 210B 2148 214B 2188 218B
            """))

    static let sugoca = transit(
        "sugoca", of: "JR Kyushu", area: 3, issuerID: 0x0107, isJR: true,
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1F40-207F 1F88 1F8A 2048 204A 21C0-22FF 21C8 21CA
                  2208 220A 2248 224A 2288 228A
            \(common)
            """))

    static let nimoca = transit(
        "nimoca", of: "Nishitetsu", area: 3, issuerID: 0x05D5,
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(aes) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1F40-207F 1F48 1F4A 1F88 1F8A 1FC8 1FCA
                  2008 200A 2048 204A
            """),
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1F40-207F 1F48 1F4A 1F88 1F8A 1FC8 1FCA 2008 200A
                  2048 204A
            """))

    static let hayakaken = transit(
        "hayakaken", of: "the subway of Fukuoka", area: 3, issuerID: 0x05D7,
        CardGeneration(
            .unstated, order: .seen,
            """
            0003  \(card) \(aes) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1F40-207F 1F88 1F8A 2048 204A 2440-257F
                  2448 244A 2488 248A 24C8 24CA 2508 250A 2548 254A
            \(common)
            927A  0000-FFFE 0280-053F 0288 028A 028B 02C8 02CA 02CB
            """),
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1F40-207F 1F88 1F8A 2048 204A 2440-257F 2448 244A
                  2488 248A 24C8 24CA 2508 250A 2548 254A
            \(common)
            """))

    /// No list of a PiTaPa is public; all cards of this system have these nodes.
    static let pitapa = transit(
        "pitapa", of: "the private railways of Kansai", area: 2, issuerID: 0x04AD,
        CardGeneration(
            .unstated, isInferred: true,
            """
            0003  \(card) \(fares) \(rides)
            """))

    static let welcomeSuica = transit(
        "welcome-suica", of: "JR East for visitors", area: 0, issuerID: 0x0103, isJR: true,
        CardGeneration(
            .newSuica, order: .asTracedSuica,
            """
            0003  \(card) \(aes) \(fares) 090A \(rides) \(passes) 17C0-7FFF 1800-1A3F 1808 180A 1848 184B
            \(common)
            86A7  0000-FFFE 0040-007F 0048 004B 0280-02BF 0288 028B
            """))

    static let icsca = transit(
        "icsca", of: "Sendai", area: 3, defaultGeneration: 2,
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(fares) 090A \(rides) \(passes) 8000-FFFE BD40-BE7F BD48 BD4A BD88 BD8A BDC8 BDCA BE08 BE0A
                  BE48 BE4B
            \(common)
            """),
        CardGeneration(
            .unstated,
            """
            0003  \(card) \(aes) \(fares) 090A \(rides) \(passes) 8000-FFFE BD40-BE7F BD48 BD4A BD88 BD8A BDC8 BDCA
                  BE08 BE0A BE48 BE4B
            \(common)
            """))
}

extension CardTemplate {
    static let iruca = transit(
        "iruca", of: "Takamatsu", area: 3, services: .like0003(in: SystemCode(0x80DE)),
        CardGeneration(
            .unstated,
            """
            80DE  \(card) \(fares) \(rides) \(passes) 17C0-7FFF 3380-33BF 3388 338A 8000-FFFE C800-C83F C808 C80A
            \(common)
            """))

    static let paspy = transit(
        "paspy", of: "Hiroshima", area: 3, services: .like0003(in: SystemCode(0x8592)),
        CardGeneration(
            .unstated,
            """
            8592  \(card) \(fares) 090A \(rides) \(passes) 8000-FFFE AF00-B03F AF08 AF0B AF48 AF4B AF88 AF8B AFC8 AFCB
                  B008 B00B
            """))

    static let sapica = transit(
        "sapica", of: "Sapporo", area: 3, services: .like0003(in: SystemCode(0x865E), points: SapicaServices.points),
        CardGeneration(
            .unstated,
            """
            865E  \(card) \(aes) \(fares) \(rides) \(passes) 8000-F9FF BA48 BA4B BA8C BA8F BAC8 BACB BB08 BB0B BB48
                  BB4A BCC8 BCCB BD08 BD0B
            """))

    static let okica = transit(
        "okica", of: "Okinawa", area: 3, services: .okica,
        CardGeneration(
            .unstated,
            """
            8FC1  0000-FFFE 0100-0FFF 0140-01FF 0148 014A 0188 018A 0200-02FF 0210 0216 0248 024A 028C 028F 0300-04FF
                  0308 030A 0348 034A 0408 040A 0448 044A 0488 048A 0500-05FF 050C 050F 0548 054A 0588 058A 0600-06FF
                  0608 060B 1000-FFFE
            \(common)
            """))
}

extension TransitTemplate.Services {
    /// The records of OKICA are those of system 0003, under its own service codes.
    ///
    /// Source: TRETJapanNFCReader.
    fileprivate static let okica = TransitTemplate.Services(
        balance: nil, history: OkicaServices.history, gates: OkicaServices.gates, entry: OkicaServices.entry)
}

extension Fact where Value == String {
    fileprivate static let newSuica = inferred("SD1", "felica-tool calls it the IC of the new Suica cards")
    fileprivate static let firstYears = inferred("RC-S915", "it is older than the card traced by nfcpy")
    fileprivate static let phone = inferred("Mobile FeliCa 4.1", "it has services of phones")
}

extension SystemOrder {
    fileprivate static let asTracedSuica = SystemOrder(
        confidence: .likely, source: "like the Suica in the tests of nfcpy and in metrodroid, issue 613")
    fileprivate static let seen = SystemOrder(confidence: .likely, source: "metrodroid, issue 613")
}
