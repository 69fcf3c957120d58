"""A page in Chromium that sends a command to a reader on the USB, as often as it is told.

Arguments: the path of tapsim and the command in hex. Prints what the two transfers after the command bring, in hex; then, for
every number it is told, repeats the command as often and prints how many nanoseconds that took in the page.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "Tools/pytest"), str(ROOT / "Tests/Clients/WebUSB")]
import page
import tapsim_pytest

OPEN = """
    const [command, done] = arguments;
    (async () => {
      const [reader] = await navigator.usb.getDevices();
      await reader.open();
      await reader.selectConfiguration(1);
      await reader.claimInterface(0);
      window.ask = async () => {
        await reader.transferOut(2, Uint8Array.from(command));
        return [await reader.transferIn(1, 64), await reader.transferIn(1, 64)];
      };
      return (await ask()).flatMap(({data}) => [...new Uint8Array(data.buffer)]);
    })().then(done, error => done(String(error)));
"""
REPEAT = """
    const [rounds, done] = arguments;
    (async () => {
      const start = performance.now();
      for (let round = 0; round < rounds; round++) await ask();
      return performance.now() - start;
    })().then(done, error => done(String(error)));
"""


def run(browser, script, argument):
    result = browser.execute_async_script(script, argument)
    if isinstance(result, str):
        sys.exit("error: the page fails: " + result)
    return result


def main():
    tapsim, command = sys.argv[1:]
    origin = page.serve()
    with tapsim_pytest.webusb_browser([tapsim], origin) as browser:
        browser.set_script_timeout(60)
        browser.get(origin + "/page.js")
        print(bytes(run(browser, OPEN, list(bytes.fromhex(command)))).hex(), flush=True)
        for line in sys.stdin:
            print(run(browser, REPEAT, int(line)) * 1e6, flush=True)


if __name__ == "__main__":
    try:
        main()
    except tapsim_pytest.TapSimError as error:
        sys.exit("error: %s" % error)
