/**
 * Decides a write on a state, and makes its reply. This file does no I/O: `writes.ts` loads the state, appends the
 * events and retries.
 */
import { fail, ParleyError } from '../errors.ts';
import { type AttributedDraft, attributed, type EventDraft, type LoggedEvent } from '../log/event.ts';
import type { Call } from '../operation/host-port.ts';
import type { Caller, DecideEnv, InputWarning, SessionRoot } from '../operation/operation.ts';
import { type Prepared, prepareEvents } from '../session/append.ts';
import { type DocumentTexts, readFrom } from '../session/stored-texts.ts';
import { canonicalJson } from '../text/hash.ts';
import { quotedName } from '../text/safe-echo.ts';
import type { Engine } from './engine.ts';
import { contextFor, laterOf, type StateWithEvents } from './replies.ts';

/** One write, from its first decision to its reply. A write that loses a race is decided again. */
export interface Writing<S extends SessionRoot> {
  readonly engine: Engine<S>;
  readonly call: Call<S>;
  /** Creates a secret. All decisions of one write and its reply get the same secret for the same prefix. */
  readonly mint: DecideEnv['mint'];
}

/** The members that the outcomes `append`, `unchanged` and `replayed` share. The reply is made from them. */
interface Accepted<S> {
  /** The state on which the call was decided. */
  readonly state: S;
  readonly caller: Caller;
  readonly texts: DocumentTexts;
}

export interface Append<S> extends Accepted<S> {
  readonly outcome: 'append';
  readonly prepared: Prepared<S>;
  /** The events that `decide` returned, without those that open and close actions. */
  readonly own: readonly LoggedEvent[];
  readonly warnings: readonly InputWarning[];
}

interface Unchanged<S> extends Accepted<S> {
  readonly outcome: 'unchanged';
  readonly warnings: readonly InputWarning[];
}

export interface Replayed<S> extends Accepted<S> {
  readonly outcome: 'replayed';
  /** The events of the first call, or the number of the event that the first call with the idempotency key stored. */
  readonly first: { readonly events: readonly LoggedEvent[] } | { readonly seq: number };
  readonly warnings: readonly InputWarning[];
}

interface Refused<S> {
  readonly outcome: 'refused';
  readonly state: S;
  readonly refusal: ParleyError;
}

/** The result of deciding a call on one state. `writes.ts` describes the four outcomes. */
export type WriteResult<S> = Append<S> | Unchanged<S> | Replayed<S> | Refused<S>;

/**
 * Decides a call on a state whose documents and events are loaded. Stores nothing and does no I/O. The outcome `append` is
 * final after `repeatOrAppend`.
 */
export function decideWrite<S extends SessionRoot>(writing: Writing<S>, loaded: StateWithEvents<S>): WriteResult<S> {
  try {
    const caller = writing.call.identify(loaded.state);
    return findReplay(writing, loaded, caller) ?? decideAnew(writing, loaded, caller);
  } catch (error) {
    return refused(loaded.state, error);
  }
}

/** Converts a ParleyError to the outcome `refused`. Throws every other error again. */
export function refused<S>(state: S, error: unknown): Refused<S> {
  if (error instanceof ParleyError) return { outcome: 'refused', state, refusal: error };
  throw error;
}

/**
 * Returns the outcome `replayed` if an earlier call used the same idempotency key, otherwise undefined.
 *
 * @throws ParleyError IDEMPOTENCY_CONFLICT if the key was used with another payload
 */
function findReplay<S extends SessionRoot>(
  { call: { operation, idempotency } }: Writing<S>,
  { state, texts }: StateWithEvents<S>,
  caller: Caller,
): Replayed<S> | undefined {
  const record = idempotency && operation.findIdempotencyRecord?.(state, idempotency.key, caller);
  if (!record) return undefined;
  if (record.fingerprint !== idempotency.fingerprint)
    fail(
      'IDEMPOTENCY_CONFLICT',
      `The idempotency key ${quotedName(idempotency.key, 200)} was used before with another payload.`,
    );
  // The event of the first call stores the warnings.
  return { outcome: 'replayed', state, texts, caller, first: { seq: record.seq }, warnings: [] };
}

function decideAnew<S extends SessionRoot>(
  writing: Writing<S>,
  { state, texts, events: loaded }: StateWithEvents<S>,
  caller: Caller,
): Append<S> | Unchanged<S> {
  const { engine, call, mint } = writing;
  const { clock, domain, limits } = engine;
  const warnings = caller.role === 'owner' ? [] : checkAgentWrite(writing, state, caller);
  const now = laterOf(state.at, clock);
  const document = readFrom(texts);
  const { idempotency, sessionId } = call;
  const shownSeq = engine.shown.of(sessionId, caller.role);
  const env: DecideEnv = { now, clockMs: clock.now(), limits, idempotency, mint, document, loaded, warnings, shownSeq };
  const drafts = call.operation.decide?.(call.look?.(state) ?? state, call.input, caller, env) ?? [];
  if (drafts.length === 0) return { outcome: 'unchanged', state, texts, caller, warnings };
  const prepared = prepareEvents(domain, state, drafts.map(withActor(caller)), clock.now());
  return { outcome: 'append', state, texts, caller, warnings, prepared, own: prepared.events.slice(0, drafts.length) };
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
  (caller: Caller) =>
  (draft: EventDraft): AttributedDraft =>
    attributed(draft, draft.actor ?? caller.role, caller.role === 'owner' ? caller.person : undefined);

export type AcceptedWrite<S> = Exclude<WriteResult<S>, Refused<S>>;

/**
 * Makes the reply to a write that is stored or needs no append. The caller adds the warnings to the reply. Does no I/O.
 *
 * @param firstUse for `replayed`: the events of the first call
 */
export function replyToWrite<S extends SessionRoot>(
  { engine, call, mint }: Writing<S>,
  result: AcceptedWrite<S>,
  firstUse: readonly LoggedEvent[],
): unknown {
  const { caller, texts } = result;
  const { state, events, documents } =
    result.outcome === 'append' ? result.prepared : { state: result.state, events: firstUse, documents: [] };
  const context = { ...contextFor(engine, state, caller), events, mint, document: readFrom(texts, documents) };
  return call.operation.reply(call.look?.(state) ?? state, call.input, context);
}

/** Adds the warnings about the input to a reply. */
export function withWarnings<S>({ warnings }: AcceptedWrite<S>, reply: unknown): unknown {
  return warnings.length > 0 ? { ...Object(reply), warnings } : reply;
}

/*
 * Finds the record that a write of an agent would make a second time. A client repeats a call whose answer it has lost. If the caller's
 * own open records already say, word for word, what the events of the call would say, nothing is stored, and the call gets
 * the answer of the first call, also if its caller has reached a limit.
 */

/**
 * Numbers of the stored events with which `repeatOrAppend` compares the events of a write. Empty if the write cannot repeat a
 * record.
 */
export function seqsToCompare<S extends SessionRoot>(
  engine: Pick<Engine<S>, 'domain'>,
  call: Call<S>,
  append: Append<S>,
): readonly number[] {
  const lists = append.own.map((event) => recordsFor(engine, call, append, event).seqs);
  return lists.every(({ length }) => length > 0) ? [...new Set(lists.flat())] : [];
}

/**
 * Returns the outcome `replayed` if the write repeats a record, and otherwise the write.
 *
 * @param stored the events that `seqsToCompare` named
 * @throws ParleyError if the write would go beyond a limit
 */
export function repeatOrAppend<S extends SessionRoot>(
  engine: Pick<Engine<S>, 'domain' | 'limits'>,
  call: Call<S>,
  append: Append<S>,
  stored: readonly LoggedEvent[],
): Append<S> | Replayed<S> {
  const repeat = stored.length > 0 ? repeatOf(engine, call, append, stored) : undefined;
  if (repeat) return repeat;
  engine.domain.checkLimits(append.state, append.caller.role, append.own, engine.limits);
  return append;
}

/**
 * Returns the outcome `replayed` if each event of the write has the content of one of the stored events. The ids that the write
 * would give to its records count as the ids of the stored records.
 */
function repeatOf<S extends SessionRoot>(
  engine: Pick<Engine<S>, 'domain'>,
  call: Call<S>,
  append: Append<S>,
  stored: readonly LoggedEvent[],
): Replayed<S> | undefined {
  const ids = new Map<unknown, unknown>();
  const events: LoggedEvent[] = [];
  for (const event of append.own) {
    const { seqs, apart } = recordsFor(engine, call, append, event);
    const said = contentOf(event, apart, ids);
    const twin = stored.find((other) => seqs.includes(other.seq) && contentOf(other, apart) === said);
    if (!twin || twin.actor !== event.actor) return undefined;
    for (const name of apart) ids.set(memberOf(event, name), memberOf(twin, name));
    events.push(twin);
  }
  const { state, texts, caller, warnings } = append;
  return { outcome: 'replayed', state, texts, caller, warnings, first: { events } };
}

const NO_RECORDS = { seqs: [], apart: [] };

/** The owner may say the same again: the owner's API has the header Idempotency-Key. */
const recordsFor = <S extends SessionRoot>(
  { domain }: Pick<Engine<S>, 'domain'>,
  { input }: Call<S>,
  { state, caller }: Append<S>,
  event: LoggedEvent,
) => (caller.role === 'owner' ? undefined : domain.openRecords(state, event, input)) ?? NO_RECORDS;

/** The canonical content of an event without some members, with ids replaced. */
function contentOf(
  { kind, data }: LoggedEvent,
  without: readonly string[],
  ids?: ReadonlyMap<unknown, unknown>,
): string {
  const members = Object.entries(Object(data))
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => [name, ids?.has(value) ? ids.get(value) : value]);
  return `${kind} ${canonicalJson(Object.fromEntries(members))}`;
}

const memberOf = ({ data }: LoggedEvent, name: string): unknown => Object(data)[name];
