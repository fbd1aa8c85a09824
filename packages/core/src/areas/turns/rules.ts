import { z } from 'zod';
import { nameKey } from '../../kernel/name-key.ts';
import { RequestId } from '../../kernel/operation/arguments.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS, type Builder, otherBuilder } from '../../kernel/roles.ts';
import { VERDICTS } from '../decisions/events.ts';
import { Proposal } from '../decisions/rules.ts';
import { EvidenceItems } from '../evidence.ts';
import { BuilderRole, DecisionId, InterventionId, LongText, QuestionId, Reason, text } from '../fields.ts';
import { NOTED } from '../followups/rules.ts';
import { NewQuestion, questionKey } from '../questions/rules.ts';
import type { SessionState } from '../state.ts';

/** The builder that posts the turn with this number. The builders alternate. */
export const speakerOf = ({ profile }: SessionState, turnIndex: number): Builder =>
  turnIndex % 2 === 0 ? profile.first_turn : otherBuilder(profile.first_turn);

export const roundOf = ({ profile }: SessionState, turnIndex: number): number =>
  Math.min(Math.floor(turnIndex / 2) + 1, profile.round_limit);

export const hasTurnsLeft = ({ profile, turns }: SessionState): boolean => turns.count < 2 * profile.round_limit;

/** The builder that can post a turn now. Null if the status, the phase or the limit of rounds allows no turn. */
export function nextAgent(state: SessionState): Builder | null {
  const { status, phase } = state.profile;
  const isOpen = status === 'ACTIVE' && (phase === 'PLANNING' || phase === 'CONTRACT');
  return isOpen && hasTurnsLeft(state) ? speakerOf(state, state.turns.count) : null;
}

export const hasConverged = ({ turns }: SessionState): boolean =>
  BUILDERS.every((builder) => turns.lastOf[builder]?.converged === true);

const SUMMARY_MAX_CHARS = 8_000;
/** Maximum number of items in each list of a turn. */
export const MAX_ITEMS = 50;

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

type TurnAnswer = z.output<typeof TurnAnswer>;

/**
 * The faults of an answer: missing members, and members that belong to the other kind of answer. The path `''` stands
 * for the whole answer.
 */
function* faultsOf(answer: TurnAnswer): Generator<readonly [string, string]> {
  const { question_id, decision_id, decision, reason } = answer;
  if (question_id === undefined && decision_id === undefined)
    return yield ['', 'Must name a question_id, with answer, or a decision_id, with decision.'];
  if (question_id !== undefined) {
    if (answer.answer === undefined) yield ['answer', 'Is required.'];
    for (const member of DECISION_MEMBERS)
      if (answer[member] !== undefined) yield [member, 'Must be in another item: this item answers a question.'];
    return;
  }
  if (answer.answer !== undefined) yield ['answer', 'Must be left out: this item answers a decision.'];
  if (decision === undefined) yield ['decision', 'Is required.'];
  if (decision === 'REJECT' && reason === undefined) yield ['reason', 'Is required.'];
}

const DECISION_MEMBERS = ['decision_id', 'decision', 'reason'] as const;

const TurnFields = {
  summary: text(SUMMARY_MAX_CHARS).describe('What you found and propose.'),
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
  ...NOTED,
  nominates: BuilderRole.optional().describe('As elect_contract_author: the Contract Author you want.'),
};

const turnShape = z.strictObject({
  ...TurnFields,
  request_id: RequestId.optional().describe('Idempotency key.'),
});

/**
 * A turn as the caller sends it. Refuses repetitions within the turn: of a question or decision that is answered, of
 * the topic of a proposal, of a new question, and of an acknowledged directive.
 */
export const TurnInput = turnShape.superRefine((turn, issues) => {
  const report = (path: string, values: readonly string[] = []): void => {
    values.forEach((value, index) => {
      if (values.indexOf(value) < index)
        issues.addIssue({ code: 'custom', path: [path, index], message: 'Repeats an earlier item of this turn.' });
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
    turn.proposed_decisions?.map(({ topic }) => nameKey(topic)),
  );
  report('questions', turn.questions?.map(questionKey));
  report('acknowledged_directives', turn.acknowledged_directives);
});
documented.add(TurnInput, { id: 'Turn' });

export type Turn = z.output<typeof turnShape>;
