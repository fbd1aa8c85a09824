import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { Party, RecordRef } from '../fields.ts';
import { pickOf } from '../pick.ts';

export const BLOCKER_CODES = [
  'NOT_STARTED',
  'NO_CONTRACT_AUTHOR',
  'DECISION_OPEN',
  'QUESTION_UNANSWERED',
  'INTERVENTION_UNANSWERED',
  'DIRECTIVE_UNACKNOWLEDGED',
  'NO_REVISION',
  'CHANGES_REQUESTED',
  'VALIDATION_ERROR',
  'FINDING_UNANSWERED',
  'FINDING_UNRESOLVED',
  'HOLD_ACTIVE',
  'PREFLIGHT_MISSING',
  'PREFLIGHT_INCOMPLETE',
  'PREFLIGHT_DANGLING',
  'REVIEW_MISSING',
  'REVIEW_REQUESTS_CHANGES',
  'MODERATOR_REVIEW_REQUESTS_CHANGES',
] as const;

/**
 * A reason why the contract cannot be certified: the record, the responsible role, and the call that removes the
 * blocker.
 */
export const BlockerView = z.strictObject({
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
documented.add(BlockerView, { id: 'Blocker' });

/**
 * A blocker as the state view lists it. Only a VALIDATION_ERROR has a `message`, because the validation errors of a
 * revision all name the same record and differ only in their message.
 */
export const BlockerLine = BlockerView.pick({ code: true, record: true, responsible: true, waits_for: true }).extend({
  message: z.string().optional().describe('Rule and place of a VALIDATION_ERROR.'),
});

const pickLine = pickOf(BlockerLine);

export const viewBlockerLine = ({ message, ...blocker }: Blocker): z.output<typeof BlockerLine> =>
  pickLine(blocker.code === 'VALIDATION_ERROR' ? { ...blocker, message } : blocker);

export type Blocker = z.output<typeof BlockerView>;
