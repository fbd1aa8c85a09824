#!/usr/bin/env python3
"""Checks a certificate of `parley certificate` with the key set of the service, and prints what it says. Needs `cryptography`.

    verify_certificate.py cert.json jwks.json     exit code 0: the signature is right. 1: it is not.
"""

import base64
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PAYLOAD_TYPE = "application/vnd.in-toto+json"


def is_signed(envelope, payload, keys):
    signed = b"DSSEv1 %d %s %d %s" % (len(PAYLOAD_TYPE), PAYLOAD_TYPE.encode(), len(payload), payload)
    for key in (key for key in keys if key.get("crv") == "Ed25519"):
        public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key["x"] + "="))
        for signature in envelope["signatures"]:
            try:
                public.verify(base64.b64decode(signature["sig"]), signed)
                return True
            except InvalidSignature:
                continue
    return False


def main(certificate, key_set):
    envelope = json.load(open(certificate, encoding="utf-8"))
    payload = base64.b64decode(envelope["payload"])
    keys = json.load(open(key_set, encoding="utf-8"))["keys"]
    if envelope["payloadType"] != PAYLOAD_TYPE or not is_signed(envelope, payload, keys):
        sys.exit("WRONG  no key of the set has signed this certificate")
    print(json.dumps(json.loads(payload), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
