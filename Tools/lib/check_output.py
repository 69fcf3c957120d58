"""Holds documents against definitions of a JSON Schema.

usage: check_output.py SCHEMA < LINES

A line is the name of a definition, where the document comes from, and the document, with tabs between. Prints what is wrong, and ends with exit code 1 if anything is.
"""

import json
import sys

import jsonschema


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    definitions = schema["definitions"]
    wrong = lines = 0
    for line in sys.stdin:
        name, origin, document = line.split("\t", 2)
        lines += 1
        validator = jsonschema.Draft7Validator({"$ref": f"#/definitions/{name}", "definitions": definitions})
        for error in validator.iter_errors(json.loads(document)):
            # What the choice that comes nearest says tells more than that none fits.
            error = jsonschema.exceptions.best_match([error])
            print(f"{origin}: {error.message[:300]} at {list(error.absolute_path)}")
            wrong += 1
    sys.exit(1 if wrong or not lines else 0)


main()
