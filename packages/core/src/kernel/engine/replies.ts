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
  const context = contextFor(engine, state, caller, { timedOut: query.timedOut, loaded, document: readFrom(texts) });
  const reply = replyOf(operation.reply(state, input, operation.cacheKey ? withoutTime(context) : context));
  engine.responseCache.keep(call, state, query, reply);
  return reply;
}

/** What an answer may rest on that is given again later: neither the time nor who else asked for it. */
const withoutTime = ({ caller: { role }, events, loaded, document, timedOut }: ReplyContext): ReplyContext => ({
  ...{ caller: { role }, events, loaded, document, timedOut },
  get now() {
    return refuseUse('now');
  },
  get service() {
    return refuseUse('service');
  },
  mint: () => refuseUse('mint'),
});

function refuseUse(member: string): never {
  throw new Error(`An answer that is given again must not rest on ${member}.`);
}

/** The answer to a write whose text was let in with warnings. */
export const withWarnings = (reply: unknown, warnings: readonly InputWarning[]): unknown =>
  warnings.length > 0 ? { ...Object(reply), warnings } : reply;

const NO_TEXTS: DocumentTexts = new Map();

export function contextFor<S extends SessionRoot>(
  engine: Engine<S>,
  state: S,
  caller: Caller,
  extra: Partial<ReplyContext>,
): ReplyContext {
  const mint = mintOnce(engine, state.sessionId);
  return {
    caller,
    now: laterOf(state.at, engine.clock),
    events: [],
    loaded: [],
    document: readFrom(NO_TEXTS),
    timedOut: false,
    service: engine.service,
    mint,
    ...extra,
  };
}

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
