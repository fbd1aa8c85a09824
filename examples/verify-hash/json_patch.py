"""The operations add, replace and remove of RFC 6902. The diff of a revision contains no other operations."""

import copy


def apply(document, ops):
    """Returns a new JSON value; the given value is not changed. Raises ValueError if an operation cannot be applied to it."""
    root = {"": copy.deepcopy(document)}
    for op in ops:
        _apply_one(root, op)
    return root[""]


def _apply_one(root, op):
    names = op["path"].split("/")
    if names[0] != "":
        raise ValueError("a path must begin with a slash: " + op["path"])
    parent = root
    for name in names[:-1]:
        parent = parent[_key(parent, _unescaped(name), len(parent) - 1 if isinstance(parent, list) else None)]
    name = _unescaped(names[-1])
    kind = op["op"]
    if kind == "add":
        _add(parent, name, copy.deepcopy(op["value"]))
    elif kind == "replace":
        parent[_key(parent, name, len(parent) - 1)] = copy.deepcopy(op["value"])
    elif kind == "remove":
        del parent[_key(parent, name, len(parent) - 1)]
    else:
        raise ValueError("unknown operation " + kind)


def _add(parent, name, value):
    if isinstance(parent, list):
        parent.insert(len(parent) if name == "-" else _key(parent, name, len(parent)), value)
    else:
        parent[name] = value


def _key(parent, name, last):
    if isinstance(parent, list):
        if not name.isascii() or not name.isdigit() or int(name) > last:
            raise ValueError("no such index: " + name)
        return int(name)
    if not isinstance(parent, dict) or name not in parent:
        raise ValueError("no such member: " + name)
    return name


def _unescaped(name):
    return name.replace("~1", "/").replace("~0", "~")
