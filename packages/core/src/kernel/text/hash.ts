import { hash } from 'node:crypto';

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

/**
 * The RFC 8785 form of a JSON value: members sorted by the UTF-16 code units of their names, numbers formatted as in
 * ECMAScript. Leaves out members that are undefined, as `JSON.stringify` does.
 * @throws TypeError for a value that JSON cannot express (NaN, lone surrogates, undefined)
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return canonicalText(value);
    case 'boolean':
      return String(value);
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : refuse(`${value}`);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? `[${value.map(canonicalJson).join(',')}]` : canonicalObject(value);
    default:
      return refuse(`A value of type ${typeof value}`);
  }
}

function canonicalText(text: string): string {
  return text.isWellFormed() ? JSON.stringify(text) : refuse('A text with a lone surrogate');
}

function canonicalObject(value: object): string {
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, name);
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${canonicalText(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

function refuse(what: string): never {
  throw new TypeError(`${what} is not a JSON value.`);
}

/** SHA-256 (hex) of the RFC 8785 form of a JSON value. */
export const canonicalHash = (value: unknown): string => sha256Hex(canonicalJson(value));
