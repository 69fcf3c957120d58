import TapField
import TapWire

extension PhoneReader {
    /// Time slot bytes that Core NFC has names for: 1, 2, 4, 8 and 16 slots.
    private static let timeSlots: Set<UInt8> = [0x00, 0x01, 0x03, 0x07, 0x0F]

    /// Polls for a system of the tag and makes it the current one.
    ///
    /// Among several cards the answer of this one counts. A Polling that is not permitted leaves the current system as
    /// it is; one that fails leaves no current IDm.
    ///
    /// - Parameters:
    ///   - systemCode: Two bytes, the high one first.
    ///   - requestCode: 0 nothing, 1 system code, 2 communication performance.
    ///   - timeSlot: 0, 1, 3, 7 or 15.
    ///   - tag: The connected tag.
    /// - Throws: ``PhoneError`` 2 for a code that is not declared or has FF in a byte, 3 or 4 for other arguments, 100,
    ///   102 or 104 where the tag does not answer.
    public mutating func polling(
        systemCode: [UInt8], requestCode: UInt8 = 0, timeSlot: UInt8 = 0, of tag: PhoneTag, in world: inout World
    ) throws(PhoneError) -> PhonePollingResult {
        let (index, _) = try readyFeliCa(tag, in: &world)
        let code = try checkedCode(systemCode)
        guard requestCode <= 2, Self.timeSlots.contains(timeSlot) else {
            throw PhoneError(
                .invalidParameter,
                reason: "request codes are 0 to 2 and time slots 0, 1, 3, 7 and 15; the app sent \(requestCode) and "
                    + "\(timeSlot)")
        }
        let request = Polling.Request(
            systemCode: code, requestCode: Polling.RequestCode(requestCode), timeSlot: timeSlot)
        guard let answer = world.poll(request, of: tags[index].card) else {
            clearIDm(of: index)
            throw silence(of: index, to: "Polling for system \(code)", after: PhonePatience.search, in: world)
        }
        tags[index].kind = .feliCa(FeliCaState(systemCode: code, idm: answer.idm, pmm: answer.pmm))
        return PhonePollingResult(
            pmm: answer.pmm.rawValue.octets, requestData: answer.requestData.map(\.bigEndianBytes) ?? [])
    }

    private mutating func clearIDm(of index: Int) {
        guard case .feliCa(var state) = tags[index].kind else { return }
        state.idm = nil
        tags[index].kind = .feliCa(state)
    }

    private func checkedCode(_ bytes: [UInt8]) throws(PhoneError) -> SystemCode {
        guard bytes.count == 2 else {
            throw PhoneError(
                .invalidParameterLength,
                reason: "a system code has two bytes, the high one first; the app sent \(bytes.count)")
        }
        let code = SystemCode(UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        guard !code.hasWildcard else {
            throw PhoneError(
                .securityViolation, reason: "system code \(code) has FF in a byte, which a phone does not poll for")
        }
        guard declaredCodes.contains(code) else {
            throw PhoneError(
                .securityViolation,
                reason: declarations.isGiven
                    ? "system code \(code) is not listed under com.apple.developer.nfc.readersession.felica.systemcodes"
                    : "no card present has system \(code), and without an Info.plist the systems of the cards present "
                        + "count as declared")
        }
        return code
    }
}
