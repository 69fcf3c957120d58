import TapCards

// Cards with systems of their own and electronic money, generation by generation, as the public card table of felica-tool
// has them; the second Edy is the one in the tests of nfcpy.

extension CardGeneration {
    static let iruca = [
        CardGeneration(
            .untold,
            """
            80DE  0000-FFFE 0040-07FF 0048 004A 0088 008B 0800-0FBF 0810 0812 0816 0850 0852 0856 0890 0892 0896 08C8
                  08CA 090C 090F 0FC0-7FFF 1000-17BF 1008 100A 1048 104A 108C 108F 10C8 10CB 1108 110A 1148 114A
                  17C0-7FFF 3380-33BF 3388 338A 8000-FFFE C800-C83F C808 C80A
            FE00  0000-FFFE 3940-39FF 3941-39FF 3948 394B 3988 398B 39C9
            """)
    ]

    static let sapica = [
        CardGeneration(
            .untold,
            """
            865E  0000-FFFE 0040-07FF 0048 004A 0088 008B 00C0-00FF 00C8 00CA 00CC 00CE 00D0 00D2 00D4 00D6 0800-0FBF
                  0810 0812 0816 0850 0852 0856 0890 0892 0896 08C8 08CA 090C 090F 0FC0-7FFF 1000-17BF 1008 100A 1048
                  104A 108C 108F 10C8 10CB 1108 110A 1148 114A 8000-F9FF BA48 BA4B BA8C BA8F BAC8 BACB BB08 BB0B BB48
                  BB4A BCC8 BCCB BD08 BD0B
            """)
    ]

    static let paspy = [
        CardGeneration(
            .untold,
            """
            8592  0000-FFFE 0040-07FF 0048 004A 0088 008B 0800-0FBF 0810 0812 0816 0850 0852 0856 0890 0892 0896 08C8
                  08CA 090A 090C 090F 0FC0-7FFF 1000-17BF 1008 100A 1048 104A 108C 108F 10C8 10CB 1108 110A 1148 114A
                  8000-FFFE AF00-B03F AF08 AF0B AF48 AF4B AF88 AF8B AFC8 AFCB B008 B00B
            """)
    ]

    static let okica = [
        CardGeneration(
            .untold,
            """
            8FC1  0000-FFFE 0100-0FFF 0140-01FF 0148 014A 0188 018A 0200-02FF 0210 0216 0248 024A 028C 028F 0300-04FF
                  0308 030A 0348 034A 0408 040A 0448 044A 0488 048A 0500-05FF 050C 050F 0548 054A 0588 058A 0600-06FF
                  0608 060B 1000-FFFE
            FE00  0000-FFFE 3940-39FF 3941-39FF 3948 394B 3988 398B 39C9
            """)
    ]

    static let ryuto = [
        CardGeneration(
            .ryuto, order: .ryuto,
            """
            8B5D  0000-FFFE 8000-927F 8040-80BF 8048 804A 804B 8088 808A 8840-887F 8848 884A 884B 8980-89BF 898C 898E
                  898F 8AC0-8AFF 8AC8 8ACA 9240-927F 9248 924A 924B
            FE00  0000-FFFE 3940-39FF 3941-39FF 3948 394B 3988 398B 39C9
            """),
        CardGeneration(
            .ryuto, order: .ryuto,
            """
            8B5D  0000-FFFE 8000-924B 8040-808A 8048 804A 804B 8088 808A 8840-884B 8848 884A 884B 8980-898F 898C 898E
                  898F 8AC0-8ACA 8AC8 8ACA 9240-924B 9248 924A 924B
            FE00  0000-FFFE 3940-39FF 3941-39FF 3948 394B 3988 398B 39C9
            """),
    ]

    static let octopus = [
        CardGeneration(
            .olderOctopus,
            """
            8008  0000-FFFE 0110 0112 0114 0117 0208 020A 0308 030A 040C 040E 0708 070A 0800-0F3F 0908 090A 0A08 0A0A
                  0B08 0B0A
            """),
        CardGeneration(
            .newOctopus,
            """
            8008  0000-FFFE 0110 0112 0114 0117 0208 020A 0308 030A 040C 040E 0708 070A 0800-0F3F 0908 090A 0A08 0A0A
                  0B08 0B0A 1008 100B
            """),
    ]

    static let luluca = [
        CardGeneration(
            .untold,
            """
            04A6  0000-FFFE 0040-027F 0048 004B 0088 008B 00CC 00CF 010C 010F 0280-077F 0288 028B 02C8 02CB 0780-0C7F
                  0788 078B 07C8 07CB 0C80-FFFE
            """)
    ]

    static let edy = [
        CardGeneration(
            .newEdy,
            """
            8BDC  0000-FFFE
            FE00  0000-FFFE 1000-173F 1001-173F 1008 1108 110A 110B 1208 1310 1312 1317 1408 140A 1508 150A 1608 160A
                  170C 170F 7B80-7BBF 7B81-7BBF 7B88 7B8B 7B8C 7B8F
            """),
        CardGeneration(
            .tracedEdy, order: .tracedEdy,
            """
            8092  0000-FFFE
            FE00  0000-FFFE 1000-1717 1001-1717 1008 1108 110A 110B 1208 1310 1312 1317 1408 140A 1508 150A 1608 160A
                  170C 170F
            """),
    ]

    static let edyAmpm = [
        CardGeneration(
            .tracedEdy, order: .asTracedEdy,
            """
            801E  0000-FFFE
            FE00  0000-FFFE 1000-1717 1001-1717 1008 1108 110A 110B 1208 1310 1312 1317 1408 140A 1508 150A 1608 160A
                  170C 170F
            """)
    ]

    static let nanaco = [
        CardGeneration(
            .untold,
            """
            04C7  0000-FFFE 0100-01FF 0108 010B 0148 014B 0188 018B
            FE00  0000-FFFE 5580-56BF 5581-56BF 5588 558B 5590 5594 5597 55C8 55CB 5608 560B 5648 564B 564C 564F 5688
                  568B
            """),
        CardGeneration(
            .untold,
            """
            04C7  0000-FFFE 0100-01FF 0108 010B 0148 014B 0188 018B
            FE00  0000-FFFE 35C0-36BF 35C1-36BF 35C8 35CB 35CC 3608 360B 360C 360F 364C 364F 368C 368F 5580-56BF
                  5581-56BF 5588 558B 5590 5594 5597 55C8 55CB 5608 560B 5648 564B 564C 564F 5688 568B
            """),
        CardGeneration(
            .untold,
            """
            FE00  0000-FFFE 5580-56BF 5581-56BF 5588 558B 5590 5594 5597 55C8 55CB 5608 560B 5648 564B 564C 564F 5688
                  568B
            """),
    ]

    static let waon = [
        CardGeneration(
            .untold,
            """
            852B  0000-FFFE
            FE00  0000-FFFE 67C0-68FF 67C1-68FF 67C8 67CB 67CC 67CF 6808 680B 680C 680F 6810 6814 6817 6848 684B 684C
                  684F 6888 688B 688C 688F 68C8 68CB 68CC 68CF
            """)
    ]

    static let waonLocal = [
        CardGeneration(
            .untold,
            """
            12FC  0000-FFFE
            FE00  0000-FFFE 3940-39FF 3941-39FF 3948 394B 3988 398B 39C9 67C0-68FF 67C1-68FF 67C8 67CB 67CC 67CF 6808
                  680B 680C 680F 6810 6814 6817 6848 684B 684C 684F 6888 688B 688C 688F 68C8 68CB 68CC 68CF
            """)
    ]

    static let felicaLite = [
        CardGeneration(
            .lite,
            """
            12FC  0000-FFFE 0009 000B
            88B4  0000-FFFE 0009 000B
            """)
    ]
}
