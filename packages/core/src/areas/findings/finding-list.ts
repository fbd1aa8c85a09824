import { z } from 'zod';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { FindingId } from '../fields.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { FindingView } from './record.ts';
import { findingOf, isOpen } from './rules.ts';
import { findingSeqs, viewFinding, viewWholeFinding } from './schemas.ts';

const FindingListInput = z.strictObject({ finding_id: FindingId.optional(), ...PAGE_INPUT });
type FindingListInput = z.output<typeof FindingListInput>;

/**
 * The members that the operations `list_findings` and `get_moderator_findings` share. Each of the two adds its name and
 * its access.
 */
export const findingListParts = {
  summary: 'List the findings, or one in full by finding_id.',
  rest: 'GET findings',
  input: FindingListInput,
  output: z.strictObject({ findings: z.array(FindingView), ...LEFT_OUT }).register(documented, { id: 'FindingList' }),
  errors: ['UNKNOWN_RECORD'],

  reads({ findings }: SessionState, { finding_id = '' }: FindingListInput): readonly number[] {
    const finding = lookUp(findings.all, finding_id);
    return finding ? findingSeqs(finding) : [];
  },
} as const;

/**
 * Makes the function `reply` of an operation that lists findings. If the answer cannot contain all findings, the open
 * findings come first.
 * @param tool name of the operation that the answer names as the call for the next page
 */
export const findingListReply =
  (tool: string) =>
  (
    state: SessionState,
    { finding_id, after }: FindingListInput,
    { loaded }: { readonly loaded: readonly LoggedEvent[] },
  ) => {
    const { findings } = state;
    if (finding_id !== undefined)
      return { findings: [viewWholeFinding(state, findingOf(findings, finding_id), loaded)] };
    const { shown, leftOut } = listed({
      records: valuesOf(findings.all),
      view: (finding) => viewFinding(state, finding),
      isCurrent: isOpen,
      idOf: ({ finding_id }) => finding_id,
      tool,
      after,
    });
    return { findings: shown, ...leftOut };
  };
