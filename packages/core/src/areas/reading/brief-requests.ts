import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { contractEvents } from '../contract/events.ts';
import { isLaterRevision } from '../contract/rules.ts';
import type { Revision } from '../contract/state.ts';
import { At, MessageCursor, RevisionId } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { storedData } from '../stored-data.ts';

/**
 * A request of the owner for changes to the contract, and the revision that the author submitted after this request.
 */
const ChangeRequest = z.strictObject({
  message_id: MessageCursor,
  requested_at: At,
  returned: RevisionId.describe('The revision that you returned to its author.'),
  text: z.string().describe('Your words.'),
  answered_by: RevisionId.nullable().describe('The revision submitted after the request; null if there is none yet.'),
  answer: z.string().nullable().describe('What the revision `answered_by` changed, in the words of its author.'),
});
documented.add(ChangeRequest, { id: 'ChangeRequest' });

export const REQUEST_FIELDS = {
  requests: z
    .array(ChangeRequest)
    .describe(
      'For the approval: your requests for changes after the revision `since`; your latest request is always listed.',
    ),
};

/** A request for changes: the number of its event, and the revision that answers it. */
interface Asked {
  readonly seq: number;
  readonly answer: Revision | null;
}

/**
 * The owner's requests for changes that the brief shows, oldest first. These are the requests that a revision after
 * `since` answers or, if there are none, the latest answered request. A request that no revision answers yet comes
 * last.
 */
function requestsOf({ contract }: SessionState, since: Revision | null): Asked[] {
  const answered = valuesOf(contract.revisions).flatMap((answer) =>
    answer.requestSeq === null ? [] : [{ seq: answer.requestSeq, answer }],
  );
  const newer = answered.filter(({ answer }) => !since || isLaterRevision(answer.revisionId, since.revisionId));
  const open = contract.sentBack ? [{ seq: contract.sentBack.seq, answer: null }] : [];
  return [...(newer.length > 0 ? newer : answered.slice(-1)), ...open];
}

/** Numbers of the events that contain the texts of the requests. */
export const requestSeqs = (state: SessionState, since: Revision | null): number[] =>
  requestsOf(state, since).map(({ seq }) => seq);

export function listRequests(
  lists: BoundedLists,
  state: SessionState,
  { since, loaded }: { readonly since: Revision | null; readonly loaded: readonly LoggedEvent[] },
) {
  const requests = lists.list({
    records: requestsOf(state, since),
    view: (asked) => viewRequest(asked, loaded),
    how: () => 'Call transcript with kind: "changes.requested".',
  });
  return () => ({ requests: requests() });
}

function viewRequest({ seq, answer }: Asked, loaded: readonly LoggedEvent[]): z.output<typeof ChangeRequest> {
  const { reason, revision_id } = storedData(loaded, seq, contractEvents['changes.requested']);
  return {
    message_id: seq,
    requested_at: loaded.find((event) => event.seq === seq)?.at ?? '',
    returned: revision_id,
    text: reason,
    answered_by: answer?.revisionId ?? null,
    answer: answer?.reason ?? null,
  };
}
