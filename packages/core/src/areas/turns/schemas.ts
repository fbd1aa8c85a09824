import { z } from 'zod';
import { RequestId } from '../../kernel/operation/arguments.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { VERDICTS } from '../decisions/events.ts';
import { Proposal } from '../decisions/schemas.ts';
import { topicKey } from '../decisions/state.ts';
import { EvidenceItems } from '../evidence.ts';
import { DecisionId, InterventionId, LongText, QuestionId, Reason, text } from '../fields.ts';
import { NewQuestion, questionKey } from '../questions/asking.ts';

const SUMMARY_MAX_CHARS = 8_000;
const MAX_ITEMS = 50;

const statements = (what: string) => z.array(text(2_000)).max(MAX_ITEMS).optional().describe(what);

/** One object with optional members, because converters of tools keep one branch of a union. */
const TurnAnswer = z.strictObject({
  question_id: QuestionId.optional(),
  answer: LongText.optional(),
  decision_id: DecisionId.optional(),
  decision: z.enum(VERDICTS).optional().describe('Does what accept_decision or reject_decision does.'),
  reason: Reason.optional().describe('Why you reject it.'),
});

type TurnAnswer = z.output<typeof TurnAnswer>;

/** The members that an answer lacks, or that belong to the other form of an answer. `''` is the answer itself. */
function* faultsOf(answer: TurnAnswer): Generator<readonly [string, string]> {
  const { question_id, decision_id, decision, reason } = answer;
  if (question_id === undefined && decision_id === undefined)
    return yield ['', 'Must name a question_id, with answer, or a decision_id, with decision.'];
  if (question_id !== undefined) {
    if (answer.answer === undefined) yield ['answer', 'Is required.'];
    for (const member of DECISION_MEMBERS)
      if (answer[member] !== undefined) yield [member, 'Must be in an item of its own; this one answers a question.'];
    return;
  }
  if (answer.answer !== undefined) yield ['answer', 'Must be left out: this item answers a decision.'];
  if (decision === undefined) yield ['decision', 'Is required.'];
  if (decision === 'REJECT' && reason === undefined) yield ['reason', 'Is required.'];
}

const DECISION_MEMBERS = ['decision_id', 'decision', 'reason'] as const;

/** The members of a turn (specification 2). */
const TurnFields = {
  summary: text(SUMMARY_MAX_CHARS).describe('What you found, think and propose, for the other agent to read.'),
  answers: z
    .array(TurnAnswer)
    .max(MAX_ITEMS)
    .optional()
    .describe('Answers to questions to you (question_id, answer) and to decisions (decision_id, decision).'),
  verified_facts: z
    .array(z.strictObject({ claim: text(2_000), evidence: EvidenceItems.optional() }))
    .max(MAX_ITEMS)
    .optional()
    .describe('What you checked yourself, and where.'),
  proposed_decisions: z
    .array(Proposal)
    .max(MAX_ITEMS)
    .optional()
    .describe('Positions on topics; each does what submit_decision does.'),
  concerns: statements('What could go wrong.'),
  questions: z
    .array(NewQuestion)
    .max(MAX_ITEMS)
    .optional()
    .describe('Questions to the other agent or to the owner; a text alone asks the other agent.'),
  next_step: text(2_000).optional().describe('What should happen next.'),
  interfaces: z
    .array(z.strictObject({ name: text(200), kind: text(60).optional(), description: LongText }))
    .max(MAX_ITEMS)
    .optional()
    .describe('Interfaces between the repositories that this turn concerns.'),
  dependencies: statements('What your side needs from elsewhere.'),
  safety_conditions: statements('What must hold for the work to be safe.'),
  disagreements: statements('Where you and the other agent still differ.'),
  acknowledged_directives: z
    .array(InterventionId)
    .max(MAX_ITEMS)
    .optional()
    .describe('Directives that you acknowledge with this turn.'),
  converged: z.boolean().optional().describe('True when you see nothing left to settle before an author is elected.'),
};

const turnShape = z.strictObject({
  ...TurnFields,
  request_id: RequestId.optional().describe('Your key for this turn: sending it again gives the first answer again.'),
});

/** A turn as the caller sends it. Refuses the same topic, question or directive twice. */
export const TurnInput = turnShape.superRefine((turn, issues) => {
  const report = (path: string, values: readonly string[] = []): void => {
    values.forEach((value, index) => {
      if (values.indexOf(value) < index)
        issues.addIssue({ code: 'custom', path: [path, index], message: 'Is twice in this turn.' });
    });
  };
  turn.answers?.forEach((answer, index) => {
    for (const [member, message] of faultsOf(answer))
      issues.addIssue({ code: 'custom', path: ['answers', index, ...(member ? [member] : [])], message });
  });
  report(
    'answers',
    turn.answers?.map(({ question_id, decision_id }, index) => question_id ?? decision_id ?? String(index)),
  );
  report(
    'proposed_decisions',
    turn.proposed_decisions?.map(({ topic }) => topicKey(topic)),
  );
  report('questions', turn.questions?.map(questionKey));
  report('acknowledged_directives', turn.acknowledged_directives);
});
documented.add(TurnInput, { id: 'Turn' });

export type Turn = z.output<typeof turnShape>;
