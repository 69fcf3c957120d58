import CoreNFC

/// One reading of a connected card, with result handlers: system, services, then block after block.
struct FeliCaReading {
    typealias Handler<Value> = (Result<Value, CardError>) -> Void

    let tag: NFCFeliCaTag
    let blocksAtOnce: Int

    func run<Card: FeliCaCard>(_ kind: Card.Type, then finish: @escaping Handler<Card>) {
        let failed: (CardError) -> Void = { finish(.failure($0)) }
        select(Card.systemCode, failed) {
            check(Card.reads.map(\.service), failed) {
                read(Card.reads[...], into: CardContent(), failed) { content in
                    finish(Result { try Card(idm: tag.currentIDm, content: content) }.mapError(CardError.init))
                }
            }
        }
    }

    /// Switches to a system if the card has it, because the card was found by the first matching system of the app.
    private func select(_ system: UInt16, _ failed: @escaping (CardError) -> Void, then next: @escaping () -> Void) {
        let code = Data([UInt8(system >> 8), UInt8(system & 0xFF)])
        if tag.currentSystemCode == code { return next() }
        tag.polling(systemCode: code, requestCode: .systemCode, timeSlot: .max1) {
            (result: Result<NFCFeliCaPollingResponse, Error>) in
            switch result {
            case .success(let response) where response.requestData == code: next()
            case .success, .failure(NFCReaderError.readerTransceiveErrorTagResponseError): failed(.otherCard)
            case .failure(let error): failed(CardError(error))
            }
        }
    }

    private func check(
        _ services: [UInt16], _ failed: @escaping (CardError) -> Void, then next: @escaping () -> Void
    ) {
        tag.requestService(nodeCodeList: services.map(\.littleEndianData)) { (result: Result<[Data], Error>) in
            switch result {
            case .success(let versions):
                let missing = zip(services, versions).first { $0.1 == Data([0xFF, 0xFF]) }
                if let missing = missing { failed(.serviceMissing(missing.0)) } else { next() }
            case .failure(let error): failed(CardError(error))
            }
        }
    }

    private func read(
        _ reads: ArraySlice<ServiceRead>, into content: CardContent, _ failed: @escaping (CardError) -> Void,
        then next: @escaping (CardContent) -> Void
    ) {
        guard let read = reads.first else { return next(content) }
        let done = content.blocks(of: read.service).count
        if done >= read.count { return self.read(reads.dropFirst(), into: content, failed, then: next) }
        let blocks = (done..<min(read.count, done + blocksAtOnce)).map { Data([0x80, UInt8($0)]) }
        tag.readWithoutEncryption(serviceCodeList: [read.service.littleEndianData], blockList: blocks) {
            (result: Result<(NFCFeliCaStatusFlag, [Data]), Error>) in
            switch result {
            case .success((let status, _)) where status.statusFlag1 != 0:
                failed(.status(status.statusFlag1, status.statusFlag2))
            case .success((_, let data)):
                guard !data.isEmpty else { return failed(.unreadable(read.service)) }
                var content = content
                content.blocks[read.service, default: []] += data
                self.read(reads, into: content, failed, then: next)
            case .failure(let error): failed(CardError(error))
            }
        }
    }
}

extension UInt16 {
    /// Service codes are sent to the card in little-endian order.
    fileprivate var littleEndianData: Data {
        Data([UInt8(self & 0xFF), UInt8(self >> 8)])
    }
}
