import { APPROVED_BY, lapsedText } from '../../text/approved-by.ts';
import { plural } from '../../text/counted.ts';
import { timeText } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn } from '../../transcript/message.ts';

/**
 * A line for each approved step: who approved it and when, how many approvers are missing, and whose approval does not
 * count any more. A step that needs one approver has no line if that approver has no name.
 */
export function approvalTexts(answer: Members): string[] {
  return recordsIn(answer, 'approvals').flatMap((approval) => {
    const given = recordsIn(approval, 'given');
    const missing = numberIn(approval, 'required') - given.length;
    const isUnnamed = given.every(({ person }) => person === null);
    if (numberIn(approval, 'required') < 2 && isUnnamed) return [];
    const names = given.map(approverText).join(' and ') || 'nobody';
    const more = missing > 0 ? `; ${plural(missing, 'more approver')} needed` : '';
    const lapsed = lapsedText(lapsedNames(approval));
    return [visibleLine(`${stepOf(textIn(approval, 'stage'))} ${names}${more}${lapsed}`)];
  });
}

/** A line for each person who approved a step, also if the person is not an approver any more. */
export const approverTexts = (approval: Members): string[] => [
  ...recordsIn(approval, 'given').map(approverText),
  ...lapsedNames(approval).map((name) => `${name}: does not count any more`),
];

const approverText = ({ person, at }: Members): string => `${nameOf(person)}, ${timeText(at)}`;

const lapsedNames = (approval: Members): string[] => recordsIn(approval, 'lapsed').map(({ person }) => nameOf(person));

const nameOf = (person: unknown): string => textIn(membersOf(person), 'name') || 'the owner';

const stepOf = (stage: string): string => new Map(Object.entries(APPROVED_BY)).get(stage) ?? stage;
