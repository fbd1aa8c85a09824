import { sleep } from '../clock.ts';
import { fail, ParleyError } from '../errors.ts';
import type { AttributedDraft, EventDraft, LoggedEvent } from '../log/event.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/domain.ts';
import type { Caller, DecideEnv, InputWarning } from '../operation/operation.ts';
import { type Reply, replyOf } from '../reply.ts';
import { quotedName } from '../safe-echo.ts';
import { appendExactly, type Prepared, prepareEvents } from '../session/append.ts';
import { type DocumentTexts, readFrom } from '../session/documents.ts';
import type { RandomBytes } from '../token/token.ts';
import { type Engine, loadState } from './engine.ts';
import { loadDocuments, type StateWithDocuments } from './load-documents.ts';
import { contextFor, laterOf, mintOnce, withWarnings } from './replies.ts';

/** Against a process that writes without a pause, about one try in two is lost. */
const MAX_LOSSES = 16;
const JITTER_MS = { min: 2, max: 50 } as const;

/** One call being tried. */
export interface Writing<S extends SessionRoot> {
  readonly engine: Engine<S>;
  readonly call: Call<S>;
  readonly mint: DecideEnv['mint'];
}

/** What a call comes to on one state: events to store, a refusal, or nothing new. */
export interface WriteResult<S> {
  readonly state: S;
  readonly caller?: Caller;
  readonly prepared?: Prepared<S>;
  readonly texts?: DocumentTexts;
  readonly warnings?: readonly InputWarning[];
  /** The number of the event that a repeated key stands for. */
  readonly replayed?: number;
  readonly refusal?: ParleyError;
}

/**
 * Decides on the state known here and appends; a lost race, a refusal or an answer without events is first held
 * against a state that the storage confirmed for this request.
 */
export async function runWrite<S extends SessionRoot>(engine: Engine<S>, call: Call<S>): Promise<Reply> {
  const writing: Writing<S> = { engine, call, mint: mintOnce(engine, call.sessionId) };
  let state = engine.sessions.peek(call.sessionId) ?? call.seen;
  let isConfirmed = state === undefined || state.head.hash === call.seen?.head.hash;
  state ??= await loadState(engine, call);
  for (let losses = 0; ; ) {
    const result = await tryWithDocuments(writing, state);
    state = result.state;
    if (result.prepared) {
      if (losses === MAX_LOSSES) return fail('CONFLICT', `Other writes to this session came first ${losses} times.`);
      if (await commit(engine, state, result.prepared)) return await conclude(writing, result);
      losses += 1;
      engine.observer?.raceLost();
      await sleep(engine.clock, jitter(engine.random));
    } else if (isConfirmed) {
      return await conclude(writing, result);
    }
    const fresh: S = await loadState(engine, call);
    if (!result.prepared && fresh.head.hash === state.head.hash) return await conclude(writing, result);
    state = fresh;
    isConfirmed = true;
  }
}

async function tryWithDocuments<S extends SessionRoot>(writing: Writing<S>, state: S): Promise<WriteResult<S>> {
  try {
    const loaded = loadDocuments(writing.engine, writing.call, state);
    return tryOn(writing, loaded instanceof Promise ? await loaded : loaded);
  } catch (error) {
    return refused(state, error);
  }
}

/** Tries a call on one state; nothing is stored. */
export function tryOn<S extends SessionRoot>(
  writing: Writing<S>,
  { state, texts }: StateWithDocuments<S>,
): WriteResult<S> {
  try {
    return { ...decideOn(writing, { state, texts }, writing.call.identify(state)), texts };
  } catch (error) {
    return refused(state, error);
  }
}

function refused<S>(state: S, error: unknown): WriteResult<S> {
  if (error instanceof ParleyError) return { state, refusal: error };
  throw error;
}

function decideOn<S extends SessionRoot>(
  writing: Writing<S>,
  { state, texts }: StateWithDocuments<S>,
  caller: Caller,
): WriteResult<S> {
  const { engine, call, mint } = writing;
  const { operation, input, idempotency } = call;
  const record = idempotency && operation.findIdempotencyRecord?.(state, idempotency.key, caller);
  if (record) return { state, caller, replayed: replayedSeq(record, idempotency) };
  const warnings = caller.role === 'owner' ? [] : checkAgentWrite(writing, state, caller);
  const env: DecideEnv = {
    now: laterOf(state.at, engine.clock),
    clockMs: engine.clock.now(),
    limits: engine.limits,
    idempotency,
    mint,
    document: readFrom(texts),
    warnings,
  };
  const drafts = operation.decide?.(state, input, caller, env) ?? [];
  if (drafts.length === 0) return { state, caller, warnings };
  engine.domain.checkQuota(state, caller.role, drafts);
  return {
    state,
    caller,
    warnings,
    prepared: prepareEvents(engine.domain, state, drafts.map(withActor(caller)), engine.clock.now()),
  };
}

function checkAgentWrite<S extends SessionRoot>(
  { engine: { domain }, call }: Writing<S>,
  state: S,
  caller: Caller,
): readonly InputWarning[] {
  domain.checkLifecycle(state, call.operation, caller);
  return domain.inspectInput(state, call);
}

const withActor =
  ({ role }: Caller) =>
  (draft: EventDraft): AttributedDraft => ({ ...draft, actor: draft.actor ?? role });

function replayedSeq(
  { seq, fingerprint }: { seq: number; fingerprint: string },
  sent: { key: string; fingerprint: string },
): number {
  if (fingerprint === sent.fingerprint) return seq;
  return fail('IDEMPOTENCY_CONFLICT', `The key ${quotedName(sent.key, 200)} was used before for another payload.`);
}

/** Stores what was prepared and tells this process and the others. False when another write came first. */
async function commit<S extends SessionRoot>(
  engine: Engine<S>,
  before: S,
  { state, stored, documents }: Prepared<S>,
): Promise<boolean> {
  const { status, phase } = engine.domain.listing(state);
  const append = {
    sessionId: state.sessionId,
    expected: before.head,
    events: stored,
    documents,
    listing: { status, phase },
  };
  const tick = engine.waiters.tick();
  if ((await appendExactly(engine.storage, engine.clock, append)) === 'refused') return false;
  engine.documents.keep(state.sessionId, documents);
  const isLatest = engine.sessions.keep(before.head, state, stored);
  engine.signals.emit('committed', { state, tick, isLatest });
  return true;
}

/** The reply, or the refusal, that an attempt comes to once it is certain. */
async function conclude<S extends SessionRoot>(
  { engine, call, mint }: Writing<S>,
  result: WriteResult<S>,
): Promise<Reply> {
  const { caller, prepared, replayed, refusal, texts = new Map(), warnings = [] } = result;
  if (refusal || !caller) throw refusal;
  const state = prepared?.state ?? result.state;
  const events = replayed === undefined ? (prepared?.events ?? []) : await firstAnswer(engine, call, replayed);
  const document = readFrom(texts, prepared?.documents);
  const context = { ...contextFor(engine, state), caller, events, mint, document };
  return replyOf(withWarnings(call.operation.reply(state, call.input, context), warnings));
}

/** The event that a repeated key stands for. A failover may take it away after the state was confirmed. */
async function firstAnswer<S extends SessionRoot>(
  { sessions }: Engine<S>,
  { sessionId, idempotency }: Call<S>,
  seq: number,
): Promise<LoggedEvent[]> {
  const [event] = await sessions.read(sessionId, [seq]);
  const stored: Partial<NonNullable<DecideEnv['idempotency']>> = Object(event?.data).idempotency ?? {};
  const isIt = stored.key === idempotency?.key && stored.fingerprint === idempotency?.fingerprint;
  if (event && isIt) return [event];
  return fail('CONFLICT', 'A database failover cut the log back while this request ran.');
}

function jitter(random: RandomBytes): number {
  const [byte = 0] = random(1);
  return JITTER_MS.min + (byte / 255) * (JITTER_MS.max - JITTER_MS.min);
}
