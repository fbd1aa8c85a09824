import { z } from 'zod';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS, type Role } from '../../kernel/roles.ts';
import { At, BuilderRole } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { READINESS_VERDICTS } from './events.ts';
import { questionsFor, type ReadinessQuestion } from './questions.ts';
import { areAnswersShown } from './rules.ts';

/** A readiness question without its answer. */
export const QuestionFields = { question_id: z.string(), text: z.string(), kind: z.enum(['exact', 'free']) };

export const viewQuestion = ({ questionId, text, expected }: ReadinessQuestion) => ({
  question_id: questionId,
  text,
  kind: expected ? ('exact' as const) : ('free' as const),
});

export const ReadinessView = z.strictObject({
  by: BuilderRole,
  verdict: z.enum(READINESS_VERDICTS).register(documented, { id: 'ReadinessVerdict' }),
  blockers: z.array(z.string()),
  mismatches: z.array(z.string()).describe('What a BLOCKED report leaves open.'),
  submitted_at: At,
});
documented.add(ReadinessView, { id: 'Readiness' });
type ReadinessView = z.output<typeof ReadinessView>;

const Answer = z.strictObject({ question_id: z.string(), answer: z.string() });

/** A report as the builders see it. */
export const DisclosedReadinessView = z.strictObject({
  ...ReadinessView.shape,
  answers: z.array(Answer).optional().describe('Left out until both builders are READY_TO_CODE.'),
});

/** A report as the owner sees it. */
export const OwnerReadinessView = z.strictObject({
  ...ReadinessView.shape,
  answers: z.array(z.strictObject({ ...QuestionFields, ...Answer.shape })),
});

/** Each builder's latest report on the current manifest; its blockers are lists of the answer. */
export function listReadiness(lists: BoundedLists, state: SessionState): () => ReadinessView[] {
  const views = reportsOf(state).map((report) => listReport(lists, report));
  return () => views.map((view) => view());
}

/** Each builder's latest report, with its answers if the role can already read them. */
export function listDisclosedReadiness(
  lists: BoundedLists,
  state: SessionState,
  role: Role,
): () => z.output<typeof DisclosedReadinessView>[] {
  const views = reportsOf(state).map((report) => {
    const view = listReport(lists, report);
    if (!areAnswersShown(state, role, report.seq)) return view;
    const answers = listTexts(lists, report.answers);
    return () => ({ ...view(), answers: answers().map((answer) => ({ ...answer })) });
  });
  return () => views.map((view) => view());
}

/** Each builder's latest report, with every answer and its question. */
export function listOwnerReadiness(
  lists: BoundedLists,
  state: SessionState,
): () => z.output<typeof OwnerReadinessView>[] {
  const views = reportsOf(state).map((report) => {
    const view = listReport(lists, report);
    const given = new Map(report.answers.map(({ question_id, answer }) => [question_id, answer]));
    const answered = questionsFor(state, report.by).flatMap((question) => {
      const answer = given.get(question.questionId);
      return answer === undefined ? [] : [{ ...viewQuestion(question), answer }];
    });
    const answers = listTexts(lists, answered);
    return () => ({ ...view(), answers: answers() });
  });
  return () => views.map((view) => view());
}

type Report = NonNullable<SessionState['readiness']['reports']['agent_a']>;

const reportsOf = ({ readiness: { reports } }: SessionState): Report[] =>
  BUILDERS.flatMap((builder) => reports[builder] ?? []);

function listReport(lists: BoundedLists, report: Report): () => ReadinessView {
  const { by, verdict, mismatches, at } = report;
  const blockers = listTexts(lists, report.blockers);
  return () => ({ by, verdict, blockers: blockers(), mismatches: [...mismatches], submitted_at: at });
}

const listTexts = <T>(lists: BoundedLists, records: readonly T[]): (() => T[]) =>
  lists.list({ records, view: (record) => record, how: () => 'The transcript shows all of them.' });
