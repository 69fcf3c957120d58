import TapWire

/// What befalls a tag from elsewhere than a reader's commands: it lost power for a moment, or was made otherwise.
extension NTAGCard {
    /// Ends the selection, as any error does: IDLE, or HALT where the selection began there.
    public mutating func loseSelection() {
        pendingPage = nil
        _ = fallBack()
    }

    /// Forgets that the password was given, and stays selected.
    public mutating func loseAuthentication() {
        state.forgetAuthentication()
    }

    /// Puts a page into memory, whatever locks and passwords let a reader do; outside the memory nothing happens.
    ///
    /// What the page governs acts when the tag is selected again.
    public mutating func replacePage(_ page: Int, with data: PageData) {
        switch page {
        case layout.passwordPage: (password, isPasswordKnown) = (data, true)
        case layout.packPage: packPage = data
        case pages.indices: pages[page] = data
        default: break
        }
    }
}
