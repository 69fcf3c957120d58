import TapWire

extension FaultCatalogue {
    /// What is wrong with an answer as a packet, whatever it answers.
    static let feliCaPackets: [FaultKind] = [
        FaultKind(
            "felica.length", "The LEN byte of the answer does not count its bytes.",
            models: "An emulator or a relay rebuilds packets and counts LEN without itself, or with the CRC.",
            [.lie("LEN"), .lieBy], scope: .felica,
            effect: .answer { answer, strike in
                answer.rewriteFeliCa { $0.length = strike.arguments.lie(about: $0.length) }
            }),
        FaultKind(
            "felica.response_code", "The answer has the response code of another command.",
            models: "An answer to an earlier command arrives late, or a relay echoes the command.",
            [
                FaultParameter(
                    "code", .bytes(1...1), nil,
                    "The response code; without it the code of the command, as an echo has it.")
            ], scope: .felica,
            effect: .answer { answer, strike in
                let code = strike.arguments.bytes("code")?.first
                answer.rewriteFeliCa { $0.code = code ?? $0.code.map { $0 & 0xFE } }
            }),
        FaultKind(
            "felica.idm", "The answer carries another IDm than the card has.",
            models: "A second card in the field answers, or a phone changes its IDm between two commands.",
            [
                FaultParameter("idm", .bytes(8...8), nil, "The IDm; without it one bit of the right one is flipped."),
                FaultParameter("bit", .integer(0...63), .integer(0), "The bit, 0 for the lowest of the last byte."),
            ], scope: .feliCaIDm,
            effect: .answer { answer, strike in
                let other = strike.arguments.bytes("idm").map { UInt64(octets: $0) }
                let bit = UInt64(1) << UInt64(strike.arguments.integer("bit") ?? 0)
                answer.rewriteFeliCa { $0.idm = $0.idm.map { IDm(other ?? $0.rawValue ^ bit) } }
            }),
        FaultKind(
            "felica.status", "The answer has other status flags.",
            models: "Memory fails (70), a chip has other limits (A1, A2), or a service asks for authentication (A5).",
            [
                FaultParameter("sf1", .bytes(1...1), .bytes([0xFF]), "Status flag 1; 00 is a success."),
                FaultParameter("sf2", .bytes(1...1), .bytes([0x70]), "Status flag 2, the reason."),
                FaultParameter("with_data", .flag, .flag(false), "Whether the data stay behind the status flags."),
            ], scope: .feliCaStatus,
            effect: .answer { answer, strike in strikeStatus(of: &answer, strike.arguments) }),
        FaultKind(
            "felica.truncate", "The answer ends too early, while LEN and counts say what they said.",
            models: "A reader or a relay with a buffer that is too small cuts packets.",
            [
                FaultParameter("keep_blocks", .integer(0...15), nil, "Blocks that are left of the answer to a read."),
                FaultParameter(
                    "keep_bytes", .integer(1...254), nil,
                    "Bytes that are left, LEN among them; without either one is cut."),
            ], scope: .felica,
            effect: .answer { answer, strike in
                let blocks = strike.arguments.integer("keep_blocks").map(FeliCaAnswer.length)
                answer.rewriteFeliCa { packet in
                    packet.keep(strike.arguments.integer("keep_bytes") ?? blocks ?? packet.bytes.count - 1)
                }
            }),
        FaultKind(
            "felica.extra_bytes", "Bytes follow the answer that LEN does not count.",
            models: "A reader hands over its buffer with the CRC, or with what was left of a longer answer.",
            [
                FaultParameter(
                    "bytes", .bytes(1...64), .bytes([0x00, 0x00]), "The bytes; those beyond 255 in all are left out.")
            ],
            scope: .felica,
            effect: .answer { answer, strike in
                answer.rewriteFeliCa { $0.bytes += strike.arguments.bytes("bytes") ?? [] }
            }),
    ]

    private static func strikeStatus(of answer: inout AnswerOnAir, _ arguments: FaultArguments) {
        answer.rewriteFeliCa { packet in
            guard packet.status != nil else { return }
            let flags = (arguments.bytes("sf1") ?? []) + (arguments.bytes("sf2") ?? [])
            packet.status = StatusFlags(flags[0], flags[1])
            guard !arguments.flag("with_data") else { return }
            packet.keep(FeliCaPacket.statusLength)
            packet.length = UInt8(FeliCaPacket.statusLength)
        }
    }
}
