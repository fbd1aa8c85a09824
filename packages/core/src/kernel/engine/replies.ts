import { type Clock, isoTime } from '../clock.ts';
import type { LoggedEvent } from '../log/event.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/domain.ts';
import type { Caller, DecideEnv, ReplyContext } from '../operation/operation.ts';
import { type Reply, replyOf } from '../reply.ts';
import { type DocumentTexts, readFrom } from '../session/documents.ts';
import { mintSecret, type Secret, type SecretPrefix } from '../token/token.ts';
import type { Engine } from './engine.ts';
import { loadDocuments, type StateWithDocuments } from './load-documents.ts';

/** A state confirmed for a read, and whether the read waited without news. */
export interface ReadFrom<S> {
  readonly state: S;
  readonly timedOut: boolean;
}

/**
 * Answers a read. Takes the reply from the response cache if the operation allows it. Otherwise loads the events and documents
 * that the reply needs.
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
  /** The events that the operation's `reads` selected. */
  readonly events: readonly LoggedEvent[];
}

async function loadForRead<S extends SessionRoot>(engine: Engine<S>, call: Call<S>, known: S): Promise<LoadedRead<S>> {
  const { state, texts } = await loadDocuments(engine, call, known);
  const seqs = call.operation.reads?.(state, call.input, call.identify(state)) ?? [];
  const events = seqs.length > 0 ? await engine.sessions.read(call.sessionId, seqs) : [];
  return { state, texts, events };
}

/** Makes the reply of a read. Does no I/O. */
export function replyToRead<S extends SessionRoot>(
  engine: Engine<S>,
  { operation, input, identify }: Call<S>,
  { state, texts, events: loaded, timedOut }: LoadedRead<S> & ReadFrom<S>,
): Reply {
  const caller = identify(state);
  const context = { ...contextFor(engine, state), caller, timedOut, loaded, document: readFrom(texts) };
  return replyOf(operation.reply(state, input, operation.cacheKey ? cacheable(context) : context));
}

/**
 * The context of a reply that the response cache keeps. The reply is given to every caller of the same role until the
 * state changes, so it must not depend on the time, on the service's settings, on a new secret or on one token.
 */
const cacheable = ({ caller, events, loaded, document, timedOut }: ReplyContext): ReplyContext => ({
  ...{ caller: withoutToken(caller), events, loaded, document, timedOut },
  get now() {
    return refuseUse('now');
  },
  get service() {
    return refuseUse('service');
  },
  mint: () => refuseUse('mint'),
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
 * The context of a reply on a state. The caller, the events of `reads` and the texts of `documents` are added by the calling
 * function.
 */
export const contextFor = <S extends SessionRoot>(engine: Engine<S>, state: S): Omit<ReplyContext, 'caller'> => ({
  now: laterOf(state.at, engine.clock),
  events: [],
  loaded: [],
  document: readFrom(NO_TEXTS),
  timedOut: false,
  service: engine.service,
  mint: mintOnce(engine, state.sessionId),
});

export function mintOnce<S extends SessionRoot>({ random, key }: Engine<S>, sessionId: string): DecideEnv['mint'] {
  const minted = new Map<SecretPrefix, Secret>();
  return (prefix) => {
    const secret = minted.get(prefix) ?? mintSecret(prefix, sessionId, random, key);
    minted.set(prefix, secret);
    return secret;
  };
}

/** The current time, or the given time if that is later. */
export function laterOf(at: string, clock: Clock): string {
  const now = isoTime(clock.now());
  return now < at ? at : now;
}
