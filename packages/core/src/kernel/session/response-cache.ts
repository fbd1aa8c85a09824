import { LRUCache } from 'lru-cache';
import { type CacheUse, heapBytes, useOf } from '../observe/cache-use.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/domain.ts';
import { CachedReply, type Reply } from '../reply.ts';
import type { Role } from '../roles.ts';

/**
 * Texts of answers that depend on nothing but state, role and input, as their operation says by `cacheKey`. Agents that
 * poll ask for the same one again and again.
 */
export interface ResponseCache<S> {
  find(call: Call<S>, state: S, query: CacheQuery): Reply | undefined;
  keep(call: Call<S>, state: S, query: CacheQuery, reply: Reply): void;
  use(): CacheUse;
}

export interface CacheQuery {
  readonly role: Role;
  readonly timedOut: boolean;
}

interface CachedResponse {
  /** Of the event up to which the state was folded. */
  readonly hash: string;
  readonly reply: Reply;
  readonly bytes: number;
}

/** What an answer weighs beyond its text. */
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
    use: () => useOf('answers', cache),
    keep(call, { head: { hash } }, query, { text }) {
      const key = keyOf(call, query);
      if (key !== undefined) cache.set(key, { hash, reply: new CachedReply(text), bytes: heapBytes(text) });
    },
  };
}

/** One place for each question: the answer on a later state takes the place of the one before. */
function keyOf<S>({ operation, sessionId, input }: Call<S>, { role, timedOut }: CacheQuery): string | undefined {
  const question = operation.cacheKey?.(input);
  return question === undefined ? undefined : `${sessionId} ${role} ${operation.name} ${timedOut} ${question}`;
}
