"""Hands what `rollscope export` writes to the parsers of the tools it is written for.

    python3 tests/parsers/accept.py target/debug/rollscope

Every scenario is written whole and as a change of the one before it. The command lines are parsed and validated by the AWS
CLI, which then fails to reach an address where nothing listens; templates go through cfn-lint, configurations through an HCL
parser, patches through `kubectl patch --local`, where kubectl is installed.
"""

import contextlib
import io
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import cfnlint.api
import hcl2
from awscli.clidriver import create_clidriver

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Members that are younger than the versions of the tools in requirements.txt; each line says what those answer.
YOUNGER = ("earlySuccessCriteria", "resetOnHealthyTask", "thresholdConfiguration", "EarlySuccessCriteria",
           "ResetOnHealthyTask", "ThresholdConfiguration", "TargetType", "PRE_PRODUCTION_TRAFFIC_SHIFT")
# What a resource needs beside the settings, and a fragment does not have.
NEEDED = ("'Image' is a required", "'RoleArn' is a required", "'HookTargetArn' is a required",
          "'AlternateTargetGroupArn' is a required", "'ProductionListenerRule' is a required")
WORKLOAD = """apiVersion: apps/v1
kind: %s
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: app}]
"""


def cli(text):
    for command in text.split("\n\n"):
        said = io.StringIO()
        words = shlex.split(command.replace("\\\n", " "))[1:]
        where = ["--no-sign-request", "--region", "eu-west-1", "--endpoint-url", "http://127.0.0.1:9"]
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            create_clidriver().main(words + where)
        said = said.getvalue()
        if "Could not connect to the endpoint" not in said:
            yield said.strip()


def cloudformation(text):
    for match in cfnlint.api.lint_all(text):
        if match.rule.severity == "error" and not any(needed in match.message for needed in NEEDED):
            yield match.message


def terraform(text):
    try:
        hcl2.loads(text)
    except Exception as error:  # each parser has its own
        yield str(error)


def kubernetes(text):
    if not shutil.which("kubectl"):
        return
    kind = next(line.split()[1] for line in text.splitlines() if line.startswith("kind:"))
    with tempfile.TemporaryDirectory() as folder:
        base, patch = pathlib.Path(folder, "base.yaml"), pathlib.Path(folder, "patch.yaml")
        base.write_text(WORKLOAD % kind)
        patch.write_text(text)
        asked = ["kubectl", "patch", "--local", "-f", str(base), "--patch-file", str(patch), "-o", "yaml"]
        done = subprocess.run(asked, capture_output=True, text=True)
        if done.returncode:
            yield done.stderr.strip()


FORMS = {
    "cli": (cli, ["scenarios"]),
    "cloudformation": (cloudformation, ["scenarios"]),
    "terraform": (terraform, ["scenarios"]),
    "kubernetes": (kubernetes, ["kubernetes", "statefulset", "daemonset"]),
}


def main(program):
    os.environ["AWS_MAX_ATTEMPTS"] = "1"
    refused = 0
    for form, (parse, folders) in FORMS.items():
        texts = younger = 0
        for folder in folders:
            before = None
            for scenario in sorted((ROOT / folder).glob("*/scenario.json")):
                for base in (None, before):
                    asked = [program, "export", str(scenario), "--to", form]
                    asked += ["--base", str(base)] if base else []
                    text = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
                    if not text:
                        continue
                    texts += 1
                    for said in parse(text):
                        if any(name in said for name in YOUNGER):
                            younger += 1
                        else:
                            refused += 1
                            print(f"{scenario.parent.name} ({form}): {said}\n{text}")
                before = scenario
        print(f"{form}: {texts} texts, {younger} answers about members younger than the tool")
        if not texts:
            refused += 1
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main(sys.argv[1])
