import { APPROVED_BY } from '../../text/approved-by.ts';
import { plural } from '../../text/counted.ts';
import { timeText } from '../../text/time.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn } from '../../transcript/message.ts';

/**
 * A line for each approved step: who approved it and when, and how many approvers are missing. A step that needs one
 * approver has no line if that approver has no name.
 */
export function approvalTexts(answer: Members): string[] {
  return recordsIn(answer, 'approvals').flatMap((approval) => {
    const given = recordsIn(approval, 'given');
    const missing = numberIn(approval, 'required') - given.length;
    const isUnnamed = given.every(({ person }) => person === null);
    if (numberIn(approval, 'required') < 2 && isUnnamed) return [];
    const names = given.map(({ person, at }) => `${nameOf(person)}, ${timeText(at)}`);
    const more = missing > 0 ? `; ${plural(missing, 'more approver')} needed` : '';
    return [visibleLine(`${stepOf(textIn(approval, 'stage'))} ${names.join(' and ')}${more}`)];
  });
}

const nameOf = (person: unknown): string => textIn(membersOf(person), 'name') || 'the owner';

const stepOf = (stage: string): string => new Map(Object.entries(APPROVED_BY)).get(stage) ?? stage;
