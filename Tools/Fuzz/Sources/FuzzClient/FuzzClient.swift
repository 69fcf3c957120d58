import FuzzSupport

/// A template: fuzzes a client's own function, which reads over a `TagLink`, with every fault that an input chooses.
///
/// Copy this folder, and replace `Balance` with your client and the card with yours.
@c(FuzzClient_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    // Other data that a card returns with success: a single block has nothing to compare it with.
    let unseen = ["felica.zero_blocks", "felica.torn_block", "felica.cyclic_shift", "rf.flip_bits"]
    return unsafe Fuzzer.run(count, arguments, card: "suica:balance=1234", except: unseen) { link in
        try await Balance.read(from: &link)
    }
}
