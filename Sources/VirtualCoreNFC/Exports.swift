#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    // Apple's module re-exports both, and app code that imports only Core NFC uses them.
    @_exported import Dispatch
    @_exported import Foundation
#endif
