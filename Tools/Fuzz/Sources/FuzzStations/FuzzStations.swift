import FuzzSupport
import TapScenario
import TapWire

/// Reads station lists from any bytes.
@c(FuzzStations_main)
func main(_ count: Int32, _ arguments: Fuzzer.Arguments?) -> Int32 {
    unsafe Fuzzer.run(count, arguments) { choices in
        do throws(StationList.Problem) {
            _ = try StationList.read(choices.rest())
        } catch {
            expect(!error.description.isEmpty, "an error says what is wrong")
        }
    }
}
