import { plural } from '@parley/core/text';

/** The line above the list of hits: `16 hits so far. Older sessions remain.` */
export function hitsText(hits: number, isComplete: boolean): string {
  if (hits === 0) return isComplete ? 'No session contains these words.' : 'No hits so far. Older sessions remain.';
  return isComplete ? `${plural(hits, 'hit')}.` : `${plural(hits, 'hit')} so far. Older sessions remain.`;
}

/**
 * What a hit names: the id of a record, or the number of a message, such as `#55`, if the text is not part of a record
 * that can be opened. A request of the owner for changes is a message, because only agents write revisions.
 *
 * @param canOpen whether a record with this id can be opened
 */
export function hitPlace({ seq, from, record: { type, id } }: PlacedHit, canOpen: boolean): HitPlace {
  const isRequest = type === 'revision' && from === 'owner';
  return isRequest || !canOpen
    ? { message: seq, text: `#${seq}${isRequest ? `, request on ${id}` : ''}` }
    : { message: null, text: id };
}

interface PlacedHit {
  readonly seq: number;
  readonly from: string;
  readonly record: { readonly type: string; readonly id: string };
}

interface HitPlace {
  /** The number of the message that is opened. Null if the record is opened. */
  readonly message: number | null;
  readonly text: string;
}

/** The present status of the record of a hit: `superseded by d_2`, `resolved`. Empty if the hit has no status. */
export const standingText = ({
  status = '',
  superseded_by = '',
}: {
  status?: string | undefined;
  superseded_by?: string | undefined;
}): string => (superseded_by === '' ? status.toLowerCase() : `superseded by ${superseded_by}`);
