#!/bin/bash -eu
# Builds the targets of Tools/Fuzz as ClusterFuzzLite and OSS-Fuzz want them: in $OUT, with seeds, dictionaries and the
# libraries that the machines which run them do not have.

. precompile_swift
options=(--package-path "$SRC/tapsim/Tools/Fuzz" --scratch-path "$WORK/tapsim" -c release -Xswiftc -enable-testing
    -Xswiftc -use-ld=lld -Xlinker -rpath -Xlinker "\$ORIGIN/lib")
# Its words are options.
# shellcheck disable=SC2086
swift build "${options[@]}" $SWIFTFLAGS
# shellcheck disable=SC2086
programs=$(swift build "${options[@]}" $SWIFTFLAGS --show-bin-path)
python3 -B "$SRC/tapsim/Tools/lib/fuzz_seeds.py" "$programs" "$OUT"
mkdir -p "$OUT/lib"
find "$OUT" -maxdepth 1 -name "Fuzz*" -executable -exec ldd {} + | sed -n 's/.*lib\(yaml\|crypto\)[^ ]* => \([^ ]*\).*/\2/p' | sort -u | xargs cp -L -t "$OUT/lib"
