import canonicalizeModule from 'canonicalize';
import { sha256Hex } from './event.ts';

// The package's types describe a CommonJS default under nodenext.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/** The RFC 8785 form of a JSON value. Throws on what JSON cannot hold (NaN, lone surrogates). */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('Not a JSON value.');
  return text;
}

/** SHA-256 (hex) of the RFC 8785 form. */
export const canonicalHash = (value: unknown): string => sha256Hex(canonicalJson(value));
