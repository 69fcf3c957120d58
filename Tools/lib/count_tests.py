"""Prints "PASSED FAILED" from a test report in JUnit's XML, named as the only argument."""

import sys
import xml.etree.ElementTree

suites = xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testsuite")
total = failed = 0
for suite in suites:
    total += int(suite.get("tests", 0))
    failed += sum(1 for case in suite.iter("testcase") if case.find("failure") is not None)
if total == 0:
    sys.exit("the report holds no tests")
print(total - failed, failed)
