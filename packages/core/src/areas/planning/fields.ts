import { z } from 'zod';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { content } from '../content.ts';
import { DecisionId, EvidenceItems, InterventionId, LongText, QuestionId, Reason, text } from '../fields.ts';

export const VERDICTS = ['ACCEPT', 'REJECT'] as const;

export const ADDRESSEES = [...BUILDERS, 'owner'] as const;

/** Maximum number of items in each list of a turn. */
export const MAX_ITEMS = 50;

/** What a decision says: what the input, the events and the state have in common. */
export const PositionFields = {
  topic: text(200).describe('One active decision per topic.'),
  position: content(LongText.describe('Exact enough to be built.')),
  evidence: content(EvidenceItems.optional()),
};

/** A position on a topic: the input of `submit_decision`, and a part of a turn. */
export const Proposal = namedObject('Proposal', {
  ...PositionFields,
  accept: z.boolean().optional().describe('Accept it too.'),
  supersedes: DecisionId.optional(),
});
export type Proposal = z.output<typeof Proposal>;

export const Addressee = z.enum(['agent', ...ADDRESSEES]);

/** A question as a builder asks it in a turn or with `answer_question`. */
export const NewQuestion = z.union([
  text(2_000).describe('A question to the other agent.'),
  z.strictObject({
    text: text(2_000),
    to: Addressee,
    blocking: z.boolean().optional().describe('Default: false.'),
  }),
]);
documented.add(NewQuestion, { id: 'NewQuestion' });
export type NewQuestion = z.output<typeof NewQuestion>;

const statements = () => z.array(text(2_000)).max(MAX_ITEMS).optional();

/**
 * An answer to a question or to a decision, as one object with optional members. A union is not used, because some
 * clients that convert tool schemas keep only one part of a union.
 */
const TurnAnswer = z.strictObject({
  question_id: QuestionId.optional(),
  answer: LongText.optional(),
  decision_id: DecisionId.optional(),
  decision: z.enum(VERDICTS).optional(),
  reason: Reason.optional(),
});
export type TurnAnswer = z.output<typeof TurnAnswer>;

/** What a builder says in a turn. The event of the turn stores these members. */
export const TurnFields = {
  summary: text(8_000).describe('What you found and propose.'),
  answers: z
    .array(TurnAnswer)
    .max(MAX_ITEMS)
    .optional()
    .describe('For a question: question_id, answer. For a decision: decision_id, decision, reason if REJECT.'),
  verified_facts: z
    .array(z.strictObject({ claim: text(2_000), evidence: EvidenceItems.optional() }))
    .max(MAX_ITEMS)
    .optional(),
  proposed_decisions: z.array(Proposal).max(MAX_ITEMS).optional(),
  concerns: statements(),
  questions: z.array(NewQuestion).max(MAX_ITEMS).optional(),
  next_step: text(2_000).optional(),
  interfaces: z
    .array(z.strictObject({ name: text(200), kind: text(60).optional(), description: LongText }))
    .max(MAX_ITEMS)
    .optional(),
  dependencies: statements(),
  safety_conditions: statements(),
  disagreements: statements(),
  acknowledged_directives: z.array(InterventionId).max(MAX_ITEMS).optional().describe('Their ids.'),
  converged: z.boolean().optional().describe('Nothing is left to decide.'),
};
