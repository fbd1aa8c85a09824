#!/usr/bin/env python3
"""Computes every hash of a session again from data that an agent can read over REST, and compares it with the given hash.

    PARLEY_TOKENS='prt_… prt_…' verify_hash.py --base-url http://127.0.0.1:4100/api/public/agent --session ID
    verify_hash.py --answers answers.json
    verify_hash.py --log session.jsonl

Exit code 0: all values are right. 1: a value is wrong. 2: there was nothing to compare, or the data could not be read.
"""

import argparse
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True

import canonical_json  # noqa: E402
import event_log  # noqa: E402
import json_patch  # noqa: E402

ROUTES = {
    "get_final_plan": "plan",
    "get_revision_diff": "contract/diff",
    "list_artifacts": "artifacts",
    "fetch_artifact": "artifacts/fetch",
}


class Checks:
    """Prints a line for each compared value, and counts the right and the wrong values."""

    def __init__(self):
        self.right = 0
        self.wrong = 0

    def equal(self, name, computed, claimed):
        if computed == claimed:
            self.right += 1
            print("ok     %-44s %s" % (name, computed))
        else:
            self.wrong += 1
            print("WRONG  %-44s computed %s, the service sent %s" % (name, computed, claimed))

    def fail(self, name, problem):
        self.wrong += 1
        print("WRONG  %-44s %s" % (name, problem))


def fetch_answers(base_url, session, tokens):
    """Makes the calls with each token. Returns a list of {"by", "tool", "input", "answer"}."""
    calls = []
    for place, token in enumerate(tokens, start=1):
        def ask(tool, **given):
            answer = get(base_url, session, token, ROUTES[tool], given)
            calls.append({"by": "token %d" % place, "tool": tool, "input": given, "answer": answer})
            return answer

        revision = ask("get_final_plan")["revision_id"]
        while revision is not None:
            revision = ask("get_revision_diff", revision_id=revision, exact="true")["parent_id"]
        listing = ask("list_artifacts")
        own = {artifact["filename"] for artifact in listing["artifacts"]}
        for artifact in (listing["manifest"] or {"artifacts": []})["artifacts"]:
            if artifact["filename"] in own or not artifact["assigned_to"]:
                ask("fetch_artifact", filename=artifact["filename"])
    return calls


def get(base_url, session, token, route, query):
    path = "%s/sessions/%s/%s" % (base_url.rstrip("/"), urllib.parse.quote(session, safe=""), route)
    url = path + ("?" + urllib.parse.urlencode(query) if query else "")
    request = urllib.request.Request(url, headers={"Authorization": "Bearer " + token})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return canonical_json.parse(response.read().decode("utf-8"))
    except urllib.error.HTTPError as error:
        raise OSError("%s answered %d: %s" % (route, error.code, error.read(500).decode("utf-8", "replace")))


def check_all(calls, checks):
    for by in sorted({call["by"] for call in calls}):
        own = [call for call in calls if call["by"] == by]
        answers = {tool: [call["answer"] for call in own if call["tool"] == tool] for tool in ROUTES}
        print("\n%s" % by)
        contracts = check_revisions(answers, checks)
        for listing in answers["list_artifacts"]:
            if listing["manifest"] is not None:
                check_manifest(listing, answers["fetch_artifact"], contracts, checks)


def check_revisions(answers, checks):
    """Rebuilds every revision from the diffs, beginning with an empty contract. Returns the contracts by content_hash."""
    contracts = {}
    rebuilt = {None: ({}, None)}
    for diff in sorted(answers["get_revision_diff"], key=lambda one: int(one["revision_id"][2:])):
        name = "content_hash %s (from its diff)" % diff["revision_id"]
        parent, parent_hash = rebuilt.get(diff["parent_id"], (None, None))
        if parent is None:
            checks.fail(name, "its parent %s is missing" % diff["parent_id"])
            continue
        try:
            contract = json_patch.apply(parent, diff["ops"])
        except (KeyError, TypeError, ValueError) as error:
            checks.fail(name, "its operations cannot be applied to the parent: %s" % error)
            continue
        computed = canonical_json.canonical_hash(contract)
        checks.equal(name, computed, diff["content_hash"])
        if parent_hash is not None:
            checks.equal("parent_content_hash of %s" % diff["revision_id"], parent_hash, diff["parent_content_hash"])
        rebuilt[diff["revision_id"]] = (contract, computed)
        contracts[computed] = contract
    for plan in answers["get_final_plan"]:
        if plan["contract"] is not None:
            computed = canonical_json.canonical_hash(plan["contract"])
            checks.equal("content_hash %s (from its contract)" % plan["revision_id"], computed, plan["content_hash"])
            contracts[computed] = plan["contract"]
    return contracts


def check_manifest(listing, fetched, contracts, checks):
    manifest = listing["manifest"]
    rest = {name: value for name, value in manifest.items() if name != "manifest_sha256"}
    checks.equal("manifest_sha256", canonical_json.canonical_hash(rest), manifest["manifest_sha256"])
    named = {artifact["filename"]: artifact for artifact in manifest["artifacts"]}
    for artifact in listing["artifacts"]:
        claimed = named.get(artifact["filename"], {})
        checks.equal("%s (in the list)" % artifact["filename"], artifact["sha256"], claimed.get("sha256"))
        checks.equal("%s (bytes in the list)" % artifact["filename"], artifact["bytes"], claimed.get("bytes"))
    contents = {artifact["filename"]: artifact["content"] for artifact in fetched}
    for artifact in fetched:
        check_artifact(artifact, named.get(artifact["filename"]), checks)
    check_documents(manifest, contents, checks)
    contract = contracts.get(manifest["content_hash"])
    if contract is None:
        checks.fail("content_hash of the manifest", "no revision that was read has the hash %s" % manifest["content_hash"])
        return
    checks.equal("shared_contract_sha256 (from the contract)", canonical_json.canonical_hash(contract),
                 manifest["shared_contract_sha256"])
    for artifact in contract["artifacts"]:
        claimed = named.get(artifact["filename"], {}).get("sha256")
        checks.equal("%s (from the contract)" % artifact["filename"], canonical_json.sha256(artifact["content"]), claimed)


def check_artifact(artifact, named, checks):
    name = artifact["filename"]
    if named is None:
        checks.fail(name, "the manifest does not name it")
        return
    computed = canonical_json.sha256(artifact["content"])
    checks.equal(name, computed, artifact["sha256"])
    checks.equal("%s (in the manifest)" % name, computed, named["sha256"])
    checks.equal("%s (bytes)" % name, len(artifact["content"].encode("utf-8")), named["bytes"])


def check_documents(manifest, contents, checks):
    """Checks the two artifacts for which the manifest has a separate hash. Their content is canonical JSON."""
    for filename, member in (("shared-contract.json", "shared_contract_sha256"), ("handshake.json", "handshake_sha256")):
        if filename not in contents:
            checks.fail(member, "%s was not fetched" % filename)
            continue
        checks.equal(member, canonical_json.canonical_hash(canonical_json.parse(contents[filename])), manifest[member])
        checks.equal("%s (without parsing)" % member, canonical_json.sha256(contents[filename]), manifest[member])


def read_saved(files):
    calls = []
    for file in files:
        with open(file, encoding="utf-8") as opened:
            calls += canonical_json.parse(opened.read())
    return calls


def check_answers(options, tokens, checks):
    calls = read_saved(options.answers) if options.answers else fetch_answers(options.base_url, options.session, tokens)
    if options.save:
        with open(options.save, "w", encoding="utf-8") as opened:
            opened.write(canonical_json.canonical(calls))
    check_all(calls, checks)


def main():
    parser = argparse.ArgumentParser(description="Computes every hash of a session again from data that agents can read.")
    parser.add_argument("--base-url", help="the agent REST prefix; its path ends in /api/public/agent")
    parser.add_argument("--session", help="the session_id")
    parser.add_argument("--save", metavar="FILE", help="also store the answers in this file, for --answers")
    parser.add_argument("--answers", metavar="FILE", nargs="+", help="check saved answers instead of a server")
    parser.add_argument("--log", metavar="FILE", help="check a log that parley export-log wrote, and print who approved")
    options = parser.parse_args()
    tokens = os.environ.get("PARLEY_TOKENS", "").split()
    if not options.log and not options.answers and not (options.base_url and options.session and tokens):
        parser.error("give --log, or --answers, or --base-url, --session and the environment variable PARLEY_TOKENS")
    checks = Checks()
    try:
        if options.log:
            with open(options.log, encoding="utf-8") as lines:
                event_log.check_log(lines, checks)
        else:
            check_answers(options, tokens, checks)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print("cannot be checked: %s: %s" % (type(error).__name__, error), file=sys.stderr)
        return 2
    print("\n%d values right, %d wrong" % (checks.right, checks.wrong))
    return 1 if checks.wrong else 0 if checks.right else 2


if __name__ == "__main__":
    sys.exit(main())
