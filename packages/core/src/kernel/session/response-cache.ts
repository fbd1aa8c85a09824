/**
 * Caches the JSON text of replies of operations that define a `cacheKey`, because polling agents ask for the same reply repeatedly.
 * A cached reply is valid for one state, which the hash of its last event identifies. The reply for a later state replaces it.
 */
import { LRUCache } from 'lru-cache';
import type { SafeObserver } from '../observe/observer.ts';
import { type CacheUse, cacheUseOf, heapBytes } from '../observe/observer.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/operation.ts';
import { CachedReply, type Reply } from '../reply.ts';
import type { Role } from '../roles.ts';

export interface ResponseCache<S> {
  /** The cached reply for this state. Undefined if no reply is cached, or if the operation has no `cacheKey`. */
  find(call: Call<S>, state: S, query: CacheQuery): Reply | undefined;
  /**
   * The reply for this state: the one that another call has cached while this call loaded what the reply is made from, otherwise
   * the one that `make` returns, which is then cached. One state ends the polls of an agent together, so their reply is made once.
   */
  obtain(call: Call<S>, state: S, query: CacheQuery, make: () => Reply): Reply;
  use(): CacheUse;
}

interface CacheQuery {
  readonly role: Role;
  readonly timedOut: boolean;
}

interface CachedResponse {
  /** Hash of the last event in the state from which the reply was made. */
  readonly hash: string;
  readonly reply: Reply;
  readonly bytes: number;
}

/** Bytes that the cache counts for a reply in addition to its text. */
const ANSWER_BYTES = 300;

export function createResponseCache<S extends SessionRoot>(
  maxBytes: number,
  observer?: SafeObserver,
): ResponseCache<S> {
  const cache = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes + ANSWER_BYTES,
  });
  return {
    find(call, { head }, query) {
      const key = keyOf(call, query);
      if (key === undefined) return undefined;
      const known = cache.get(key);
      const isSame = known?.hash === head.hash;
      observer?.cacheRead('answers', isSame);
      return isSame ? known.reply : undefined;
    },
    use: () => cacheUseOf('answers', cache),
    obtain(call, { head: { hash } }, query, make) {
      const key = keyOf(call, query);
      if (key === undefined) return make();
      const known = cache.peek(key);
      if (known?.hash === hash) return known.reply;
      const reply = make();
      const { text } = reply;
      cache.set(key, { hash, reply: new CachedReply(text), bytes: heapBytes(text) });
      return reply;
    },
  };
}

/** The cache key does not contain the state, so the reply for a later state replaces the earlier reply. */
function keyOf<S>({ operation, sessionId, input }: Call<S>, { role, timedOut }: CacheQuery): string | undefined {
  const question = operation.cacheKey?.(input);
  return question === undefined ? undefined : `${sessionId} ${role} ${operation.name} ${timedOut} ${question}`;
}
