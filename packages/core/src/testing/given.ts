import { deepStrictEqual, fail } from 'node:assert/strict';
import { toolFor } from '../agent.ts';
import { checkScope } from '../areas/access/rules.ts';
import type { SessionDraft } from '../areas/catalog.ts';
import { domain } from '../areas/domain.ts';
import { ownerOperations } from '../areas/owner-registry.ts';
import type { SessionState } from '../areas/state.ts';
import type { ToolInput, ToolName, ToolOutput } from '../client/calls.ts';
import {
  type Append,
  decideWrite,
  type Replayed,
  repeatOrAppend,
  replyToWrite,
  type Writing,
  withWarnings,
} from '../kernel/engine/decide-write.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { mintOnce, replyToRead } from '../kernel/engine/replies.ts';
import { type ErrorBody, type ErrorCode, ParleyError } from '../kernel/errors.ts';
import type { Limits } from '../kernel/limits.ts';
import type { LoggedEvent } from '../kernel/log/event.ts';
import { readArguments } from '../kernel/operation/arguments.ts';
import type { Call } from '../kernel/operation/host-port.ts';
import type { Caller, InputOf, Operation, OutputOf } from '../kernel/operation/operation.ts';
import type { Person, PersonRef } from '../kernel/person.ts';
import type { Actor, Role } from '../kernel/roles.ts';
import { prepareEvents } from '../kernel/session/append.ts';
import type { DocumentTexts } from '../kernel/session/stored-texts.ts';
import type { StoredDocument } from '../kernel/storage/storage.ts';
import { openingEvents, type SessionFacts, tokenHashOf } from './opening-events.ts';
import { createTestClock, createTestEngine } from './test-engine.ts';

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

interface Result {
  readonly events: readonly LoggedEvent[];
  readonly documents?: readonly StoredDocument[];
  readonly reply?: unknown;
  readonly refusal?: ParleyError;
}

/** Converts a value to JSON and back, as if it had been sent. */
const toJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

function outcomeOf<O>({ events, documents = [], reply, refusal }: Result): Outcome<O> {
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

type OwnerOperation = (typeof ownerOperations)[number];
type OwnerName = OwnerOperation['name'];
type OwnerNamed<N extends OwnerName> = Extract<OwnerOperation, { readonly name: N }>;

/** The name of an agent's tool or of an owner's operation. */
export type OperationName = ToolName | OwnerName;
type Input<N extends OperationName> = N extends ToolName ? ToolInput<N> : InputOf<OwnerNamed<N & OwnerName>>;
type Output<N extends OperationName> = N extends ToolName ? ToolOutput<N> : OutputOf<OwnerNamed<N & OwnerName>>;

export interface GivenOptions extends SessionFacts {
  readonly limits?: Partial<Limits>;
  /** Milliseconds between one given event and the next. Default: 0. */
  readonly msBetween?: number;
}

/** A session that has the given past events. A test makes calls on this session. */
export interface Given {
  /**
   * Runs one call after the past events. Stores nothing, so every `when` of the same `given` starts with the same events.
   * A decision of the owner has read all past events, unless the input has the member `seen`; with null it has none.
   *
   * @param caller a role, or a person who acts for the owner
   */
  when<N extends OperationName>(name: N, input: Input<N>, caller: Role | Person): Outcome<Output<N>>;
}

/**
 * Tests a rule of the protocol: `given(events).when(operation, input, caller).thenEvents(…)`. The session is ACTIVE, and
 * both builders and a moderator have joined it. Events 1 to 5 open the session, so the first given event is event 6. All
 * given events happen at 09:00:00 UTC unless `msBetween` is set, and the call one minute later. Every reply is checked
 * against the output schema of the operation, and every error code against the codes that the operation declares.
 */
export function given(events: readonly PastEvent[] = [], options: GivenOptions = {}): Given {
  const clock = createTestClock();
  const engine = createTestEngine(clock, options.limits);
  const log: LoggedEvent[] = [];
  const stored = new Map<string, string>();
  let state = domain.empty('SessionOfTheGivenTests');
  for (const event of [...openingEvents(options), ...events]) {
    const prepared = prepareEvents(domain, state, [event], clock.now());
    state = prepared.state;
    log.push(...prepared.events);
    for (const { sha256, body } of prepared.documents) stored.set(sha256, body);
    clock.advance(options.msBetween ?? 0);
  }
  clock.advance(60_000);
  return {
    when(name, input, by) {
      const [caller, person] = typeof by === 'string' ? [by] : (['owner', by] as const);
      return outcomeOf(run({ engine, state, log, stored, caller, person, name, input }));
    },
  };
}

interface Trial {
  readonly engine: Engine<SessionState>;
  readonly state: SessionState;
  readonly log: readonly LoggedEvent[];
  readonly stored: ReadonlyMap<string, string>;
  readonly caller: Role;
  readonly person?: Person | undefined;
  readonly name: OperationName;
  readonly input: unknown;
}

/** Error codes that any call can return. Operations do not declare them. */
const GENERAL: readonly ErrorCode[] = [
  'INVALID_INPUT',
  'WRONG_SESSION',
  'MODERATOR_FORBIDDEN',
  'BUILDER_FORBIDDEN',
  'INSUFFICIENT_SCOPE',
  'PERMISSION_DENIED',
  'SESSION_NOT_ACTIVE',
  'SESSION_ENDED',
  'WRONG_PHASE',
  'QUOTA_EXHAUSTED',
  'CREDENTIAL_REJECTED',
];

function run(trial: Trial): Result {
  try {
    return answer(trial, operationFor(trial));
  } catch (error) {
    if (error instanceof ParleyError) return { events: [], refusal: error };
    throw error;
  }
}

function operationFor({ name, caller }: Trial): Operation<SessionState> {
  if (caller !== 'owner') return toolFor(caller, name);
  return ownerOperations.find((operation) => operation.name === name) ?? fail(`There is no owner operation ${name}.`);
}

function answer(trial: Trial, operation: Operation<SessionState>): Result {
  const { engine, state, log } = trial;
  const call = callOf(trial, operation);
  const caller = call.identify(state);
  const texts = textsOf(trial, call);
  if (operation.decide) return answerWrite(trial, { engine, call, mint: mintOnce(engine, call.sessionId) }, texts);
  try {
    operation.check?.(state, call.input, caller);
  } catch (error) {
    throw declared(operation, error);
  }
  const seqs = operation.reads?.(state, call.input, caller) ?? [];
  const events = log.filter(({ seq }) => seqs.includes(seq));
  const isHeld = (operation.waits?.seconds(call.input) ?? 0) > 0;
  const timedOut = isHeld && operation.waits?.isReady(state, call.input, caller, state) === false;
  const { value } = replyToRead(engine, call, { state, texts, events, timedOut });
  operation.output.parse(value);
  return { events: [], reply: value };
}

function answerWrite(trial: Trial, writing: Writing<SessionState>, texts: DocumentTexts): Result {
  const { state, log } = trial;
  const { call } = writing;
  const { operation } = call;
  const seqs = operation.reads?.(state, call.input, call.identify(state)) ?? [];
  const decided = decideWrite(writing, { state, texts, events: log.filter(({ seq }) => seqs.includes(seq)) });
  if (decided.outcome === 'refused') throw declared(operation, decided.refusal);
  const result = decided.outcome === 'append' ? finalOf(trial, call, decided) : decided;
  const firstUse = result.outcome === 'replayed' ? firstEvents(log, result.first) : [];
  const own = replyToWrite(writing, result, firstUse);
  operation.output.parse(own);
  const reply = withWarnings(result, own);
  if (result.outcome !== 'append') return { events: [], reply };
  const { events, documents } = result.prepared;
  return { events, documents, reply };
}

function finalOf({ engine, log }: Trial, call: Call<SessionState>, append: Append<SessionState>) {
  try {
    return repeatOrAppend(engine, call, append, log);
  } catch (error) {
    throw declared(call.operation, error);
  }
}

const firstEvents = (log: readonly LoggedEvent[], first: Replayed<SessionState>['first']): readonly LoggedEvent[] =>
  'events' in first ? first.events : log.filter(({ seq }) => seq === first.seq);

/** Builds the `Call` object. Throws the error with which a host would refuse the call before the operation runs. */
function callOf(trial: Trial, operation: Operation<SessionState>): Call<SessionState> {
  const { engine, state, caller: role, person } = trial;
  const { sessionId } = state;
  const identify = (current: SessionState): Caller => {
    if (role === 'owner') return { role, person };
    const caller = domain.authenticate(current, tokenHashOf(role), engine.clock.now());
    checkScope(current, operation, caller);
    return caller;
  };
  identify(state);
  const needsSeen = Object.hasOwn(operation.inputSchema.properties ?? {}, 'seen');
  const given = { ...(needsSeen && { seen: state.head.seq }), ...Object(toJson(trial.input ?? {})) };
  const { input, idempotency } = readArguments(operation, given, { sessionId });
  const absent = () => fail('The session of given() always exists, so nothing may report it as missing.');
  return { operation, sessionId, identify, absent, holder: role, input, idempotency };
}

function textsOf({ state, stored }: Trial, { operation, input, identify }: Call<SessionState>): DocumentTexts {
  const hashes = operation.documents?.(state, input, identify(state)) ?? [];
  return new Map(hashes.map((hash) => [hash, textOf(stored, hash)]));
}

const textOf = (stored: ReadonlyMap<string, string>, hash: string): string =>
  stored.get(hash) ?? fail(`No event passed to given() contains the document ${hash}.`);

/**
 * Returns the error of a call. If the operation does not declare the error's code, and `GENERAL` does not contain it,
 * throws an AssertionError instead.
 */
function declared({ name, errors }: Operation<SessionState>, refusal: unknown): unknown {
  if (!(refusal instanceof ParleyError)) return refusal;
  const { code } = refusal;
  if (errors.includes(code) || GENERAL.includes(code)) return refusal;
  return fail(`${name} refuses with ${code}, which it does not declare.`);
}
