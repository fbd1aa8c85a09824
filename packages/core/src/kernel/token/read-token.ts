import { LRUCache } from 'lru-cache';
import { sha256Hex } from '../sha256.ts';
import { type Bucket, bucketOf } from './rate-windows.ts';
import { sessionOfSecret } from './token.ts';

/** Facts that follow from the text of a token alone. */
export interface TokenFacts {
  /** SHA-256, hex. */
  readonly tokenHash: string;
  /** Counts the requests with this token. */
  readonly bucket: Bucket;
  /** Null for a token that this installation did not issue. */
  readonly sessionId: string | null;
}

/** Size of the cache. Facts of a token that was evicted are computed again. */
const MAX_TOKENS = 20_000;

/**
 * Returns a function that reads tokens. It caches the facts of tokens of this installation: they never change, and hash
 * and checksum take longer to compute than the session takes to find. Forged tokens are not cached, so they evict nothing.
 *
 * @param key the installation secret
 */
export function createTokenReader(key: string): (token: string) => TokenFacts {
  const known = new LRUCache<string, TokenFacts>({ maxSize: MAX_TOKENS, sizeCalculation: () => 1 });
  return (token) => {
    const remembered = known.get(token);
    if (remembered) return remembered;
    const tokenHash = sha256Hex(token);
    const facts = { tokenHash, bucket: bucketOf('token', tokenHash), sessionId: sessionOfSecret('prt_', token, key) };
    if (facts.sessionId !== null) known.set(token, facts);
    return facts;
  };
}
