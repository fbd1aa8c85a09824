import { type Clock, isoTime } from '../clock.ts';
import { ParleyError } from '../errors.ts';
import type { LoggedEvent } from '../log/event.ts';
import { type Call, type Reply, replyOf } from '../operation/host-port.ts';
import type { Caller, DecideEnv, ReplyContext, SessionRoot } from '../operation/operation.ts';
import type { LastCalls, Presence } from '../roles.ts';
import { type DocumentTexts, readFrom } from '../session/stored-texts.ts';
import { sealed } from '../token/certificate-keys.ts';
import { mintSecret, type Secret, type SecretPrefix } from '../token/token.ts';
import { type Engine, loadState } from './engine.ts';

interface StateWithDocuments<S> {
  readonly state: S;
  readonly texts: DocumentTexts;
}

/** A state with what `decide`, or the reply of a read, needs besides. */
export interface StateWithEvents<S> extends StateWithDocuments<S> {
  /** The events that the operation selected with `reads`. */
  readonly events: readonly LoggedEvent[];
}

/**
 * Loads the documents and the events that the operation needs, and runs its expensive steps. Does not wait if the
 * operation needs nothing besides the state.
 */
export function loadSources<S extends SessionRoot>(
  engine: Engine<S>,
  call: Call<S>,
  known: S,
): StateWithEvents<S> | Promise<StateWithEvents<S>> {
  const { documents, precompute, reads } = call.operation;
  if (documents || precompute || reads) return loadNeeded(engine, call, known);
  return { state: known, texts: NO_TEXTS, events: [] };
}

async function loadNeeded<S extends SessionRoot>(
  engine: Engine<S>,
  call: Call<S>,
  known: S,
): Promise<StateWithEvents<S>> {
  const { state, texts } = await loadDocuments(engine, call, known);
  const seqs = call.operation.reads?.(state, call.input, call.identify(state)) ?? [];
  return { state, texts, events: seqs.length > 0 ? await engine.sessions.read(call.sessionId, seqs) : [] };
}

/**
 * Loads the documents that the operation needs, then runs its expensive steps. If a document is not stored, the cached
 * state is stale: loads the state again and tries once more.
 */
function loadDocuments<S extends SessionRoot>(
  engine: Engine<S>,
  call: Call<S>,
  state: S,
): StateWithDocuments<S> | Promise<StateWithDocuments<S>> {
  const { documents, precompute } = call.operation;
  return documents || precompute ? loadTexts(engine, call, state) : { state, texts: NO_TEXTS };
}

async function loadTexts<S extends SessionRoot>(
  engine: Engine<S>,
  call: Call<S>,
  state: S,
): Promise<StateWithDocuments<S>> {
  const texts = await textsFor(engine, call, state);
  if (texts) return await precompute(call, { state, texts });
  const fresh = await loadState(engine, call);
  const found = await textsFor(engine, call, fresh);
  if (found) return await precompute(call, { state: fresh, texts: found });
  throw new Error(`A document of session ${call.sessionId} is missing.`);
}

async function textsFor<S extends SessionRoot>(
  engine: Engine<S>,
  { operation, sessionId, input, identify }: Call<S>,
  state: S,
): Promise<DocumentTexts | null> {
  if (!operation.documents) return NO_TEXTS;
  return await engine.documents.read(sessionId, operation.documents(state, input, identify(state)));
}

/**
 * Runs the expensive steps of an operation, and lets the event loop run after each step. Refusals of a step are ignored, because
 * `decide` or `reply` runs the step again and throws the same error.
 */
async function precompute<S extends SessionRoot>(
  { operation, input, identify }: Call<S>,
  loaded: StateWithDocuments<S>,
): Promise<StateWithDocuments<S>> {
  const { state, texts } = loaded;
  const parts = operation.precompute?.(state, input, identify(state), readFrom(texts)) ?? [];
  try {
    for (const _done of parts) await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
  }
  return loaded;
}

export interface ReadFrom<S> {
  readonly state: S;
  readonly timedOut: boolean;
}

/**
 * Answers a read. If the operation defines a `cacheKey`, the reply may come from the response cache. Otherwise loads the
 * events and documents that the reply needs.
 */
export async function answerRead<S extends SessionRoot>(
  engine: Engine<S>,
  call: Call<S>,
  { state, timedOut }: ReadFrom<S>,
): Promise<Reply> {
  const caller = call.identify(state);
  call.operation.check?.(state, call.input, caller);
  const query = { role: caller.role, timedOut };
  const cached = engine.responseCache.find(call, state, query);
  if (cached) {
    engine.shown.note(call.sessionId, caller.role, state.head.seq);
    return cached;
  }
  const loaded = await loadForRead(engine, call, state);
  if (call.judge) await call.judge(loaded.state);
  const reply = engine.responseCache.obtain(call, loaded.state, query, () =>
    replyToRead(engine, call, { ...loaded, timedOut }),
  );
  engine.shown.note(call.sessionId, caller.role, loaded.state.head.seq);
  return reply;
}

interface LoadedRead<S> extends StateWithEvents<S> {
  /** The latest call of each agent. Empty unless the operation declares `readsPresence`. */
  readonly calls?: LastCalls;
}

async function loadForRead<S extends SessionRoot>(engine: Engine<S>, call: Call<S>, known: S): Promise<LoadedRead<S>> {
  const loaded = await loadSources(engine, call, known);
  const calls = call.operation.readsPresence ? await engine.presence.of(call.sessionId) : NO_CALLS;
  return { ...loaded, calls };
}

/** Makes the reply of a read. Does no I/O. */
export function replyToRead<S extends SessionRoot>(
  engine: Engine<S>,
  { operation, input, identify, look }: Call<S>,
  { state, texts, events: loaded, calls = NO_CALLS, timedOut }: LoadedRead<S> & ReadFrom<S>,
): Reply {
  const caller = identify(state);
  const presence = presenceOf(engine, calls);
  const context = { ...contextFor(engine, state, caller), timedOut, loaded, presence, document: readFrom(texts) };
  return replyOf(operation.reply(look?.(state) ?? state, input, operation.cacheKey ? cacheable(context) : context));
}

/**
 * The context of a reply that is cached for all callers of a role. Reading a member on which a cached reply must not depend, such
 * as the time, throws an error.
 */
const cacheable = ({ caller, events, loaded, document, timedOut }: ReplyContext): ReplyContext => ({
  ...{ caller: withoutToken(caller), events, loaded, document, timedOut },
  get now() {
    return refuseUse('now');
  },
  get presence() {
    return refuseUse('presence');
  },
  get service() {
    return refuseUse('service');
  },
  get seal() {
    return refuseUse('seal');
  },
  mint: refuseMint,
});

const withoutToken = (caller: Caller): Caller =>
  caller.role === 'owner'
    ? caller
    : {
        role: caller.role,
        get tokenHash() {
          return refuseUse('caller.tokenHash');
        },
        get expiresAt() {
          return refuseUse('caller.expiresAt');
        },
      };

function refuseUse(member: string): never {
  throw new Error(`The reply of an operation with a cacheKey must not depend on ${member}.`);
}

const NO_TEXTS: DocumentTexts = new Map();

/**
 * Makes the context of a reply on a state. The members that depend on the call, such as the loaded events and the documents, are
 * empty: the caller of this function replaces them. All members are present, because V8 adds a member to a copied object slowly.
 */
export const contextFor = <S extends SessionRoot>(engine: Engine<S>, state: S, caller: Caller): ReplyContext => ({
  caller,
  now: laterOf(state.at, engine.clock),
  events: [],
  loaded: [],
  document: readFrom(NO_TEXTS),
  timedOut: false,
  presence: presenceOf(engine, NO_CALLS),
  service: engine.service,
  seal: (type, text) => sealed(type, text, engine.certificateKeys),
  mint: refuseMint,
});

/** The `mint` of a read. A read stores nothing, so nobody could use a secret that it creates. */
function refuseMint(): never {
  throw new Error('Only a write can mint a secret.');
}

/** As if nobody had called. */
export const NO_CALLS: LastCalls = {};

export const presenceOf = <S extends SessionRoot>({ clock, limits }: Engine<S>, calls: LastCalls): Presence => ({
  nowMs: clock.now(),
  silentAfterMs: limits.silentAfterMs,
  calls,
});

export function mintOnce<S extends SessionRoot>({ random, key }: Engine<S>, sessionId: string): DecideEnv['mint'] {
  const minted = new Map<SecretPrefix, Secret>();
  return (prefix) => {
    const secret = minted.get(prefix) ?? mintSecret(prefix, sessionId, random, key);
    minted.set(prefix, secret);
    return secret;
  };
}

/** Returns the present time, or `at` if `at` is later. */
export function laterOf(at: string, clock: Clock): string {
  const now = isoTime(clock.now());
  return now < at ? at : now;
}
