import { toolFor } from '../../src/agent.ts';
import { checkScope } from '../../src/areas/access/rules.ts';
import { domain } from '../../src/areas/domain.ts';
import type { CreateSession } from '../../src/areas/owner/create-session.ts';
import { ownerOperations } from '../../src/areas/owner-registry.ts';
import { operations, registry } from '../../src/areas/registry.ts';
import type { SessionState } from '../../src/areas/state.ts';
import { prepareEvents } from '../../src/kernel/append.ts';
import { readArguments } from '../../src/kernel/arguments.ts';
import { createEngine } from '../../src/kernel/create-engine.ts';
import { createDocuments, readFrom } from '../../src/kernel/documents.ts';
import { fail, ParleyError } from '../../src/kernel/errors.ts';
import { DEFAULT_LIMITS } from '../../src/kernel/limits.ts';
import { createMemoryStorage } from '../../src/kernel/memory-storage.ts';
import type { Operation } from '../../src/kernel/operation.ts';
import { contextFor, mintOnce } from '../../src/kernel/replies.ts';
import type { Role } from '../../src/kernel/roles.ts';
import { createSessions, DEFAULT_CACHE } from '../../src/kernel/sessions.ts';
import type { StoredEvent } from '../../src/kernel/storage.ts';
import { attemptOn } from '../../src/kernel/writes.ts';
import { openingEvents, tokenHashOf } from '../../src/testing/opening-events.ts';
import { createTestClock, createTestRandom } from '../../src/testing/test-clock.ts';

export type Payload = Readonly<Record<string, unknown>>;

/** One call of somebody. */
export interface Call {
  readonly by: Role;
  readonly name: string;
  readonly input: Payload;
}

/** A session that never changes: a call gives another one, so that any call can be tried on it. */
export interface World {
  readonly state: SessionState;
  readonly log: readonly StoredEvent[];
  /** Documents by their SHA-256. */
  readonly documents: ReadonlyMap<string, string>;
}

export interface Answer {
  /** The world after the call; the same one when nothing was stored. */
  readonly world: World;
  readonly refusal: ParleyError | null;
}

const storage = createMemoryStorage();
const clock = createTestClock();
const engine = createEngine({
  domain,
  storage,
  clock,
  random: createTestRandom(),
  sessions: createSessions(storage, domain, DEFAULT_CACHE),
  documents: createDocuments(storage, DEFAULT_CACHE.documentBytes),
  limits: DEFAULT_LIMITS,
  key: 'key of the model tests',
  service: { name: 'parley', version: '0.0.0' },
});

/** A session that everybody has joined, ACTIVE unless said otherwise. */
export function openWorld(session: Partial<CreateSession> = {}, isStarted = true): World {
  const empty = domain.empty('SessionOfTheModelTests');
  const opening = openingEvents({ session, isStarted });
  const { state, stored } = prepareEvents(domain, empty, opening, clock.now());
  return { state, log: stored, documents: new Map() };
}

/** Makes one call. What is stored is stored in the world that the answer holds. */
export function make(world: World, { by, name, input }: Call): Answer {
  try {
    const operation = operationFor(by, name);
    const identify = identifyAs(by, operation);
    identify(world.state);
    const { sessionId } = world.state;
    const read = readArguments(operation, plain(input), { source: 'json', sessionId });
    if (!operation.decide) {
      look(world, operation, by, read.input);
      return { world, refusal: null };
    }
    return write(world, operation, by, read.input);
  } catch (error) {
    if (error instanceof ParleyError) return { world, refusal: error };
    throw error;
  }
}

function write(world: World, operation: Operation<SessionState>, by: Role, input: unknown): Answer {
  const { state } = world;
  const { sessionId } = state;
  const identify = identifyAs(by, operation);
  const absent = () => fail('INTERNAL', 'The session of the model tests is always there.');
  const mint = mintOnce(engine, sessionId);
  const call = { operation, sessionId, identify, absent, holder: by, input };
  const texts = textsFor(world, operation, by, input);
  const { prepared, refusal } = attemptOn({ engine, call, mint }, { state, texts });
  if (refusal) return { world, refusal };
  const after = prepared
    ? {
        state: prepared.state,
        log: [...world.log, ...prepared.stored],
        documents: new Map([
          ...world.documents,
          ...prepared.documents.map(({ sha256, body }) => [sha256, body] as const),
        ]),
      }
    : world;
  const context = contextFor(engine, after.state, identify(state), {
    mint,
    events: prepared?.events ?? [],
    document: readFrom(texts, prepared?.documents),
  });
  operation.output.parse(operation.reply(after.state, input, context));
  return { world: after, refusal: null };
}

/** Makes calls that must all pass. */
export function makeAll(world: World, calls: readonly Call[]): World {
  return calls.reduce((before, call) => {
    const { world: after, refusal } = make(before, call);
    if (refusal) throw new Error(`${showCall(call)} was refused: ${refusal.code} ${refusal.message}`);
    return after;
  }, world);
}

/** What a read answers, held against the operation's own output schema. */
export function look<N extends string, I, O>(
  world: World,
  operation: Operation<SessionState, N, I, O>,
  by: Role,
  input: I,
): O {
  const { state } = world;
  const caller = identifyAs(by, operation)(state);
  const context = contextFor(engine, state, caller, { document: readFrom(textsFor(world, operation, by, input)) });
  return operation.output.parse(operation.reply(state, input, context));
}

/** Whether such a tool or operation is there for this role at all. */
export const isThere = (by: Role, name: string): boolean =>
  by === 'owner' ? ownerOperations.some((operation) => operation.name === name) : registry.tool(by, name) !== undefined;

/** The codes that an operation declares. */
export const declaredBy = (name: string): readonly string[] =>
  [...operations, ...ownerOperations]
    .filter((operation) => operation.name === name)
    .flatMap(({ errors }) => [...errors]);

function operationFor(by: Role, name: string): Operation<SessionState> {
  if (by !== 'owner') return toolFor(by, name);
  const found: Operation<SessionState> | undefined = ownerOperations.find((operation) => operation.name === name);
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

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export const showCall = ({ by, name, input }: Call): string => `${by} ${name} ${JSON.stringify(input)}`;
