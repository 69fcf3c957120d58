"""The libraries that users import, and their symbol graphs, for check_api.py and check_docs.py."""

import concurrent.futures
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The compiler options that find the modules of the debug build, and the C modules that they depend on.
SEARCH_PATHS = ["-I", str(ROOT / ".build/debug/Modules"),
                *(f"-I{path.parent}" for path in sorted(ROOT.glob("Sources/**/module.modulemap")))]


def read_json(*command: str) -> dict:
    return json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)


def libraries() -> tuple[list[str], list[str]]:
    """Returns the libraries that users import and the internal ones, whose names begin with an underscore or are no product's."""
    package = read_json("swift", "package", "dump-package")
    targets = [target["name"] for target in package["targets"] if target["type"] == "regular" and "path" not in target
               and any((ROOT / "Sources" / target["name"]).rglob("*.swift"))]
    products = {product["name"] for product in package["products"] if "library" in product["type"]}
    return [name for name in targets if name in products], [name for name in targets if name not in products]


def extract(names: list[str], output: pathlib.Path) -> None:
    """Writes the symbol graphs of modules, each into a folder of its own."""
    options = ["-target", read_json("swift", "-print-target-info")["target"]["triple"], *SEARCH_PATHS,
               "-minimum-access-level", "public", "-skip-synthesized-members"]

    def write(name: str) -> None:
        (output / name).mkdir(parents=True)
        subprocess.run(["swift-symbolgraph-extract", "-module-name", name, "-output-dir", output / name, *options], check=True)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(write, names))
