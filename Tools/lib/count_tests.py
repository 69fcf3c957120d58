"""Prints "PASSED FAILED" from a test report in JUnit's XML, named first, and writes what failed into the file named second."""

import sys
import xml.etree.ElementTree

# Longest message told, in characters; the log has the whole of it.
LONGEST = 500

total = skipped = 0
failures = []
for suite in xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testsuite"):
    total += int(suite.get("tests", 0))
    for case in suite.iter("testcase"):
        reasons = [failure.get("message", "").strip()[:LONGEST] for failure in case.iter("failure")]
        if reasons:
            failures.append("\n    ".join([f"FAILED: {case.get('classname')} {case.get('name')}", *reasons]))
        skipped += case.find("skipped") is not None
if total == 0:
    sys.exit("the report holds no tests")
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.writelines(failure + "\n" for failure in failures)
print(total - skipped - len(failures), len(failures))
