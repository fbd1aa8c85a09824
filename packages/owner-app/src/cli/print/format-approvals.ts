import type { Answer } from '@parley/core/client';
import { plural, timeText } from '@parley/core/text';
import { APPROVED_BY, lapsedText } from '../../text/approved-by.ts';
import { visibleLine } from '../../text/visible.ts';

type Approval = Answer<'view'>['approvals'][number];
type Given = Approval['given'][number];

/**
 * A line for each approved step: who approved it and when, how many approvers are missing, and whose approval does not
 * count any more. A step that needs one approver has no line if that approver has no name.
 */
export const approvalTexts = (approvals: readonly Approval[]): string[] =>
  approvals.flatMap((approval) => {
    const { stage, required, given } = approval;
    const missing = required - given.length;
    if (required < 2 && given.every(({ person }) => person === null)) return [];
    const names = given.map(approverText).join(' and ') || 'nobody';
    const more = missing > 0 ? `; ${plural(missing, 'more approver')} needed` : '';
    return [
      visibleLine(
        `${APPROVED_BY[stage] ?? `${stage} approved by`} ${names}${more}${lapsedText(lapsedNames(approval))}`,
      ),
    ];
  });

/** A line for each person who approved a step, also if the person is not an approver any more. */
export const approverTexts = (approval: Approval): string[] => [
  ...approval.given.map(approverText),
  ...lapsedNames(approval).map((name) => `${name}: does not count any more`),
];

const approverText = (given: Given): string => `${nameOf(given)}, ${timeText(given.at)}`;

const lapsedNames = ({ lapsed = [] }: Approval): string[] => lapsed.map(nameOf);

const nameOf = ({ person }: Given): string => person?.name || 'the owner';
