import CRunPage

/// The script that plays the reader of a run that was kept to a client, where there is no TapSim.
package enum ReplayScript {
    /// The name of its file, beside the `trace.jsonl` that it reads.
    package static let fileName = "replay.py"

    /// Its text, the same for every run: Python 3.8 with nothing but its standard library.
    package static var text: String { unsafe String(cString: replay_script()) }
}
