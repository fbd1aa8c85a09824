#!/usr/bin/env python3
"""Checks a certificate of `parley certificate` with the key set of the service, and prints what it says. Needs `cryptography`.

    verify_certificate.py cert.json jwks.json     exit code 0: a key of the set has signed it. 1: it does not count.

It reads the types of what was signed, and leaves its members to who uses them.
"""

import base64
import json
import re
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"
TYPES = ("https://in-toto.io/Statement/v1", "https://github.com/parley-dev/parley/certification/v1")
# The spare bits of the last letter are 0: a key has one spelling.
PUBLIC_KEY = re.compile("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
P = 2**255 - 19
Y8 = 0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL = (0, 1, P - 1, Y8, P - Y8)  # the y of points of small order, for which anybody can sign


def read(text):
    return json.loads(text, parse_constant=int)  # int refuses NaN and Infinity, which are no JSON


def content(path):
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        return read(file.read())


def verifies(key, signature, signed):
    if (key.get("kty"), key.get("crv")) != ("OKP", "Ed25519") or not PUBLIC_KEY.fullmatch(str(key.get("x"))):
        return False
    point = base64.urlsafe_b64decode(key["x"] + "=")
    try:
        Ed25519PublicKey.from_public_bytes(point).verify(signature, signed)
    except InvalidSignature:
        return False
    return int.from_bytes(point, "little") % 2**255 % P not in SMALL


def statement_of(envelope, keys):
    """What a key of the set has signed. The id of a key in the envelope is a hint, so it is not read."""
    payload = base64.b64decode(envelope["payload"], validate=True)
    signatures = [base64.b64decode(signature["sig"], validate=True) for signature in envelope["signatures"]]
    signed = b"DSSEv1 %d %s %d %s" % (len(PAYLOAD_TYPE), PAYLOAD_TYPE.encode(), len(payload), payload)
    if envelope["payloadType"] != PAYLOAD_TYPE or len(signatures) > 20 or len(keys) > 1000:
        raise ValueError("it has another type, or too many signatures or keys")
    if not any([verifies(key, signature, signed) for key in keys for signature in signatures]):
        raise ValueError("no key of the set has signed this certificate")
    statement = read(payload.decode())
    if (statement["_type"], statement["predicateType"]) != TYPES:
        raise ValueError("what is signed is no certification of Parley")
    return statement


def main(certificate, key_set):
    try:
        statement = statement_of(content(certificate), content(key_set)["keys"])
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as fault:
        sys.exit(f"WRONG  {fault}")
    print(json.dumps(statement, indent=2))  # in ASCII: no letter of the certificate changes the terminal


if __name__ == "__main__":
    main(*sys.argv[1:])
