import { fail } from '../../kernel/errors.ts';
import { BUILDERS, type Builder, type Role } from '../../kernel/roles.ts';
import { receiptsMissing } from '../manifest/rules.ts';
import type { SessionState } from '../state.ts';
import { isExactly, questionsFor } from './questions.ts';

const NAMED = ['revision_id', 'content_hash', 'handshake_sha256', 'shared_contract_sha256', 'fixture_version'] as const;

/** The values that a readiness report must name, and its answers. */
export type Report = Readonly<Record<(typeof NAMED)[number], string>> & {
  readonly answers: readonly { readonly question_id: string; readonly answer: string }[];
};

/** Reasons that refuse READY_TO_CODE, by name. */
export interface ReadinessFaults {
  readonly receipts: readonly string[];
  readonly fields: readonly string[];
  readonly unanswered: readonly string[];
  readonly wrong: readonly string[];
}

export function faultsOf(state: SessionState, report: Report, builder: Builder): ReadinessFaults {
  const { current } = state.manifest;
  const questions = questionsFor(state, builder);
  const given = new Map(report.answers.map(({ question_id, answer }) => [question_id, answer]));
  refuseUnknown(report, new Set(questions.map(({ questionId }) => questionId)));
  const wrong = questions.filter(({ questionId, expected }) => {
    const answer = given.get(questionId);
    return expected !== undefined && answer !== undefined && !isExactly(answer, expected);
  });
  return {
    receipts: receiptsMissing(state.manifest, builder).map(({ filename }) => filename),
    fields: NAMED.filter((name) => report[name] !== current?.[name]),
    unanswered: questions.flatMap(({ questionId }) => (given.has(questionId) ? [] : [questionId])),
    wrong: wrong.map(({ questionId }) => questionId),
  };
}

function refuseUnknown({ answers }: Report, known: ReadonlySet<string>): void {
  const issues = answers.flatMap(({ question_id }, index) =>
    known.has(question_id)
      ? []
      : [{ path: `answers[${index}].question_id`, message: 'Is not one of your readiness questions.' }],
  );
  if (issues.length > 0)
    fail('INVALID_INPUT', 'An answer names a question that is not one of your readiness questions.', { issues });
}

/** Builders that have not reported READY_TO_CODE on the current manifest. */
export const notReady = ({ readiness }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => readiness.reports[builder]?.verdict !== 'READY_TO_CODE');

/** Whether a role can already read the answers of a report. */
export const areAnswersShown = ({ readiness }: SessionState, role: Role, seq: number): boolean =>
  role === 'owner' || seq <= readiness.disclosedUpTo;
