import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { MessageCursor } from '../fields.ts';
import type { SessionState } from '../state.ts';
import type { Ground } from './grounds.ts';

const SeenNumber = MessageCursor.describe(
  'Required: `head.seq` of the answer that you read before deciding. If a record on which the decision rests has changed since, the call is refused. A call without it is refused with the present records and `head`.',
).register(documented, { id: 'SeenNumber' });

const SeenHash = z
  .string()
  .regex(
    /^[0-9a-f]{16,64}$/,
    'Must be 16 to 64 lower-case hexadecimal digits: the beginning of head.hash, or all of it.',
  )
  .describe(
    '`head.hash` of that answer, or at least its first 16 characters. If a restore or a failover has replaced the event `seen` since, the call is refused.',
  )
  .register(documented, { id: 'SeenHash' });

/** The members of the input of each operation of the owner that decides about records that others can change. */
export const SEEN = {
  seen: SeenNumber.optional(),
  seen_hash: SeenHash.optional(),
};

/** Which event the owner had read: its number, and the beginning of its hash. */
export interface Seen {
  readonly seen?: number | undefined;
  readonly seen_hash?: string | undefined;
}

/** What a call rests on, which event the owner had read, and the event that has this number now, if it was looked up. */
interface Resting extends Seen {
  readonly grounds: readonly Ground[];
  readonly event: LoggedEvent | undefined;
}

/** Maximum number of records that a refusal names. */
const MAX_NAMED = 50;

/** Number of the latest event that changed one of the records. 0 if there is none. */
export const latestOf = (grounds: readonly Ground[]): number => Math.max(0, ...grounds.map(({ seq }) => seq));

/**
 * Refuses a decision of the owner if a record on which it rests has changed since the owner read it.
 *
 * @throws ParleyError INVALID_INPUT if `seen` is missing, or higher than the number of the latest event; GROUNDS_CHANGED
 */
export function requireSeen({ head: { seq, hash } }: SessionState, resting: Resting): void {
  const { seen, seen_hash, grounds, event } = resting;
  const head = { seq, hash };
  if (seen === undefined) refuseUnseen(grounds, head);
  if (seen_hash !== undefined && !event?.hash.startsWith(seen_hash))
    fail(
      'GROUNDS_CHANGED',
      `The log no longer has the event ${seen} that you had read: a restore or a failover replaced it.`,
      { changed: newestOf(grounds), head },
    );
  if (seen > seq) refuseInput([{ path: 'seen', message: `Must be at most ${seq}, the number of the latest event.` }]);
  const changed = grounds.filter((ground) => ground.seq > seen);
  if (changed.length === 0) return;
  const named = newestOf(changed);
  const names = named.slice(0, MAX_IN_MESSAGE).map(({ record: { type, id }, now }) => `${type} ${id} (now ${now})`);
  const more = changed.length > names.length ? ` and ${changed.length - names.length} more` : '';
  fail('GROUNDS_CHANGED', `Changed since event ${seen}, which you had read: ${names.join(', ')}${more}.`, {
    changed: named,
    head,
  });
}

const MAX_IN_MESSAGE = 5;

const newestOf = (grounds: readonly Ground[]) =>
  grounds
    .toSorted((one, other) => other.seq - one.seq)
    .slice(0, MAX_NAMED)
    .map(({ record, now, seq }) => ({ record: { ...record }, now, seq }));

function refuseUnseen(grounds: readonly Ground[], head: { readonly seq: number; readonly hash: string }): never {
  return fail('INVALID_INPUT', `seen: Is required; it is ${head.seq} if you decide on what grounds shows.`, {
    issues: [
      { path: 'seen', message: `Is required: the head.seq of the answer on which you decide, now ${head.seq}.` },
    ],
    grounds: newestOf(grounds),
    head,
    hint: 'Compare grounds with what you have read. If you decide the same, send the call again with head.seq as seen.',
  });
}
