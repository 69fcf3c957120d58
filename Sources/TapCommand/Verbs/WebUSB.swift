import TapDocument
import TapReaders
import TapWire

extension Verb {
    static let webUSB = Verb(
        name: "webusb",
        usages: ["ORIGIN [--model MODEL]"],
        summary: "Print the browser settings that let a page of ORIGIN use a virtual reader over WebUSB.",
        examples: [
            Example(
                "Let a page on this machine use a virtual RC-S300",
                "tapsim webusb http://localhost:8000 --model rc-s300")
        ],
        details: """
            ORIGIN is the address that serves the page: http://localhost:8000, or https. It is
            granted all reader models with USB, or only the given one. A browser asks its user
            which device a page may use, but a test has no user. The preference grants the
            device in advance, in the browser's profile; the policy does the same for all
            profiles, and needs root. navigator.usb.requestDevice() still asks, so the script
            answers instead; run it before the page's own scripts. The client is the browser,
            or the program that starts it:

              tapsim run --card suica --transport usb --model MODEL -- pytest
            """,
        options: [
            .value("--model", "MODEL", "Grant only this reader, such as rc-s300"),
            .flag("--json", "Print a JSON document instead of text"),
        ],
        run: { arguments, context in
            let model: ReaderModel? = try arguments.word("--model")
            let devices = (model.map { [$0] } ?? ReaderModel.allCases).compactMap { $0.makeUSBReader()?.device }
            guard !devices.isEmpty else {
                throw UsageError("`--model`: `\(model?.rawValue ?? "")` is not a USB reader")
            }
            guard arguments.operands.count == 1 else {
                throw UsageError("name the origin of the page, such as http://localhost:8000")
            }
            let console = context.console
            let grant = WebUSBGrant(try WebUSBGrant.origin(arguments.operands[0]), devices)
            if arguments.isGiven("--json") {
                console.print(json: grant.node)
            } else {
                for line in grant.lines { console.print(line) }
            }
            return .passed
        })
}

/// The permission for the pages of an origin to use devices, as Chromium keeps it.
///
/// Source: Chromium, `chrome/browser/usb`, the policy WebUsbAllowDevicesForUrls; tried with Chromium 156.
struct WebUSBGrant: OutputModel {
    private let origin: String
    private let devices: [USBDevice]

    init(_ origin: String, _ devices: [USBDevice]) {
        self.origin = origin
        self.devices = devices
    }

    /// Checks that an address can be the origin of a page that may use WebUSB, and returns it: scheme, host and port.
    static func origin(_ text: String) throws(UsageError) -> String {
        let origin = text.hasSuffix("/") ? String(text.dropLast()) : text
        let parts = origin.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[1].isEmpty, !parts[2].isEmpty, ["http:", "https:"].contains(parts[0]) else {
            throw UsageError("`\(text)` is not an origin; write scheme, host and port, such as http://localhost:8000")
        }
        let host = parts[2].split(separator: ":").first.map(String.init) ?? ""
        guard parts[0] == "https:" || ["localhost", "127.0.0.1"].contains(host) else {
            throw UsageError("browsers allow WebUSB only over https or from localhost, not at `\(text)`")
        }
        return origin
    }

    private static let preference = "profile.content_settings.exceptions.usb_chooser_data"
    private static let policy = "WebUsbAllowDevicesForUrls"
    /// The browser's flags.
    ///
    /// The sandbox and a separate network process do not work with a preloaded library: tabs crash, and a forked process may
    /// wait forever.
    private static let flags = [
        "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--enable-features=NetworkServiceInProcess2",
    ]

    /// Answers like the device chooser, as if the user had picked the first matching device.
    ///
    /// Insecure pages have no WebUSB.
    private static let script = """
        if (navigator.usb) navigator.usb.requestDevice = async (options) => {
          const fits = (device, filter) => (filter.vendorId ?? device.vendorId) === device.vendorId
            && (filter.productId ?? device.productId) === device.productId;
          const filters = options?.filters ?? [];
          const found = (await navigator.usb.getDevices()).find(
            (device) => !filters.length || filters.some((filter) => fits(device, filter)));
          if (!found) throw new DOMException("No device selected.", "NotFoundError");
          return found;
        };
        """

    private var preferences: Node {
        let chosen = devices.map { device in
            Node.map([
                "name": .text(device.name), "vendor-id": .number(Int(device.vendor)),
                "product-id": .number(Int(device.product)), "serial-number": .text(device.serial),
            ])
        }
        let setting: Node = ["setting": .map(["chosen-objects": .list(chosen)])]
        let exception: Node = .map([(key: "\(origin),*", value: setting)])
        return .map([(key: Self.preference, value: exception)])
    }

    private var policies: Node {
        let numbers = devices.map { device in
            Node.map(["vendor_id": .number(Int(device.vendor)), "product_id": .number(Int(device.product))])
        }
        let rule: Node = .map(["devices": .list(numbers), "urls": .list([.text(origin)])])
        return .map([(key: Self.policy, value: .list([rule]))])
    }

    static let output = OutputTable<Self>(
        "webusb-document", "Browser settings for WebUSB",
        .always("origin", "The origin of the page", \.origin),
        .always(
            "preferences", "Preferences of the profile", as: .map(.any("a preference of Chromium")), \.preferences),
        .always(
            "policy", "A policy to use instead of the preferences", as: .map(.any("a policy of Chromium")), \.policies),
        .always("script", "JavaScript to run before the page") { _ in script },
        .always("flags", "Browser flags") { _ in flags })

    var lines: [String] {
        ["With these settings, a page of \(origin) may use:", ""]
            + devices.map { "  \($0.numbers)  \($0.manufacturer) \($0.name)" }
            + [
                "", "Preference for a new profile (Selenium: add_experimental_option(\"prefs\", …)):", "",
                JSONWriter.text(preferences, .compact), "",
                "Or, as root, a policy (/etc/chromium/policies/managed/tapsim.json):", "",
                JSONWriter.text(policies, .compact), "",
                "Script to run before the page's own (Page.addScriptToEvaluateOnNewDocument, add_init_script):", "",
                Self.script, "", "Browser flags: \(Self.flags.joined(separator: " "))",
            ]
    }
}
