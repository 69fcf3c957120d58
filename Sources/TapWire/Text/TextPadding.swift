extension String {
    /// The text at the right end of a column of so many characters; a longer text stays whole.
    package func leftPadded(to width: Int, with filler: Character = " ") -> String {
        String(repeating: filler, count: max(0, width - count)) + self
    }

    /// The text at the left end of a column of so many characters; a longer text stays whole.
    package func rightPadded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
