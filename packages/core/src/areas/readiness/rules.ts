import { fail } from '../../kernel/errors.ts';
import { BUILDERS, type Builder, isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { openDisputes } from '../findings/rules.ts';
import { receiptsMissing } from '../manifest/rules.ts';
import type { SessionState } from '../state.ts';
import { isExactly, questionsFor } from './questions.ts';

const NAMED = ['revision_id', 'content_hash', 'handshake_sha256', 'shared_contract_sha256', 'fixture_version'] as const;

/** A readiness report: the values of the manifest that it must repeat, and the builder's answers to the questions. */
export type Report = Readonly<Record<(typeof NAMED)[number], string>> & {
  readonly answers: readonly { readonly question_id: string; readonly answer: string }[];
};

/** The wrong or missing parts of a report. If there are any, READY_TO_CODE is refused. */
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
  refuseUnknown(report, new Set(questions.map(({ question_id }) => question_id)));
  const wrong = questions.filter(({ question_id, expected }) => {
    const answer = given.get(question_id);
    return expected !== undefined && answer !== undefined && !isExactly(answer, expected);
  });
  return {
    receipts: receiptsMissing(state.manifest, builder).map(({ filename }) => filename),
    fields: NAMED.filter((name) => report[name] !== current?.[name]),
    unanswered: questions.flatMap(({ question_id }) => (given.has(question_id) ? [] : [question_id])),
    wrong: wrong.map(({ question_id }) => question_id),
  };
}

function refuseUnknown({ answers }: Report, known: ReadonlySet<string>): void {
  const issues = answers.flatMap(({ question_id }, index) =>
    known.has(question_id)
      ? []
      : [{ path: `answers[${index}].question_id`, message: 'Is not one of your readiness questions.' }],
  );
  if (issues.length > 0)
    fail('INVALID_INPUT', 'An answer names a question_id that is not one of your readiness questions.', { issues });
}

/** Builders that have not reported READY_TO_CODE on the current manifest. */
const notReady = ({ readiness }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => readiness.reports[builder]?.verdict !== 'READY_TO_CODE');

/**
 * The other builder's report, if `builder` must still confirm or dispute the answers in it. Undefined until both
 * builders are ready.
 */
export function reportToCheck(state: SessionState, builder: Builder): Reported | undefined {
  const { questions, reports, checked } = state.readiness;
  const report = reports[otherBuilder(builder)];
  if (questions === null || !report || notReady(state).length > 0) return undefined;
  return checked[builder] === report.seq ? undefined : report;
}

type Reported = NonNullable<SessionState['readiness']['reports']['agent_a']>;

/**
 * The builder whose readiness answer a new finding would dispute: the other builder, if it has answered the question
 * with the id `target` and the role may read this answer. Undefined otherwise.
 */
export function disputedBuilder(state: SessionState, role: Role, target: string | undefined): Builder | undefined {
  if (!isBuilder(role) || state.profile.phase !== 'READINESS' || state.readiness.questions === null) return undefined;
  const report = state.readiness.reports[otherBuilder(role)];
  if (!report || !areAnswersShown(state, role, report.seq)) return undefined;
  return report.answers.some(({ question_id }) => question_id === target) ? report.by : undefined;
}

/**
 * The event that stores a check of the other builder's answers. An answer that an open finding of the caller disputes
 * is stored as disputed, every other answer as confirmed.
 */
export function checkDrafts(state: SessionState, role: Role): SessionDraft[] {
  const report = isBuilder(role) ? reportToCheck(state, role) : undefined;
  if (!report) return [];
  const own = openDisputes(state.findings).filter(({ raised_by }) => raised_by === role);
  const targets = new Set(own.map(({ target }) => target));
  const ids = report.answers.map(({ question_id }) => question_id);
  const data = {
    manifest_id: state.manifest.current?.manifest_id ?? '',
    answers_of: report.by,
    report: report.seq,
    confirmed: ids.filter((id) => !targets.has(id)),
    disputed: ids.filter((id) => targets.has(id)),
  };
  return [{ kind: 'readiness.checked', data }];
}

/** The unmet conditions for the authorization of the build, apart from holds. */
export function missingForBuild(state: SessionState) {
  return {
    reports: notReady(state),
    checks: BUILDERS.filter((builder) => reportToCheck(state, builder) !== undefined),
    disputes: openDisputes(state.findings).filter(({ blocking }) => blocking),
  };
}

export const isBuildReady = (state: SessionState): boolean =>
  Object.values(missingForBuild(state)).every((missing) => missing.length === 0);

/** Whether the role may read the answers of a report. `seq` is the number of the event that stored this report. */
export const areAnswersShown = ({ readiness }: SessionState, role: Role, seq: number): boolean =>
  role === 'owner' || seq <= readiness.disclosedUpTo;
