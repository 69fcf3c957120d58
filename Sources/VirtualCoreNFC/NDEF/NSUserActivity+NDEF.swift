#if !os(iOS) || targetEnvironment(simulator) || targetEnvironment(macCatalyst)
    import Foundation

    #if !canImport(ObjectiveC)
        /// What an app is to go on with, such as a tag that was read while it was not running.
        ///
        /// Foundation on Linux has no such class; this one is made by whoever calls the app. Source: Foundation,
        /// NSUserActivity.
        open class NSUserActivity: NSObject {
            /// What kind of activity it is, such as ``NSUserActivityTypeBrowsingWeb``.
            public let activityType: String

            /// A title for the user.
            open var title: String?

            /// What the app needs to go on.
            open var userInfo: [AnyHashable: Any]?

            /// The page to go on with.
            open var webpageURL: URL?

            /// The message of the tag that was read.
            private var message = NFCNDEFMessage(records: [])

            /// Creates an activity.
            public init(activityType: String) {
                self.activityType = activityType
            }

            /// Creates the activity that a tag read in the background gives an app.
            public convenience init(activityType: String, ndefMessagePayload: NFCNDEFMessage) {
                self.init(activityType: activityType)
                message = ndefMessagePayload
            }

            /// The message of the tag that was read; one without records where none was.
            open var ndefMessagePayload: NFCNDEFMessage { message }
        }

        /// The activity of opening a page, which is also that of a tag read in the background.
        public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
    #else
        extension NSUserActivity {
            /// A message without records: no tag is read in the background here.
            @objc open var ndefMessagePayload: NFCNDEFMessage { NFCNDEFMessage(records: []) }
        }
    #endif
#endif
