import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { contractEvents } from '../contract/events.ts';
import { isLaterRevision, namesRequest } from '../contract/rules.ts';
import type { Revision } from '../contract/state.ts';
import { At, MessageCursor, RevisionId } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { storedData } from '../stored-data.ts';
import type { Pair } from './pair.ts';

/**
 * A request of the owner for changes to the contract, and a revision that the author submitted after this request.
 */
const ChangeRequest = z.strictObject({
  message_id: MessageCursor,
  requested_at: At,
  returned: RevisionId.describe('The revision that you returned to its author.'),
  text: z.string().describe('Your words.'),
  answered_by: RevisionId.nullable().describe(
    'The first revision after the request whose `causes` name the request. If none does, the first revision after the request; null if there is none yet. The revision need not fulfil the request.',
  ),
  answer: z.string().nullable().describe('What the revision `answered_by` changed, in the words of its author.'),
  is_named: z
    .boolean()
    .describe(
      'Whether the `causes` of the revision `answered_by` name the request. If not, check that the changes fulfil the request.',
    ),
});
documented.add(ChangeRequest, { id: 'ChangeRequest' });

export const REQUEST_FIELDS = {
  requests: z
    .array(ChangeRequest)
    .describe(
      'Your requests for changes after the revision `since`; your latest request is always listed. In a brief, for the approval only.',
    ),
};

/** A request for changes: the number of its event, and the revision after it that the brief shows. */
interface Asked {
  readonly seq: number;
  readonly answer: Revision | null;
}

/**
 * The owner's requests for changes that the brief shows, oldest first. These are the requests whose shown revision is
 * later than `since` or, if there are none, the latest request that a revision follows. Requests that no revision
 * follows yet come last. Requests after the revision `pair.revision` are left out.
 */
function requestsOf({ contract }: SessionState, pair: Pair | undefined): Asked[] {
  if (!pair) return [];
  const { since, revision } = pair;
  const revisions = valuesOf(contract.revisions).filter(({ seq }) => seq <= revision.seq);
  const answered = revisions.flatMap((first, index) =>
    first.request_seqs.map((seq) => ({
      seq,
      answer: revisions.slice(index).find((revision) => namesRequest(revision, seq)) ?? first,
    })),
  );
  const newer = answered.filter(({ answer }) => !since || isLaterRevision(answer.revision_id, since.revision_id));
  const open =
    revision === contract.latest ? contract.requests.map(({ message_id }) => ({ seq: message_id, answer: null })) : [];
  return [...(newer.length > 0 ? newer : answered.slice(-1)), ...open];
}

/** Numbers of the events that contain the texts of the requests. */
export const requestSeqs = (state: SessionState, pair: Pair | undefined): number[] =>
  requestsOf(state, pair).map(({ seq }) => seq);

export function listRequests(
  lists: BoundedLists,
  state: SessionState,
  { pair, loaded }: { readonly pair: Pair | undefined; readonly loaded: readonly LoggedEvent[] },
) {
  const requests = lists.list({
    records: requestsOf(state, pair),
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
    answered_by: answer?.revision_id ?? null,
    answer: answer?.reason ?? null,
    is_named: answer !== null && namesRequest(answer, seq),
  };
}
