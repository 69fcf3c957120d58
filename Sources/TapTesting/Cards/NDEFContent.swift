import TapScenario

/// A record of an NDEF message on a tag, in the words of a scenario file.
public struct NDEFContent: Hashable, Sendable {
    let node: Node

    /// Creates a record of the keys that a file has under `ndef`.
    public init(_ keys: KeyValuePairs<String, Node>) {
        self.init(Node(keys))
    }

    private init(_ node: Node) {
        self.node = node
    }

    /// A URI.
    public static func uri(_ uri: String) -> NDEFContent { NDEFContent(Node.map(["uri": .text(uri)])) }

    /// A text; in English where no language is named.
    public static func text(_ text: String, language: String? = nil) -> NDEFContent {
        NDEFContent(Node.map(["text": .text(text), "lang": language.map(Node.text)]))
    }

    /// Data of a media type, such as `text/plain`, as UTF-8 text.
    public static func mime(_ type: String, body: String) -> NDEFContent {
        NDEFContent(Node.map(["mime": .text(type), "body": .text(body)]))
    }

    /// Data of an external type, such as `example.com:x`, in hexadecimal.
    public static func external(_ type: String, payload: String) -> NDEFContent {
        NDEFContent(Node.map(["external": .text(type), "payload": .text(payload)]))
    }
}
