import { type Clock, isoTime } from './clock.ts';
import { type DocumentTexts, furnish, readFrom } from './documents.ts';
import type { Folded } from './domain.ts';
import type { Call, Engine } from './engine.ts';
import type { Caller, DecideEnv, InputWarning, ReplyContext } from './operation.ts';
import { mintSecret, type Secret, type SecretPrefix } from './token.ts';

export async function replyTo<S extends Folded>(
  engine: Engine<S>,
  call: Call<S>,
  known: S,
  extra: Pick<ReplyContext, 'timedOut' | 'events'>,
): Promise<unknown> {
  const { state, texts } = await furnish(engine, call, known);
  const caller = call.identify(state);
  const seqs = call.operation.reads?.(state, call.input, caller) ?? [];
  const loaded = seqs.length > 0 ? await engine.sessions.read(call.sessionId, seqs) : [];
  return call.operation.reply(
    state,
    call.input,
    contextFor(engine, state, caller, { ...extra, loaded, document: readFrom(texts) }),
  );
}

/** The answer to a write whose text was let in with warnings. */
export const withWarnings = (reply: unknown, warnings: readonly InputWarning[]): unknown =>
  warnings.length > 0 ? { ...Object(reply), warnings } : reply;

const NO_TEXTS: DocumentTexts = new Map();

export function contextFor<S extends Folded>(
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

export function mintOnce<S extends Folded>({ random, key }: Engine<S>, sessionId: string): DecideEnv['mint'] {
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
