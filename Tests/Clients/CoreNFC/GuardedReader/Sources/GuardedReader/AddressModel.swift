#if os(iOS)
    import Foundation

    /// A model of the Observation framework, with its texts in .lproj folders.
    @available(iOS 17, *)
    @Observable
    public final class AddressModel {
        public private(set) var addresses: [URL] = []

        public var title: String { String(localized: "\(addresses.count) addresses", bundle: .module) }

        func open(_ addresses: [URL]) {
            self.addresses += addresses
        }
    }
#endif
