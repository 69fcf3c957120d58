#if os(iOS)
    import UIKit

    /// An app that is opened by a tag that the phone read in the background.
    @available(iOS 17, *)
    public final class TagAppDelegate: UIResponder, UIApplicationDelegate {
        public let model = AddressModel()

        public func application(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
        ) -> Bool {
            guard userActivity.activityType == NSUserActivityTypeBrowsingWeb else { return false }
            model.open(userActivity.ndefMessagePayload.records.compactMap { $0.wellKnownTypeURIPayload() })
            return true
        }
    }
#endif
