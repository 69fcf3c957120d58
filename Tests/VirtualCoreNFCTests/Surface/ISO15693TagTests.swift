import CoreNFC
import Testing

@Suite("An app's own ISO 15693 tag")
struct ISO15693TagSuite {
    let double = ISO15693Double()
    let flags: NFCISO15693RequestFlag = [.highDataRate, .address]

    @Test("answers the async forms of blocks through its handlers")
    func blocks() async throws {
        let tag: NFCISO15693Tag = double
        #expect(try await tag.readSingleBlock(requestFlags: flags, blockNumber: 7) == Data([7]))
        try await tag.writeSingleBlock(requestFlags: flags, blockNumber: 1, dataBlock: Data(count: 4))
        try await tag.lockBlock(requestFlags: flags, blockNumber: 2)
        let range = NSRange(location: 0, length: 3)
        #expect(try await tag.readMultipleBlocks(requestFlags: flags, blockRange: range).count == 3)
        try await tag.writeMultipleBlocks(requestFlags: flags, blockRange: range, dataBlocks: [Data()])
        #expect(try await tag.extendedReadSingleBlock(requestFlags: flags, blockNumber: 0x102) == Data([1, 2]))
        try await tag.extendedWriteSingleBlock(requestFlags: flags, blockNumber: 300, dataBlock: Data())
        try await tag.extendedLockBlock(requestFlags: flags, blockNumber: 300)
        #expect(try await tag.extendedReadMultipleBlocks(requestFlags: flags, blockRange: range) == [Data([9])])
        #expect(
            double.calls == [
                "read 34", "write 1 4", "lock 2", "read several", "write several 1", "extended read", "extended write",
                "extended lock", "extended read several",
            ])
    }

    @Test("answers the async forms of its state through its handlers")
    func state() async throws {
        let tag: NFCISO15693Tag = double
        try await tag.stayQuiet()
        try await tag.select(requestFlags: flags)
        try await tag.resetToReady(requestFlags: flags)
        try await tag.writeAFI(requestFlags: flags, afi: 5)
        try await tag.lockAFI(requestFlags: flags)
        try await tag.writeDSFID(requestFlags: flags, dsfid: 6)
        try await tag.lockDSFID(requestFlags: flags)
        let range = NSRange(location: 0, length: 2)
        #expect(try await tag.getMultipleBlockSecurityStatus(requestFlags: flags, blockRange: range) == [0, 1])
        let answer = try await tag.customCommand(
            requestFlags: flags, customCommandCode: 0xA0, customRequestParameters: Data([8]))
        #expect(answer == Data([8]))
        #expect(
            double.calls == [
                "quiet", "select", "reset", "AFI 5", "lock AFI", "DSFID 6", "lock DSFID", "status", "custom 160",
            ])
    }

    @Test("returns its system information through both names of the call")
    func systemInfo() async throws {
        let tag: NFCISO15693Tag = double
        let info = try await tag.systemInfo(requestFlags: flags)
        #expect(info.uniqueIdentifier == tag.identifier && info.dataStorageFormatIdentifier == 1)
        #expect((info.applicationFamilyIdentifier, info.blockSize, info.totalBlocks, info.icReference) == (2, 4, 28, 3))
        double.error = NFCReaderError(.readerTransceiveErrorTagResponseError)
        await #expect(throws: NFCReaderError(.readerTransceiveErrorTagResponseError)) {
            try await tag.systemInfo(requestFlags: flags)
        }
    }

    @Test("returns results")
    func results() {
        let tag: NFCISO15693Tag = double
        var data: Data?
        tag.readSingleBlock(requestFlags: flags, blockNumber: 3, resultHandler: { data = try? $0.get() })
        #expect(data == Data([3]))
        var blocks: [Data]?
        let range = NSRange(location: 0, length: 2)
        tag.readMultipleBlocks(requestFlags: flags, blockRange: range, resultHandler: { blocks = try? $0.get() })
        #expect(blocks?.count == 2)
        tag.extendedReadSingleBlock(requestFlags: flags, blockNumber: 1, resultHandler: { data = try? $0.get() })
        #expect(data == Data([0, 1]))
        tag.customCommand(requestFlags: flags, customCommandCode: 0xA1, customRequestParameters: Data([4])) {
            (result: Result<Data, Error>) in data = try? result.get()
        }
        #expect(data == Data([4]))
        var info: NFCISO15693SystemInfo?
        tag.getSystemInfo(requestFlags: flags) { (result: Result<NFCISO15693SystemInfo, Error>) in
            info = try? result.get()
        }
        #expect(info?.totalBlocks == 28)
    }

    @Test("fails unimplemented calls with error 1")
    func unsupported() async {
        let tag: NFCISO15693Tag = double
        let range = NSRange(location: 0, length: 2)
        let unsupported = { (error: Error) in (error as? NFCReaderError)?.code == .readerErrorUnsupportedFeature }
        await #expect(
            performing: { try await tag.fastReadMultipleBlocks(requestFlags: flags, blockRange: range) },
            throws: unsupported)
        await #expect(
            performing: { try await tag.extendedFastReadMultipleBlocks(requestFlags: flags, blockRange: range) },
            throws: unsupported)
        await #expect(
            performing: {
                try await tag.extendedWriteMultipleBlocks(requestFlags: flags, blockRange: range, dataBlocks: [])
            }, throws: unsupported)
        await #expect(
            performing: { try await tag.authenticate(requestFlags: flags, cryptoSuiteIdentifier: 0, message: Data()) },
            throws: unsupported)
        await #expect(
            performing: { try await tag.keyUpdate(requestFlags: flags, keyIdentifier: 0, message: Data()) },
            throws: unsupported)
        await #expect(
            performing: { try await tag.challenge(requestFlags: flags, cryptoSuiteIdentifier: 0, message: Data()) },
            throws: unsupported)
        await #expect(performing: { try await tag.readBuffer(requestFlags: flags) }, throws: unsupported)
        await #expect(
            performing: {
                try await tag.extendedGetMultipleBlockSecurityStatus(requestFlags: flags, blockRange: range)
            }, throws: unsupported)
        await #expect(
            performing: { try await tag.sendRequest(requestFlags: 2, commandCode: 0x20, data: nil) },
            throws: unsupported)
        let error = NFCReaderError(.readerErrorUnsupportedFeature)
        #expect(error.errorCode == 1)
    }

    @Test("accepts the settings of iOS 11, which are copied unchanged")
    func configurations() async throws {
        let tag: NFCISO15693Tag = double
        let custom = NFCISO15693CustomCommandConfiguration(
            manufacturerCode: 4, customCommandCode: 0xA0, requestParameters: nil, maximumRetries: 3, retryInterval: 0.5)
        #expect(try await tag.sendCustomCommand(commandConfiguration: custom) == Data())
        let copy = try #require(custom.copy() as? NFCISO15693CustomCommandConfiguration)
        #expect(copy !== custom && copy.maximumRetries == 3 && copy.retryInterval == 0.5 && copy.manufacturerCode == 4)
        let read = NFCISO15693ReadMultipleBlocksConfiguration(range: NSRange(location: 1, length: 5), chunkSize: 2)
        #expect(try await tag.readMultipleBlock(readConfiguration: read).count == 5)
        let readCopy = try #require(read.copy() as? NFCISO15693ReadMultipleBlocksConfiguration)
        #expect(readCopy.range.location == 1 && readCopy.chunkSize == 2 && readCopy.maximumRetries == 0)
    }
}
