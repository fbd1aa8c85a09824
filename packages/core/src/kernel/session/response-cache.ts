import { LRUCache } from 'lru-cache';
import { type CacheUse, heapBytes, useOf } from '../observe/cache-use.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/domain.ts';
import { RepeatedReply, type Reply } from '../reply.ts';
import type { Role } from '../roles.ts';

/**
 * Texts of answers that depend on nothing but state, role and input, as their operation says by `repeats`. Agents that
 * poll ask for the same one again and again.
 */
export interface Answers<S> {
  find(call: Call<S>, state: S, asked: Asked): Reply | undefined;
  keep(call: Call<S>, state: S, asked: Asked, reply: Reply): void;
  use(): CacheUse;
}

export interface Asked {
  readonly role: Role;
  readonly timedOut: boolean;
}

interface Given {
  /** Of the event up to which the state was folded. */
  readonly hash: string;
  readonly reply: Reply;
  readonly bytes: number;
}

/** What an answer weighs beyond its text. */
const ANSWER_BYTES = 300;

export function createAnswers<S extends SessionRoot>(maxBytes: number, observer?: SafeObserver): Answers<S> {
  const given = new LRUCache<string, Given>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => bytes + ANSWER_BYTES,
  });
  return {
    find(call, { head }, asked) {
      const key = keyOf(call, asked);
      if (key === undefined) return undefined;
      const known = given.get(key);
      const isSame = known?.hash === head.hash;
      observer?.cacheRead('answers', isSame);
      return isSame ? known.reply : undefined;
    },
    use: () => useOf('answers', given),
    keep(call, { head: { hash } }, asked, { text }) {
      const key = keyOf(call, asked);
      if (key !== undefined) given.set(key, { hash, reply: new RepeatedReply(text), bytes: heapBytes(text) });
    },
  };
}

/** One place for each question: the answer on a later state takes the place of the one before. */
function keyOf<S>({ operation, sessionId, input }: Call<S>, { role, timedOut }: Asked): string | undefined {
  const question = operation.repeats?.(input);
  return question === undefined ? undefined : `${sessionId} ${role} ${operation.name} ${timedOut} ${question}`;
}
