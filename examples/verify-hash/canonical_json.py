"""RFC 8785 (JSON Canonicalization Scheme), in Python with only the standard library.

Run as a program, it reads one JSON value per line and writes the canonical form of each on a separate line.
"""

import hashlib
import json
import sys
from decimal import Decimal

SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def parse(text):
    """Parses JSON. Refuses an object with a repeated member, because parsers differ in which of its values they use."""
    return json.loads(text, object_pairs_hook=_members, parse_constant=_refuse_constant)


def canonical(value):
    """Returns the canonical text of a value that `parse` returned. Raises ValueError if the value has no canonical form."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    names = sorted(value, key=_utf16)
    return "{" + ",".join(string(name) + ":" + canonical(value[name]) for name in names) + "}"


def number(value):
    """Formats a number like Number.prototype.toString of ECMAScript (ECMA-262, 6.1.6.1.20)."""
    try:
        double = float(value)
    except OverflowError:
        double = float("inf")
    if double != double or double in (float("inf"), float("-inf")):
        raise ValueError("a number outside the range of a double has no canonical form")
    if double == 0:
        return "0"
    # repr returns the shortest digits that are parsed as the same double, as ECMAScript requires.
    sign, digits, exponent = Decimal(repr(double)).normalize().as_tuple()
    text = "".join(map(str, digits))
    return ("-" if sign else "") + _placed(text, len(text) + exponent)


def _placed(digits, point):
    """Formats digits with the decimal point after the first `point` of them, with or without exponent as ECMAScript does."""
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    power = point - 1
    mantissa = digits if len(digits) == 1 else digits[0] + "." + digits[1:]
    return mantissa + "e" + ("+" if power > 0 else "-") + str(abs(power))


def string(text):
    _utf16(text)
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _escaped(letter):
    return SHORT_ESCAPES.get(letter) or ("\\u%04x" % ord(letter) if letter < " " else letter)


def _utf16(text):
    """Returns the key by which members are sorted: their UTF-16 code units. Raises a ValueError for a lone surrogate."""
    return text.encode("utf-16-be")


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def canonical_hash(value):
    return sha256(canonical(value))


def _members(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("an object names a member twice")
    return members


def _refuse_constant(name):
    raise ValueError(name + " is not JSON")


def _form_of(line):
    try:
        return canonical(parse(line))
    except ValueError as error:
        return "refused: " + str(error)


if __name__ == "__main__":
    for given in sys.stdin.buffer.read().decode("utf-8").split("\n"):
        if given:
            sys.stdout.buffer.write((_form_of(given) + "\n").encode("utf-8"))
