"""Tests of release.py and sbom.py: the section of the changelog, and the SBOM that follows from a linker's map."""

import json
import pathlib
import platform
import tempfile
import unittest

import release
import sbom
from packages import Program

CHANGELOG = "# Changelog\n\n{}## 1.1.0 - 2026-01-02\n\n### Added\n\n- See [docs](docs/a.md) and [this](https://a.b/c).\n\n## 1.0.0\n\n- First.\n"


class Release(unittest.TestCase):
    def test_takes_the_section_of_a_version(self):
        for head in ("", "## Unreleased\n\n"):
            self.assertEqual(release.changes_of("1.1.0", CHANGELOG.format(head)), "### Added\n\n- See docs and [this](https://a.b/c).")

    def test_refuses_a_changelog_that_does_not_fit(self):
        for version, head, message in (("1.2.0", "", "rename its heading"), ("1.1.0", "## Unreleased\n\n- New.\n\n", "move them")):
            with self.assertRaisesRegex(release.Refused, message):
                release.changes_of(version, CHANGELOG.format(head))

    def test_lists_the_libraries_of_a_map(self):
        with tempfile.TemporaryDirectory() as folder:
            package, linked, bill = (pathlib.Path(folder, name) for name in ("tapsim.deb", "map.txt", "bill.json"))
            runtime = pathlib.Path(release.output("which", "swift").strip()).resolve().parents[1] / "lib/swift_static/linux"
            archives = [*pathlib.Path("/usr/lib").glob("*/libyaml.a"), *pathlib.Path("/usr/lib").glob("*/libcrypto.a")]
            linked.write_text("".join(f"{path}(a.o)\n" for path in [*archives, runtime / "libswiftCore.a"]))
            bills = []
            for content in ("one", "one", "two"):
                package.write_text(content)
                program = Program(package, "1.1.0", (2, 29), platform.machine(), 0)
                sbom.write(program, [], linked, bill)
                bills.append(bill.read_bytes())
            content = json.loads(bills[0])
            self.assertEqual(
                {library["name"]: library["licenses"][0]["expression"] for library in content["components"]},
                {"libyaml": "MIT", "libcrypto": "Apache-2.0", "swift": "Apache-2.0 WITH Swift-exception"})
            self.assertEqual(content["metadata"]["timestamp"], "1970-01-01T00:00:00Z")
            self.assertEqual(bills[0], bills[1])
            self.assertNotEqual(content["serialNumber"], json.loads(bills[2])["serialNumber"])


if __name__ == "__main__":
    unittest.main()
