import { type Clock, isoTime } from '../clock.ts';
import type { LastCalls, Presence } from '../last-calls.ts';
import type { LoggedEvent } from '../log/event.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/domain.ts';
import type { Caller, DecideEnv, ReplyContext } from '../operation/operation.ts';
import { type Reply, replyOf } from '../reply.ts';
import { type DocumentTexts, readFrom } from '../session/documents.ts';
import { mintSecret, type Secret, type SecretPrefix } from '../token/token.ts';
import type { Engine } from './engine.ts';
import { loadDocuments, type StateWithDocuments } from './load-documents.ts';

/** The state from which a read is answered, and whether the read has waited without news. */
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
  if (cached) return cached;
  const loaded = await loadForRead(engine, call, state);
  const reply = replyToRead(engine, call, { ...loaded, timedOut });
  engine.responseCache.keep(call, loaded.state, query, reply);
  return reply;
}

/** Everything from which the reply of a read is made. */
interface LoadedRead<S> extends StateWithDocuments<S> {
  /** The events that the operation selected with `reads`. */
  readonly events: readonly LoggedEvent[];
  /** The last calls of the agents. Absent if the operation does not read them. */
  readonly calls?: LastCalls;
}

async function loadForRead<S extends SessionRoot>(engine: Engine<S>, call: Call<S>, known: S): Promise<LoadedRead<S>> {
  const { state, texts } = await loadDocuments(engine, call, known);
  const seqs = call.operation.reads?.(state, call.input, call.identify(state)) ?? [];
  const events = seqs.length > 0 ? await engine.sessions.read(call.sessionId, seqs) : [];
  const calls = call.operation.readsPresence ? await engine.presence.of(call.sessionId) : NO_CALLS;
  return { state, texts, events, calls };
}

/** Makes the reply of a read. Does no I/O. */
export function replyToRead<S extends SessionRoot>(
  engine: Engine<S>,
  { operation, input, identify }: Call<S>,
  { state, texts, events: loaded, calls = NO_CALLS, timedOut }: LoadedRead<S> & ReadFrom<S>,
): Reply {
  const caller = identify(state);
  const known = contextFor(engine, state);
  const presence = presenceOf(engine, calls);
  const context = { ...known, caller, timedOut, loaded, presence, document: readFrom(texts) };
  return replyOf(operation.reply(state, input, operation.cacheKey ? cacheable(context) : context));
}

/**
 * The context of a reply that is cached. All callers of the same role get that reply until the state changes, so the
 * context does not contain the time, the settings of the service or the caller's token.
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
 * The part of a reply's context that depends on the state only. The caller of this function adds the other members: the
 * agent's role, the loaded events, the documents and, for a write, `mint`.
 */
export const contextFor = <S extends SessionRoot>(engine: Engine<S>, state: S): Omit<ReplyContext, 'caller'> => ({
  now: laterOf(state.at, engine.clock),
  events: [],
  loaded: [],
  document: readFrom(NO_TEXTS),
  timedOut: false,
  presence: presenceOf(engine, NO_CALLS),
  service: engine.service,
  mint: refuseMint,
});

/**
 * Refuses to create a secret in a read: a read stores nothing, so nobody could use the secret; and its answer may be
 * compressed.
 */
function refuseMint(): never {
  throw new Error('Only a write can mint a secret.');
}

const NO_CALLS: LastCalls = {};

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

/** The present time. If `at` is later, the time `at`. */
export function laterOf(at: string, clock: Clock): string {
  const now = isoTime(clock.now());
  return now < at ? at : now;
}
