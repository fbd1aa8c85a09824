import { forMember } from '../../kernel/operation/input.ts';
import { isBuilder, type Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { acceptanceDrafts, activeDecision, rejectionDraft } from '../decisions/rules.ts';
import { accepted, closed, type Decisions } from '../decisions/state.ts';
import { isNewAnswer, questionTo } from '../questions/rules.ts';
import type { SessionState } from '../state.ts';
import type { Turn } from './schemas.ts';

type Said = NonNullable<Extract<SessionDraft, { kind: 'turn.posted' }>['data']['answers']>[number];

interface Answered {
  /** The answers as the turn stores them. */
  readonly said: Said[] | undefined;
  readonly drafts: readonly SessionDraft[];
  /** The state of the decisions after these answers, but before the proposals of the same turn. */
  readonly decisions: Decisions;
}

interface Step {
  readonly said: Said;
  readonly drafts: readonly SessionDraft[];
  readonly decisions: Decisions;
}

/**
 * Processes the answers of a turn in their order.
 * @throws ParleyError for the first answer that is refused; the error names its position in the turn
 */
export function answersIn(state: SessionState, { answers }: Turn, role: Role): Answered {
  let { decisions } = state;
  const steps = answers?.map((answer, index) => {
    const step = answerStep({ ...state, decisions }, answer, { role, path: `answers[${index}]` });
    decisions = step.decisions;
    return step;
  });
  return { said: steps?.map(({ said }) => said), drafts: steps?.flatMap(({ drafts }) => drafts) ?? [], decisions };
}

type Answer = NonNullable<Turn['answers']>[number];

interface AnswerOrigin {
  readonly role: Role;
  readonly path: string;
}

function answerStep(state: SessionState, answer: Answer, { role, path }: AnswerOrigin): Step {
  const { question_id, answer: words, decision_id, decision } = answer;
  if (decision_id !== undefined && decision !== undefined) {
    const verdict = { decision_id, decision, reason: answer.reason };
    return forMember(`${path}.decision_id`, () => verdictStep(state.decisions, verdict, role));
  }
  if (question_id === undefined || words === undefined)
    throw new Error('An answer has neither a question_id nor a decision_id, which the schema does not allow.');
  return forMember(`${path}.question_id`, () => questionStep(state, { question_id, answer: words }, role));
}

function questionStep(
  { questions, decisions }: SessionState,
  said: { readonly question_id: string; readonly answer: string },
  role: Role,
): Step {
  const isNew = isNewAnswer(questionTo(questions, said.question_id, role), said.answer);
  return { said, drafts: isNew ? [{ kind: 'question.answered', data: { ...said, in_turn: true } }] : [], decisions };
}

function verdictStep(decisions: Decisions, said: Extract<Said, { decision_id: string }>, by: Role): Step {
  const { decision_id, decision, reason = '' } = said;
  if (decision === 'REJECT') {
    const draft = rejectionDraft(decisions, { decision_id, reason }, { by, inTurn: true });
    return { said, drafts: [draft], decisions: closed(decisions, decision_id, 'REJECTED', reason) };
  }
  const drafts = acceptanceDrafts(activeDecision(decisions, decision_id), { by, inTurn: true });
  return { said, drafts, decisions: isBuilder(by) ? accepted(decisions, decision_id, by) : decisions };
}
