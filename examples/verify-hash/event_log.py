"""Checks the hash chain of a log that `parley export-log` wrote, and tells which people approved and authorized."""

import canonical_json

# The steps that only an approver can take. approval.given is the first of two approvals.
STEPS = ("approval.given", "contract.approved", "build.authorized", "deployment.authorized", "activation.authorized")
BEFORE_THE_FIRST = "0" * 64


def check_log(lines, checks):
    """Compares the hash of each event and its place in the chain. Prints who took each step of the owner."""
    previous, seq = BEFORE_THE_FIRST, 0
    for seq, line in enumerate(lines, start=1):
        entry = canonical_json.parse(line)
        event = canonical_json.parse(entry["event"])
        name = "event %d, %s" % (seq, event["kind"])
        if (event["seq"], event["prev_hash"]) != (seq, previous):
            checks.fail(name, "it does not follow the event before it")
            return
        checks.equal(name, canonical_json.sha256(entry["event"]), entry["hash"])
        previous = entry["hash"]
        if event["kind"] in STEPS:
            print("       %s" % by(event.get("person")))
    print("\nhead %d:%s" % (seq, previous))


def by(person):
    return "by %s (%s)" % (person["name"], person["id"]) if person else "by the owner, who is not named"
