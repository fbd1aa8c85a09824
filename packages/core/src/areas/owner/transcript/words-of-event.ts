import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { isRecord } from '../../../kernel/text/json-value.ts';
import { subjectOf } from '../../feed/subject.ts';
import type { Term } from './find-term.ts';
import { hasTerms } from './words.ts';

/** By the name of a member that contains an id: the type of the record with this id. */
const ID_MEMBERS = { decision_id: 'decision', question_id: 'question', finding_id: 'finding' } as const;

/** A record, and the texts of the record in which searched terms occur. */
interface Found {
  readonly record: { readonly type: string; readonly id: string };
  readonly texts: unknown;
}

/**
 * An event in which the searched terms occur. `texts` is the data of the event, or the contract of the revision that
 * the event created.
 */
export interface Match {
  readonly event: LoggedEvent;
  readonly texts: unknown;
}

/**
 * The record in which the searched terms occur. For a turn, the decision or question whose texts contain all of the
 * terms. For any other event, the record that the event is about.
 */
export function recordWith({ event, texts }: Match, terms: readonly Term[], sessionId: string): Found {
  const lists = Object.values(Object(event.data)).filter((member): member is unknown[] => Array.isArray(member));
  for (const item of lists.flat()) {
    if (!isRecord(item) || !hasTerms(item, terms)) continue;
    for (const [member, type] of Object.entries(ID_MEMBERS)) {
      const id = item[member];
      if (typeof id === 'string') return { record: { type, id }, texts: withPosition(item) };
    }
  }
  const { type, id } = subjectOf(event, sessionId);
  return { record: { type, id }, texts: isRecord(texts) ? withPosition(texts) : texts };
}

/** Puts the position of a decision after its topic, so that an excerpt of the topic shows the position too. */
const withPosition = ({ topic, ...others }: Readonly<Record<string, unknown>>): unknown =>
  typeof topic === 'string' && typeof others.position === 'string'
    ? { ...others, topic: `${topic}: ${others.position}` }
    : { ...others, topic };
