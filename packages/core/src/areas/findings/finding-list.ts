import { z } from 'zod';
import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { FindingId } from '../fields.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { findingOf, isOpen } from './rules.ts';
import { FindingView, viewFinding, viewWholeFinding } from './schemas.ts';

const FindingListInput = z.strictObject({ finding_id: FindingId.optional(), ...PAGE_INPUT });

/** What list_findings and get_moderator_findings have in common: all but name and access. */
export const findingListParts = {
  summary:
    "List all findings, the reviewer's and the moderator's, with status and response, oldest first; with finding_id one, its evidence whole.",
  rest: 'GET findings',
  input: FindingListInput,
  output: z.strictObject({ findings: z.array(FindingView), ...LEFT_OUT }).register(documented, { id: 'FindingList' }),
  errors: ['UNKNOWN_RECORD'],
} as const;

/** Where not all fit, open ones go first. @param tool the operation that lists them */
export const findingListReply =
  (tool: string) =>
  ({ findings }: SessionState, { finding_id, after }: z.output<typeof FindingListInput>) => {
    if (finding_id !== undefined) return { findings: [viewWholeFinding(findingOf(findings, finding_id))] };
    const { shown, leftOut } = listed({
      records: valuesOf(findings.all),
      view: viewFinding,
      isCurrent: isOpen,
      idOf: ({ findingId }) => findingId,
      tool,
      after,
    });
    return { findings: shown, ...leftOut };
  };
