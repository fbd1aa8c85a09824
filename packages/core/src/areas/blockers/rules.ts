import { z } from 'zod';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { validationOf } from '../contract/rules.ts';
import { Party, RecordRef, RevisionId } from '../fields.ts';
import { LIST_COST, pageCall, pickOf } from '../listing.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import { BLOCKER_CODES } from '../task.ts';
import { isCertified, type StoppingTask, stoppingTasks } from '../tasks/agent-tasks.ts';

/**
 * A reason why the contract cannot be certified: the record, the responsible role, and the call that removes the
 * blocker.
 */
export const BlockerView = namedObject('Blocker', {
  code: z.enum(BLOCKER_CODES).register(documented, { id: 'BlockerCode' }),
  record: RecordRef,
  responsible: Party,
  waits_for: Party.optional().describe('Who must act first.'),
  message: z.string(),
  resolution: z.strictObject({
    text: z.string(),
    tool: z.string().optional().describe("The responsible agent's tool, or the owner's operation."),
    route: z.string().optional(),
    payload: z.record(z.string(), z.unknown()).optional().describe('Input to send; replace each <...>.'),
  }),
});

/**
 * A blocker as the state view lists it. Only a VALIDATION_ERROR has a `message`, because the validation errors of a
 * revision all name the same record and differ only in their message.
 */
export const BlockerLine = BlockerView.pick({ code: true, record: true, responsible: true, waits_for: true }).extend({
  message: z.string().optional().describe('Rule and place of a VALIDATION_ERROR.'),
});

const pickLine = pickOf(BlockerLine);

export const viewBlockerLine = ({ due_to: responsible, stops }: StoppingTask): z.output<typeof BlockerLine> => {
  const { message, ...stopping } = stops;
  return pickLine({ ...stopping, responsible, ...(stops.code === 'VALIDATION_ERROR' ? { message } : {}) });
};

/** A task that stops certification, as `list_blockers` shows it. */
export function viewBlocker({ due_to: responsible, tool, payload, stops }: StoppingTask): z.output<typeof BlockerView> {
  const { code, record, message, text, waits_for } = stops;
  const resolution = { text, tool, ...routeOf(tool, responsible), payload: payload && { ...payload } };
  return { code, record, responsible, message, ...(waits_for && { waits_for }), resolution };
}

/**
 * INVALID: the contract has validation errors. IN_REVIEW: something else blocks certification. CERTIFIED: nothing blocks
 * it. APPROVED: the owner has approved the revision, and its manifest is frozen.
 */
export const REVISION_STATUSES = ['INVALID', 'IN_REVIEW', 'CERTIFIED', 'APPROVED'] as const;

export function statusOfLatest(state: SessionState): (typeof REVISION_STATUSES)[number] {
  if (state.manifest.current) return 'APPROVED';
  if (validationOf(state).error_count > 0) return 'INVALID';
  return isCertified(state) ? 'CERTIFIED' : 'IN_REVIEW';
}

export const RevisionRef = namedObject('RevisionRef', {
  revision_id: RevisionId,
  content_hash: z.string(),
  title: z.string().optional(),
  status: z.enum(REVISION_STATUSES).register(documented, { id: 'RevisionStatus' }),
});
export const viewRevisionRef = (state: SessionState): z.output<typeof RevisionRef> | null => {
  const { latest } = state.contract;
  if (!latest) return null;
  const { revision_id, content_hash, title } = latest;
  return { revision_id, content_hash, title, status: statusOfLatest(state) };
};

const BlockerListInput = z.strictObject({
  after: z.int().min(0).max(999_999_999).optional().describe('Skip this many items.'),
});

const BlockerList = namedObject('BlockerList', {
  certified: z.boolean().describe('True when nothing blocks certification: the owner can approve the latest revision.'),
  latest_revision: RevisionRef.nullable(),
  blockers: z.array(BlockerView).describe('Blockers in the order in which they must be removed.'),
  ...LEFT_OUT,
});

/**
 * The members that the operations `list_blockers` and `blockers` share. Each of the two adds its name and its access.
 */
export const blockerListParts = {
  summary: 'List what blocks certification, and who must act.',
  input: BlockerListInput,
  output: BlockerList,
} as const;

/**
 * Makes the function `reply` of an operation that lists blockers.
 * @param tool name of the operation that the answer names as the call for the next page
 */
export const blockerListReply =
  (tool: string) =>
  (state: SessionState, { after = 0 }: z.output<typeof BlockerListInput>) => {
    const blockers = stoppingTasks(state);
    const lists = boundedLists(LIST_COST);
    const shown = lists.list({
      records: blockers.slice(after).map((blocker, index) => ({ blocker, place: after + index + 1 })),
      view: ({ blocker }) => viewBlocker(blocker),
      how: (last) => pageCall(tool, last?.place ?? 0),
    });
    return {
      certified: blockers.length === 0,
      latest_revision: viewRevisionRef(state),
      blockers: shown(),
      ...lists.leftOut(),
    };
  };
