"""Runs .clusterfuzzlite/build.sh as its image does, without the image, and then each target that it builds.

usage: check_cluster_fuzz.py FOLDER

Source of the replacements for the image: google/oss-fuzz, infra/base-images, base-builder and base-builder-swift.
"""

import configparser
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
C_FLAGS = ("-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -fsanitize=address "
           "-fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link")
PRECOMPILE = """export SWIFTFLAGS="-Xswiftc -parse-as-library -Xswiftc -static-stdlib --static-swift-stdlib"
SWIFTFLAGS="$SWIFTFLAGS -Xswiftc -sanitize=fuzzer,$SANITIZER --sanitize=$SANITIZER"
for flag in $CFLAGS; do SWIFTFLAGS="$SWIFTFLAGS -Xcc=$flag"; done
for flag in $CXXFLAGS; do SWIFTFLAGS="$SWIFTFLAGS -Xcxx=$flag"; done
"""
# The name by which ClusterFuzz recognizes a target.
MARK = b"LLVMFuzzerTestOneInput"
LIBRARIES = ("libyaml", "libcrypto")


def build(folder: pathlib.Path) -> pathlib.Path:
    """Builds as the image does; returns the folder of the results."""
    source, out, tools = folder / "src", folder / "out", folder / "bin"
    for path in (source, out, tools):
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
    (source / "tapsim").symlink_to(ROOT)
    (tools / "precompile_swift").write_text(PRECOMPILE, encoding="utf-8")
    environment = dict(
        os.environ, SRC=str(source), OUT=str(out), WORK=str(folder), SANITIZER="address", FUZZING_ENGINE="libfuzzer",
        CFLAGS=C_FLAGS, CXXFLAGS=C_FLAGS, PATH=f"{tools}:{os.environ['PATH']}", SWIFT_BACKTRACE="enable=no",
        ASAN_OPTIONS="detect_leaks=0")
    subprocess.run([ROOT / ".clusterfuzzlite/build.sh"], cwd=source, env=environment, check=True)
    return out


def targets() -> list[str]:
    """Returns the names of the programs of Tools/Fuzz."""
    package = subprocess.run(
        ["swift", "package", "--package-path", ROOT / "Tools/Fuzz", "dump-package"], stdout=subprocess.PIPE, check=True)
    return [target["name"] for target in json.loads(package.stdout)["targets"] if target["type"] == "executable"]


def try_target(program: pathlib.Path, folder: pathlib.Path) -> None:
    """Runs a target with its seeds and its own options."""
    assert MARK in program.read_bytes(), f"ClusterFuzz does not recognize {program} as a target: it lacks {MARK.decode()}"
    linked = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    for library in LIBRARIES:
        lines = [line for line in linked.splitlines() if library in line]
        assert all(f"{program.parent}/lib/" in line for line in lines), f"{program} has {lines}"
    options = configparser.ConfigParser()
    options.optionxform = str
    options.read(f"{program}.options", encoding="utf-8")
    with zipfile.ZipFile(f"{program}_seed_corpus.zip") as seeds:
        assert seeds.namelist(), f"{program} has no seeds"
        seeds.extractall(folder)
    words = [f"-{name}={value}" for name, value in options["libfuzzer"].items()]
    if os.path.exists(f"{program}.dict"):
        words.append(f"-dict={program}.dict")
    checked = ":".join(f"{name}={value}" for name, value in options["asan"].items())
    subprocess.run(
        [program, folder, "-max_total_time=5", *words], check=True, stderr=subprocess.DEVNULL,
        env=dict(os.environ, ASAN_OPTIONS=checked, **options["env"]))
    print(f"{program.name} runs with {len(os.listdir(folder))} inputs", flush=True)


def main() -> None:
    project = yaml.safe_load((ROOT / ".clusterfuzzlite/project.yaml").read_text(encoding="utf-8"))
    assert project["language"] == "swift" and "address" in project["sanitizers"], project
    assert project["base_os_version"] in (ROOT / ".clusterfuzzlite/Dockerfile").read_text(encoding="utf-8"), project
    folder = pathlib.Path(sys.argv[1]).absolute()
    out, wanted = build(folder), targets()
    assert {path.stem for path in out.glob("*.options")} == set(wanted), f"the built targets are not {wanted}"
    for target in wanted:
        corpus = folder / "corpus" / target
        shutil.rmtree(corpus, ignore_errors=True)
        corpus.mkdir(parents=True)
        try_target(out / target, corpus)


if __name__ == "__main__":
    main()
