import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS, type Builder, isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import { handoffName, type Outline } from '../document/contract.ts';
import { openDisputes } from '../findings/rules.ts';
import { termsOf } from '../profiles.ts';
import type { SessionState } from '../state.ts';
import type { Manifest } from './events.ts';
import { receiptsMissing, withoutPointer } from './rules.ts';
import { type Readiness, ReadinessView } from './state.ts';

/** A readiness question. If `expected` is absent, any text that is not empty is accepted as the answer. */
export interface ReadinessQuestion {
  readonly question_id: string;
  readonly text: string;
  /** The only correct answer, as a set of words. Absent if any text is accepted. */
  readonly expected?: readonly string[];
}

/**
 * The questions that a builder must answer from the contract and its handoff. Empty if there is no current manifest.
 */
export function questionsFor(
  { manifest, contract, readiness: { questions } }: SessionState,
  builder: Builder,
): ReadinessQuestion[] {
  if (!manifest.current || !contract.outline) return [];
  const asked = questions
    ? [...questions[builder].map((text) => ({ text })), GUARDRAIL_QUESTION]
    : [...exactQuestions(contract.outline, manifest.current, builder), FIRST_TASK_QUESTION, GUARDRAIL_QUESTION];
  return asked.map((question, index) => ({ question_id: `rq_${index + 1}`, ...question }));
}

type Question = Omit<ReadinessQuestion, 'question_id'>;

/** The questions for a manifest in an old log. Such a log stores no questions, so they are derived from the outline. */
function exactQuestions(outline: Outline, manifest: Manifest, builder: Builder): Question[] {
  const { tasks, interfaces, tests } = outline;
  const handoff = handoffName(builder);
  return [
    {
      text: 'Which tasks are assigned to you? Their ids.',
      expected: tasks.filter(({ assignee }) => assignee === builder).map(({ id }) => id),
    },
    {
      text: 'Which interfaces do you provide? Their ids.',
      expected: interfaces.filter(({ provider }) => provider === builder).map(({ id }) => id),
    },
    {
      text: 'Which interfaces do you consume? Their ids.',
      expected: interfaces.filter(({ consumers }) => consumers.includes(builder)).map(({ id }) => id),
    },
    {
      text: 'Which tests do you execute? Their ids.',
      expected: tests.filter(({ executor }) => executor === builder).map(({ id }) => id),
    },
    { text: 'Which fixture_version do both sides use?', expected: [manifest.fixture_version] },
    {
      text: `What is the sha256 of your ${handoff}?`,
      expected: manifest.artifacts.flatMap(({ filename, sha256 }) => (filename === handoff ? [sha256] : [])),
    },
  ];
}

const FIRST_TASK_QUESTION: Question = {
  text: 'Which of your tasks comes first, and what do you need from the other agent?',
};

const GUARDRAIL_QUESTION: Question = {
  text: 'Which guardrail or safety condition is the easiest to break in your part, and how do you keep it?',
};

/**
 * Whether an answer consists of exactly the expected words, which commas or line ends separate. Spaces around words,
 * letter case and order are ignored. If no word is expected, the answer must be `none`.
 */
function isExactly(answer: string, expected: readonly string[]): boolean {
  const given = asSet(answer.split(/[,\r\n]+/));
  const right = asSet(expected.flatMap((value) => value.split(/[,\r\n]+/)));
  const wanted = right.size === 0 ? new Set(['none']) : right;
  return given.size === wanted.size && [...given].every((value) => wanted.has(value));
}

const asSet = (values: readonly string[]): Set<string> =>
  new Set(values.map((value) => value.trim().toLowerCase()).filter((value) => value !== ''));

const NAMED = ['revision_id', 'content_hash', 'handshake_sha256', 'shared_contract_sha256', 'fixture_version'] as const;

/** A readiness report: the values of the manifest that it must repeat, and the builder's answers to the questions. */
export type Report = Readonly<Record<(typeof NAMED)[number], string>> & {
  /** Artifacts that the report confirms: sha256 by filename. */
  readonly receipts?: Readonly<Record<string, string>> | undefined;
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
    receipts: receiptsMissing(state.manifest, builder)
      .map(({ filename }) => filename)
      .filter((filename) => !Object.hasOwn(report.receipts ?? {}, filename)),
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
 * The other builder's READY_TO_CODE report, if `builder` has not reported READY_TO_CODE yet: it may confirm the answers in it
 * with its own report. A builder that asks for these answers reads them before it gives its own.
 */
export function reportToConfirm(state: SessionState, builder: Builder): Reported | undefined {
  const { questions, reports } = state.readiness;
  const report = reports[otherBuilder(builder)];
  if (questions === null || report?.verdict !== 'READY_TO_CODE') return undefined;
  return reports[builder]?.verdict === 'READY_TO_CODE' ? undefined : report;
}

/**
 * The event by which a builder confirms the other builder's answers with its own report.
 * @param seq number of the event with the report whose answers the builder has read
 * @throws ParleyError UNKNOWN_RECORD if the other builder has no such report that is still to confirm
 */
export function confirmationDrafts(state: SessionState, builder: Builder, seq: number): SessionDraft[] {
  const report = reportToConfirm(state, builder) ?? reportToCheck(state, builder);
  if (report?.seq === seq) return [checkDraft(state, builder, report)];
  const message = report
    ? `The report of ${report.by} to confirm is ${report.seq}, not ${seq}.`
    : `${otherBuilder(builder)} has no report ${seq} that you have still to confirm.`;
  return fail('UNKNOWN_RECORD', message, {
    record: { type: 'readiness', id: String(seq) },
    hint: 'Read get_readiness_questions with with_answers: true again. It shows the report to confirm, if there is one; else leave confirms out.',
  });
}

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
  return report ? [checkDraft(state, role, report)] : [];
}

function checkDraft(state: SessionState, role: Role, report: Reported): SessionDraft {
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
  return { kind: 'readiness.checked', data };
}

/**
 * The unmet conditions for the authorization of the build, apart from holds. If the profile asks for no reports, only a report
 * that the agent is BLOCKED counts.
 */
export function missingForBuild(state: SessionState) {
  const { asksReadiness } = termsOf(state);
  const isBlocked = (builder: Builder): boolean => state.readiness.reports[builder]?.verdict === 'BLOCKED';
  return {
    reports: notReady(state).filter((builder) => asksReadiness || isBlocked(builder)),
    checks: BUILDERS.filter((builder) => asksReadiness && reportToCheck(state, builder) !== undefined),
    disputes: openDisputes(state.findings).filter(({ blocking }) => blocking),
  };
}

export const isBuildReady = (state: SessionState): boolean =>
  Object.values(missingForBuild(state)).every((missing) => missing.length === 0);

/** Whether the role may read the answers of a report. `seq` is the number of the event that stored this report. */
export const areAnswersShown = ({ readiness }: SessionState, role: Role, seq: number): boolean =>
  role === 'owner' || seq <= readiness.disclosedUpTo;

/** A readiness question as the builder that must answer it sees it, without the expected answer. */
export const QuestionFields = { question_id: z.string(), text: z.string(), kind: z.enum(['exact', 'free']) };

export const viewQuestion = ({ expected, ...question }: ReadinessQuestion) => ({
  ...question,
  kind: expected ? ('exact' as const) : ('free' as const),
});

const Answer = { question_id: z.string(), text: z.string(), answer: z.string() };

export const DisclosedReadinessView = namedObject('DisclosedReadiness', {
  ...ReadinessView.shape,
  answers: z
    .array(z.strictObject(Answer))
    .optional()
    .describe('Answers of the other builder, once both are READY_TO_CODE, or by with_answers.'),
});

const ANSWER_CHECKS = ['UNCHECKED', 'CONFIRMED', 'DISPUTED'] as const;

export const OwnerReadinessView = namedObject('OwnerReadiness', {
  ...ReadinessView.shape,
  answers: z.array(
    z.strictObject({
      ...QuestionFields,
      ...Answer,
      check: z
        .enum(ANSWER_CHECKS)
        .describe(
          "Result of the check by the other builder; DISPUTED while the other builder's finding on the answer is open.",
        ),
      finding_id: z.string().optional(),
    }),
  ),
});

/**
 * Adds the latest report of each builder to the output of an agent's call. The answers in a report are left out if the
 * agent gave the report itself or may not read them.
 * @param early a report whose answers the agent reads although it has not reported yet
 * @param hasRead whether the agent has read the answers of the other report and need not get them again
 */
export function listDisclosedReadiness(
  lists: BoundedLists,
  state: SessionState,
  {
    role,
    early,
    hasRead = false,
  }: { readonly role: Role; readonly early?: Reported | undefined; readonly hasRead?: boolean },
): () => z.output<typeof DisclosedReadinessView>[] {
  const views = reportsOf(state).map((report) => {
    const view = listReport(lists, report);
    const isShown = report === early || (!hasRead && areAnswersShown(state, role, report.seq));
    if (report.by === role || !isShown) return view;
    const answers = listTexts(lists, answered(state, report));
    return () => ({
      ...view(),
      answers: answers().map(({ question: { question_id, text }, answer }) => ({ question_id, text, answer })),
    });
  });
  return () => views.map((view) => view());
}

/** Adds the latest report of each builder to the output of the owner's call, with the questions and their answers. */
export function listOwnerReadiness(
  lists: BoundedLists,
  state: SessionState,
): () => z.output<typeof OwnerReadinessView>[] {
  const interfaces = state.contract.outline?.interfaces ?? [];
  const views = reportsOf(state).map((report) => {
    const view = listReport(lists, report);
    const checkOf = checksOf(state, report);
    const views = answered(state, report).map(({ question, answer }) => ({
      ...viewQuestion({ ...question, text: withoutPointer(question.text, interfaces) }),
      answer,
      ...checkOf(question.question_id),
    }));
    const answers = listTexts(lists, views);
    return () => ({ ...view(), answers: answers() });
  });
  return () => views.map((view) => view());
}

/** The questions of a report and their answers, in the order of the questions. */
function answered(state: SessionState, { by, answers }: Readiness) {
  const given = new Map(answers.map(({ question_id, answer }) => [question_id, answer]));
  return questionsFor(state, by).flatMap((question) => {
    const answer = given.get(question.question_id);
    return answer === undefined ? [] : [{ question, answer }];
  });
}

function checksOf({ findings, readiness: { checked } }: SessionState, { by, seq }: Readiness) {
  const disputes = openDisputes(findings).filter(({ answer_of }) => answer_of === by);
  const findingOn = new Map(disputes.map(({ target, finding_id }) => [target, finding_id]));
  const isChecked = checked[otherBuilder(by)] === seq;
  return (questionId: string) => {
    const finding_id = findingOn.get(questionId);
    if (finding_id !== undefined) return { check: 'DISPUTED' as const, finding_id };
    return { check: isChecked ? ('CONFIRMED' as const) : ('UNCHECKED' as const) };
  };
}

const reportsOf = ({ readiness: { reports } }: SessionState): Readiness[] =>
  BUILDERS.flatMap((builder) => reports[builder] ?? []);

function listReport(lists: BoundedLists, report: Readiness): () => z.output<typeof ReadinessView> {
  const { by, verdict, mismatches, submitted_at } = report;
  const blockers = listTexts(lists, report.blockers);
  return () => ({ by, verdict, blockers: blockers(), mismatches, submitted_at });
}

const listTexts = <T>(lists: BoundedLists, records: readonly T[]): (() => T[]) =>
  lists.list({ records, view: (record) => record, how: () => 'Read the transcript: it contains the whole report.' });
