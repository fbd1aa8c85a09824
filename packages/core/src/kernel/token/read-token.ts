import { LRUCache } from 'lru-cache';
import { sha256Hex } from '../text/sha256.ts';
import { type Bucket, bucketOf } from './rate-windows.ts';
import { sessionOfSecret } from './token.ts';

/** The facts that the text of a token contains. */
export interface TokenFacts {
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string;
  /** The bucket in which requests with this token are counted. */
  readonly bucket: Bucket;
  /** The session of the token. Null if this installation did not issue the token. */
  readonly sessionId: string | null;
}

/**
 * Maximum number of tokens whose facts are cached. The least recently used facts are removed and computed again when they are
 * needed.
 */
const MAX_TOKENS = 20_000;

/**
 * Returns a function that reads the facts in the text of a token. The facts of tokens that this installation issued are cached,
 * because computing hash and checksum takes longer than finding the session. Facts of forged tokens are not cached, so they evict
 * no entry.
 *
 * @param key the secret of the installation
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
