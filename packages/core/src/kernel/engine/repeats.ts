/**
 * Finds the record that a write of an agent would make a second time. A client repeats a call whose answer it has lost. If the caller's
 * own open records already say, word for word, what the events of the call would say, nothing is stored, and the call gets
 * the answer of the first call, also if its caller has reached a limit.
 */
import type { LoggedEvent } from '../log/event.ts';
import type { Call } from '../operation/call.ts';
import type { SessionRoot } from '../operation/operation.ts';
import { canonicalJson } from '../text/canonical.ts';
import type { Append, Replayed } from './decide-write.ts';
import type { Engine } from './engine.ts';

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
