import { toolFor } from '../../src/agent.ts';
import { checkScope } from '../../src/areas/access/rules.ts';
import { domain } from '../../src/areas/domain.ts';
import { setEntitlement } from '../../src/areas/owner/moderator.ts';
import type { CreateSession } from '../../src/areas/owner/session.ts';
import { ownerOperations } from '../../src/areas/owner-registry.ts';
import { operations, registry } from '../../src/areas/registry.ts';
import type { SessionState } from '../../src/areas/state.ts';
import { decideWrite, repeatOrAppend, replyToWrite, seqsToCompare } from '../../src/kernel/engine/decide-write.ts';
import { contextFor, mintOnce } from '../../src/kernel/engine/replies.ts';
import { fail, ParleyError } from '../../src/kernel/errors.ts';
import type { Amounts } from '../../src/kernel/limits.ts';
import { type LoggedEvent, readEvent, type StoredEvent } from '../../src/kernel/log/event.ts';
import { readArguments } from '../../src/kernel/operation/arguments.ts';
import type { Operation } from '../../src/kernel/operation/operation.ts';
import type { Role } from '../../src/kernel/roles.ts';
import { type Prepared, prepareEvents } from '../../src/kernel/session/append.ts';
import { readFrom } from '../../src/kernel/session/stored-texts.ts';
import { openingEvents, tokenHashOf } from '../../src/testing/opening-events.ts';
import { createTestClock, createTestEngine } from '../../src/testing/test-engine.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** A call: the role that makes it, the name of the operation, and the input. */
export interface Call {
  readonly by: Role;
  readonly name: string;
  readonly input: Payload;
}

/** An immutable session. A call returns a new world, so a test can still use the world before the call. */
export interface World {
  readonly state: SessionState;
  readonly log: readonly StoredEvent[];
  readonly documents: ReadonlyMap<string, string>;
}

export interface Answer {
  /** The world after the call. If the call stored nothing, the same object as before. */
  readonly world: World;
  readonly refusal: ParleyError | null;
}

/** The owner's operations on a session, and `setEntitlement`, which affects all sessions of the owner. */
const ownersCalls = [...ownerOperations, setEntitlement];

const clock = createTestClock();
const engine = createTestEngine(clock);

/** Opens a session that all roles have joined. Its status is ACTIVE unless `isStarted` is false. */
export function openWorld(
  session: Partial<CreateSession> = {},
  isStarted = true,
  quotas: Partial<Amounts> = {},
): World {
  const empty = domain.empty('SessionOfTheModelTests');
  const opening = openingEvents({ session, isStarted, quotas });
  const { state, stored } = prepareEvents(domain, empty, opening, clock.now());
  return { state, log: stored, documents: new Map() };
}

export function make(world: World, call: Call): Answer {
  return unlessRefused(world, () => {
    const { operation, input, writing, result } = attempt(world, call);
    if (!result) {
      look(world, operation, call.by, input);
      return { world, refusal: null };
    }
    operation.output.parse(replyToWrite(writing, result, []));
    return { world: result.outcome === 'append' ? continued(world, result.prepared) : world, refusal: null };
  });
}

/** Returns the error with which the call would be refused, or null if it would succeed. Does not compute the reply. */
export const refusalOf = (world: World, call: Call): ParleyError | null =>
  unlessRefused(world, () => {
    attempt(world, call);
    return { world, refusal: null };
  }).refusal;

/** Whether a whole Parley stores nothing for the call, because an open record of its caller says the same. `make` stores it. */
export function isRepeat(world: World, call: Call): boolean {
  const { writing, result } = attempt(world, call);
  if (result?.outcome !== 'append') return false;
  const stored = seqsToCompare(engine, writing.call, result).flatMap((seq) => eventAt(world, seq));
  return repeatOrAppend(engine, writing.call, result, stored).outcome === 'replayed';
}

function unlessRefused(world: World, work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof ParleyError) return { world, refusal: error };
    throw error;
  }
}

function attempt(world: World, { by, name, input: sent }: Call) {
  const { state } = world;
  const { sessionId } = state;
  const operation = operationFor(state, by, name);
  const identify = identifyAs(by, operation);
  identify(state);
  const { input } = readArguments(operation, withSeen(state, operation, sent), { sessionId });
  const texts = textsFor(world, operation, by, input);
  const absent = () => fail('INTERNAL', 'The session of the model tests is always there.');
  const call = { operation, sessionId, identify, absent, holder: by, input };
  const writing = { engine, call, mint: mintOnce(engine, sessionId) };
  const result = operation.decide && decideWrite(writing, { state, texts, events: [] });
  if (result?.outcome === 'refused') throw result.refusal;
  // No record counts as a repeated one here.
  if (result?.outcome === 'append') repeatOrAppend(engine, call, result, []);
  return { operation, input, writing, result };
}

/** A decision of the owner has read the whole log, unless the call says otherwise. */
const withSeen = ({ head }: SessionState, operation: Operation<SessionState>, sent: Payload): unknown =>
  plain(needsSeen(operation) ? { seen: head.seq, ...sent } : sent);

export const needsSeen = ({ inputSchema }: Pick<Operation<SessionState>, 'inputSchema'>): boolean =>
  Object.hasOwn(inputSchema.properties ?? {}, 'seen');

const continued = ({ log, documents }: World, { state, stored, documents: added }: Prepared<SessionState>): World => ({
  state,
  log: [...log, ...stored],
  documents:
    added.length > 0 ? new Map([...documents, ...added.map(({ sha256, body }) => [sha256, body] as const)]) : documents,
});

/** Makes calls that must all succeed. */
export function makeAll(world: World, calls: readonly Call[]): World {
  return calls.reduce((before, call) => {
    const { world: after, refusal } = make(before, call);
    if (refusal) throw new Error(`${showCall(call)} was refused: ${refusal.code} ${refusal.message}`);
    return after;
  }, world);
}

export function look<N extends string, I, O>(
  world: World,
  operation: Operation<SessionState, N, I, O>,
  by: Role,
  input: I,
): O {
  const { state } = world;
  const caller = identifyAs(by, operation)(state);
  operation.check?.(state, input, caller);
  const context = {
    ...contextFor(engine, state, caller),
    document: readFrom(textsFor(world, operation, by, input)),
    loaded: (operation.reads?.(state, input, caller) ?? []).flatMap((seq) => eventAt(world, seq)),
  };
  return operation.reply(state, input, context);
}

/** Whether a long-poll that begins now ends at once. */
export function isAnswered<N extends string, I, O>(
  { state }: World,
  operation: Operation<SessionState, N, I, O>,
  by: Role,
  input: I,
): boolean {
  const caller = identifyAs(by, operation)(state);
  operation.check?.(state, input, caller);
  return operation.waits?.isReady(state, input, caller, state) ?? true;
}

function eventAt({ log }: World, seq: number): LoggedEvent[] {
  const stored = log[seq - 1];
  return stored ? [readOnce(stored)] : [];
}

export const eventsSince = ({ log }: World, seq: number): LoggedEvent[] => log.slice(seq).map(readOnce);

/** Parsed events by stored event, cached because worlds share stored events and read them often. */
const known = new WeakMap<StoredEvent, LoggedEvent>();

function readOnce(stored: StoredEvent): LoggedEvent {
  const event = known.get(stored) ?? readEvent(stored);
  known.set(stored, event);
  return event;
}

/** Reads as `look` does, and checks the reply against the output schema of the operation. */
export const lookClosely: typeof look = (world, operation, by, input) =>
  operation.output.parse(look(world, operation, by, input));

/** Whether the role has a tool or operation of this name. */
export const isThere = (by: Role, name: string): boolean =>
  by === 'owner' ? ownersCalls.some((operation) => operation.name === name) : registry.tool(by, name) !== undefined;

export const declaredBy = (name: string): readonly string[] =>
  [...operations, ...ownersCalls].filter((operation) => operation.name === name).flatMap(({ errors }) => [...errors]);

/** The operation that a role calls by this name. The token of an agent is authenticated first, as in a real request. */
function operationFor(state: SessionState, by: Role, name: string): Operation<SessionState> {
  if (by !== 'owner') {
    domain.authenticate(state, tokenHashOf(by), clock.now());
    return toolFor(by, name);
  }
  const found: Operation<SessionState> | undefined = ownersCalls.find((operation) => operation.name === name);
  return found ?? fail('NOT_FOUND', `There is no owner operation ${name}.`);
}

function identifyAs<N extends string, I, O>(by: Role, operation: Operation<SessionState, N, I, O>) {
  return (state: SessionState) => {
    if (by === 'owner') return { role: by };
    const caller = domain.authenticate(state, tokenHashOf(by), clock.now());
    checkScope(state, operation, caller);
    return caller;
  };
}

function textsFor<N extends string, I, O>(
  { state, documents }: World,
  operation: Operation<SessionState, N, I, O>,
  by: Role,
  input: I,
): ReadonlyMap<string, string> {
  const hashes = operation.documents?.(state, input, identifyAs(by, operation)(state)) ?? [];
  return new Map(hashes.map((hash) => [hash, documents.get(hash) ?? fail('INTERNAL', `No document ${hash}.`)]));
}

export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export const showCall = ({ by, name, input }: Call): string => `${by} ${name} ${JSON.stringify(input)}`;
