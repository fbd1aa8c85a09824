import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { SessionState } from '../state.ts';
import type { Revision } from './record.ts';

const CAUSE_TYPES = ['change_request', 'decision', 'finding', 'intervention', 'question'] as const;
type CauseType = (typeof CAUSE_TYPES)[number];

const TYPE_OF = new Map<string, CauseType>([
  ['d', 'decision'],
  ['f', 'finding'],
  ['i', 'intervention'],
  ['q', 'question'],
]);

/** A record that caused a revision. */
export const CauseView = z
  .strictObject({ type: z.enum(CAUSE_TYPES), id: z.string() })
  .describe('The id of a change_request is the id of your message.');
documented.add(CauseView, { id: 'ChangeCause' });
export type Cause = z.output<typeof CauseView>;

const CauseId = z
  .string()
  .regex(
    /^([dfiq]_)?[1-9]\d{0,8}$/,
    'Must be the id of a decision, finding, intervention or question, such as f_1, or the number of the message in which the owner requested changes, such as "55".',
  );

/** The input member `causes` of a call that stores a revision. */
export const Causes = z
  .array(CauseId)
  .max(50)
  .optional()
  .describe('Ids of what the revision answers: d_1, f_1, i_1, q_1, or "55" for the message of a request for changes.');

/** Refuses ids of which the session has no record. */
export function requireCauses(state: SessionState, causes: readonly string[]): void {
  for (const cause of causes.map(typed)) {
    if (isKnown(state, cause)) continue;
    const { type, id } = cause;
    const message =
      type === 'change_request'
        ? `causes: message ${id} is no request of the owner for changes.`
        : `causes: there is no ${type} ${id} in this session.`;
    fail('UNKNOWN_RECORD', message, { record: { type, id } });
  }
}

/** The records that the author of a revision named as its causes, and the findings whose answers name the revision. */
export function causesOf({ findings }: SessionState, { revision_id, causes = [] }: Revision): Cause[] {
  const fixed = valuesOf(findings.all)
    .filter(({ response, other_response }) => [response, other_response].some((one) => one?.fixed_in === revision_id))
    .map(({ finding_id }) => finding_id);
  return [...new Set([...causes, ...fixed])].map(typed);
}

/** Whether the author of a revision named the owner's request for changes with this number. */
export const namesRequest = ({ causes = [] }: Revision, seq: number): boolean => causes.includes(String(seq));

const typed = (id: string): Cause => ({ type: TYPE_OF.get(id.slice(0, id.indexOf('_'))) ?? 'change_request', id });

function isKnown(
  { findings, decisions, questions, interventions, contract }: SessionState,
  { type, id }: Cause,
): boolean {
  if (type === 'change_request')
    return [
      ...contract.requests.map(({ message_id }) => message_id),
      ...valuesOf(contract.revisions).flatMap(({ request_seqs }) => request_seqs),
    ].includes(Number(id));
  const records = { finding: findings, decision: decisions, question: questions, intervention: interventions }[type];
  return lookUp<unknown>(records.all, id) !== undefined;
}
