import TapWire
import Testing

@Suite struct `What GET_VERSION tells of an NTAG21x` {
    @Test(arguments: NTAGProduct.allCases) func `names the IC that answers it`(product: NTAGProduct) {
        #expect(NTAGProduct(product.version) == product)
    }

    @Test func `names the IC of a clone with another vendor byte`() {
        var version = NTAGProduct.ntag215.version
        version.vendor = 0x53
        #expect(NTAGProduct(version) == .ntag215)
    }

    @Test func `names no IC for MIFARE Ultralight EV1 and for sizes nobody makes`() {
        #expect(NTAGProduct(GetVersion.Response(0x0004_0301_0100_0B03)) == nil)
        #expect(NTAGProduct(GetVersion.Response(0x0004_0402_0100_0B03)) == nil)
    }
}
