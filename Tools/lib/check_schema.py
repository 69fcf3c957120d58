"""Compares the JSON Schema of scenario files with the reader, file by file.

usage: check_schema.py TAPSIM SCHEMA FILE…

The schema must reject each file in which the reader finds a structural error (S010 to S039), and accept each file in
which it finds none. Errors that only the reader can find, such as unknown names, are ignored.
"""

import json
import subprocess
import sys

import jsonschema
import yaml


class Plain(yaml.SafeLoader):
    """Types as common YAML readers infer them, except that dates and keys stay text, as in JSON."""

    def construct_mapping(self, node, deep=False):
        return {key.value: self.construct_object(value, deep=True) for key, value in node.value}


Plain.yaml_implicit_resolvers = {
    first: [(tag, expression) for tag, expression in rules if not tag.endswith("timestamp")]
    for first, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def reader_codes(tapsim, path):
    run = subprocess.run([tapsim, "check", "--json", path], capture_output=True, text=True, check=False)
    return [entry["code"] for entry in json.loads(run.stdout) if entry["severity"] == "error"]


def main():
    tapsim, schema_path, *paths = sys.argv[1:]
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    wrong = 0
    for path in paths:
        codes = reader_codes(tapsim, path)
        if any(code < "S010" for code in codes):
            continue
        with open(path, encoding="utf-8") as file:
            document = yaml.load(file, Plain)
        errors = sorted(validator.iter_errors(document), key=str)
        is_structural = any("S010" <= code < "S040" for code in codes)
        if is_structural and not errors:
            print(f"{path}: the reader finds {', '.join(codes)}, the schema accepts the file")
            wrong += 1
        if not codes and errors:
            print(f"{path}: the reader accepts the file, the schema reports: {errors[0].message[:300]} at {list(errors[0].path)}")
            wrong += 1
    print(f"{len(paths)} files, schema and reader disagree on {wrong}")
    sys.exit(1 if wrong or not paths else 0)


main()
