import TapTesting
import Testing

/// Parts of tests that run outside of Swift Testing, as in XCTest.
struct OutsideTests {
    @Test func anUnmetExpectationIsThrown() async {
        let error = await outside {
            try await withVirtualNFC(.card(.suica()), .fault("rf.lose_tag", when: "felica.write")) {}
        }
        #expect(error?.description.contains("in XCTest call withVirtualNFC of the test case") == true)
    }

    @Test func aWrongTraitIsThrown() async {
        let error = await outside {
            try await withVirtualNFC(.card("siuca")) { Issue.record("the body must not run") }
        }
        #expect(error?.description.contains("siuca") == true)
    }

    @Test func aMetExpectationIsNotThrown() async {
        let error = await outside { try await withVirtualNFC(.card(.suica())) {} }
        #expect(error == nil)
    }

    private func outside(_ body: @escaping @Sendable () async throws -> Void) async -> VirtualNFCError? {
        await Task.detached {
            do {
                try await body()
                return nil
            } catch {
                return error as? VirtualNFCError
            }
        }.value
    }
}
