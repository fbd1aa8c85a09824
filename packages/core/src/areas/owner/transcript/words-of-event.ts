import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { isRecord } from '../../../kernel/text/json-value.ts';
import { subjectOf } from '../../feed/subject.ts';
import type { Term } from './find-term.ts';
import { hasTerms } from './words.ts';

/** By the name of a member that contains an id: the type of the record with this id. */
const ID_MEMBERS = { decision_id: 'decision', question_id: 'question', finding_id: 'finding' } as const;

/**
 * The record in which the searched terms occur. For a turn, the decision or question whose texts contain all of the
 * terms. For any other event, the record that the event is about.
 */
export function recordWith(
  event: LoggedEvent,
  terms: readonly Term[],
  sessionId: string,
): { type: string; id: string } {
  const lists = Object.values(Object(event.data)).filter((member): member is unknown[] => Array.isArray(member));
  for (const item of lists.flat()) {
    if (!isRecord(item) || !hasTerms(item, terms)) continue;
    for (const [member, type] of Object.entries(ID_MEMBERS)) {
      const id = item[member];
      if (typeof id === 'string') return { type, id };
    }
  }
  const { type, id } = subjectOf(event, sessionId);
  return { type, id };
}
