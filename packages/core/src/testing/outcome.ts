import { deepStrictEqual, fail } from 'node:assert/strict';
import type { SessionDraft } from '../areas/catalog.ts';
import type { ErrorCode } from '../kernel/error-kinds.ts';
import type { ErrorBody, ParleyError } from '../kernel/errors.ts';
import type { LoggedEvent } from '../kernel/log/event.ts';
import type { PersonRef } from '../kernel/person.ts';
import type { Actor } from '../kernel/roles.ts';
import type { StoredDocument } from '../kernel/storage/storage.ts';

/** Makes a type deeply readonly, so that tests can pass literals without a cast. */
type Literal<T> = T extends object ? { readonly [K in keyof T]: Literal<T[K]> } : T;

/** One past event with its actor. An event of the owner may name the person who acted. */
export type PastEvent = SessionDraft & { readonly actor: Actor; readonly person?: PersonRef };

/**
 * The result of a call. Functions whose names begin with `then` throw an AssertionError if the result differs from the expected
 * result.
 */
export interface Outcome<O> {
  /** Checks all events that the call would store, in their order. */
  thenEvents(...expected: readonly PastEvent[]): Outcome<O>;
  /** Checks the whole reply, compared as JSON. */
  thenReply(expected: Literal<O>): Outcome<O>;
  /**
   * Checks that the call is refused with this code. With `details`, also checks all members of the error body except
   * `ok`, `error`, `message` and the default `hint`.
   */
  thenFails(code: ErrorCode, details?: Readonly<Record<string, unknown>>): void;
  /**
   * The events that the call would store, for use as past events of another `given`. The first event contains all documents
   * that the call would store.
   */
  events(): readonly PastEvent[];
  /** The reply, for tests that check only a part of it. */
  reply(): O;
  /** The error body, for tests that check only a part of it. */
  refusal(): ErrorBody;
}

export interface Result {
  readonly events: readonly LoggedEvent[];
  readonly documents?: readonly StoredDocument[];
  readonly reply?: unknown;
  readonly refusal?: ParleyError;
}

/** Converts a value to JSON and back, as if it had been sent. */
export const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

export function outcomeOf<O>({ events, documents = [], reply, refusal }: Result): Outcome<O> {
  const succeeded = (): void => {
    if (refusal) fail(`The call was refused with ${refusal.code}: ${refusal.message}`);
  };
  const stored = toJson(
    events.map(({ kind, actor, person, data }) => ({ kind, actor, person, data })),
  ) as readonly PastEvent[];
  const outcome: Outcome<O> = {
    thenEvents(...expected) {
      succeeded();
      deepStrictEqual(stored, toJson(expected));
      return outcome;
    },
    thenReply(expected) {
      succeeded();
      deepStrictEqual(toJson(reply), toJson(expected));
      return outcome;
    },
    thenFails(code, details) {
      if (!refusal) return fail(`The call was not refused; ${code} was expected.`);
      deepStrictEqual(refusal.code, code, refusal.message);
      if (details) deepStrictEqual(toJson(refusal.details), toJson(details));
    },
    events() {
      succeeded();
      const bodies = documents.map(({ body }) => body);
      return stored.map((event, index) => (index === 0 && bodies.length > 0 ? { ...event, documents: bodies } : event));
    },
    reply() {
      succeeded();
      return toJson(reply) as O;
    },
    refusal: () => refusal?.body() ?? fail('The call was not refused.'),
  };
  return outcome;
}
