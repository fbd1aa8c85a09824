import { type Clock, isoTime } from '../clock.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/domain.ts';
import type { Caller, DecideEnv, InputWarning, ReplyContext } from '../operation/operation.ts';
import { type Reply, replyOf } from '../reply.ts';
import { type DocumentTexts, readFrom } from '../session/documents.ts';
import type { CacheQuery } from '../session/response-cache.ts';
import { mintSecret, type Secret, type SecretPrefix } from '../token/token.ts';
import type { Engine } from './engine.ts';
import { loadDocuments } from './load-documents.ts';

/** Answers a read from a state that was confirmed for it. */
export async function replyTo<S extends SessionRoot>(
  engine: Engine<S>,
  call: Call<S>,
  known: S,
  timedOut: boolean,
): Promise<Reply> {
  const caller = call.identify(known);
  call.operation.check?.(known, call.input, caller);
  const query = { role: caller.role, timedOut };
  return engine.responseCache.find(call, known, query) ?? replyAnew(engine, call, known, query);
}

async function replyAnew<S extends SessionRoot>(
  engine: Engine<S>,
  call: Call<S>,
  known: S,
  query: CacheQuery,
): Promise<Reply> {
  const { operation, sessionId, input } = call;
  const { state, texts } = await loadDocuments(engine, call, known);
  const caller = call.identify(state);
  const seqs = operation.reads?.(state, input, caller) ?? [];
  const loaded = seqs.length > 0 ? await engine.sessions.read(sessionId, seqs) : [];
  const { timedOut } = query;
  const context = { ...contextFor(engine, state), caller, timedOut, loaded, document: readFrom(texts) };
  const reply = replyOf(operation.reply(state, input, operation.cacheKey ? cacheable(context) : context));
  engine.responseCache.keep(call, state, query, reply);
  return reply;
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

/** The answer to a write whose text was let in with warnings. */
export const withWarnings = (reply: unknown, warnings: readonly InputWarning[]): unknown =>
  warnings.length > 0 ? { ...Object(reply), warnings } : reply;

const NO_TEXTS: DocumentTexts = new Map();

/** The context of a reply on a state, without the caller. Callers of this function add what the operation asked for. */
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

/** Now, but never before the given time. */
export function laterOf(at: string, clock: Clock): string {
  const now = isoTime(clock.now());
  return now < at ? at : now;
}
