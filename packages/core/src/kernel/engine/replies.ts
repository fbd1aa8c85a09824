import { type Clock, isoTime } from '../clock.ts';
import type { LastCalls, Presence } from '../last-calls.ts';
import type { Call } from '../operation/call.ts';
import type { Caller, DecideEnv, ReplyContext, SessionRoot } from '../operation/operation.ts';
import { type Reply, replyOf } from '../reply.ts';
import { type DocumentTexts, readFrom } from '../session/documents.ts';
import { mintSecret, type Secret, type SecretPrefix } from '../token/token.ts';
import type { Engine } from './engine.ts';
import { loadSources, type StateWithEvents } from './load-documents.ts';

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
  const reply = replyToRead(engine, call, { ...loaded, timedOut });
  engine.responseCache.keep(call, loaded.state, query, reply);
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
