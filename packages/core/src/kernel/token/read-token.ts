import { LRUCache } from 'lru-cache';
import { sha256Hex } from '../sha256.ts';
import { sessionOfSecret } from './token.ts';

/** What the text of a token says without a look-up. */
export interface TokenFacts {
  /** SHA-256, hex. */
  readonly tokenHash: string;
  /** Where its requests are counted. */
  readonly bucket: string;
  /** Null for a token that this installation did not make. */
  readonly sessionId: string | null;
}

/** Tokens in use beyond this many are computed again. */
const MAX_TOKENS = 20_000;

/**
 * Builds the reader of tokens. It remembers those of this installation: hash and checksum of a token never change, and
 * computing them takes longer than finding its session. Forged ones are not remembered, so that they push nobody out.
 *
 * @param key the installation secret
 */
export function createTokenReader(key: string): (token: string) => TokenFacts {
  const known = new LRUCache<string, TokenFacts>({ maxSize: MAX_TOKENS, sizeCalculation: () => 1 });
  return (token) => {
    const remembered = known.get(token);
    if (remembered) return remembered;
    const tokenHash = sha256Hex(token);
    const facts = { tokenHash, bucket: `token:${tokenHash}`, sessionId: sessionOfSecret('prt_', token, key) };
    if (facts.sessionId !== null) known.set(token, facts);
    return facts;
  };
}
