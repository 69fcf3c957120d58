import TapTesting
import XCTest

@testable import CardReader

final class BalanceXCTests: XCTestCase {
    func testBalance() throws {
        try withVirtualNFC(.card(.suica(balance: 3120))) {
            let reader = BalanceReader()
            reader.scan()
            let end = try sessionEnd()
            XCTAssertEqual(reader.balance, 3120)
            XCTAssertNil(end.errorMessage)
        }
    }
}
