import { z } from 'zod';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS, otherBuilder, type Role } from '../../kernel/roles.ts';
import { openDisputes } from '../findings/rules.ts';
import { withoutPointer } from '../rendering/interface-questions.ts';
import type { SessionState } from '../state.ts';
import { questionsFor, type ReadinessQuestion } from './questions.ts';
import { type Readiness, ReadinessView } from './record.ts';
import { areAnswersShown } from './rules.ts';

/** A readiness question as the builder that must answer it sees it, without the expected answer. */
export const QuestionFields = { question_id: z.string(), text: z.string(), kind: z.enum(['exact', 'free']) };

export const viewQuestion = ({ expected, ...question }: ReadinessQuestion) => ({
  ...question,
  kind: expected ? ('exact' as const) : ('free' as const),
});

const Answer = { question_id: z.string(), text: z.string(), answer: z.string() };

export const DisclosedReadinessView = z.strictObject({
  ...ReadinessView.shape,
  answers: z
    .array(z.strictObject(Answer))
    .optional()
    .describe('Answers of the other builder, once both are READY_TO_CODE.'),
});
documented.add(DisclosedReadinessView, { id: 'DisclosedReadiness' });

const ANSWER_CHECKS = ['UNCHECKED', 'CONFIRMED', 'DISPUTED'] as const;

export const OwnerReadinessView = z.strictObject({
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
documented.add(OwnerReadinessView, { id: 'OwnerReadiness' });

/**
 * Adds the latest report of each builder to the output of an agent's call. The answers in a report are left out if the
 * agent gave the report itself or may not read them.
 */
export function listDisclosedReadiness(
  lists: BoundedLists,
  state: SessionState,
  role: Role,
): () => z.output<typeof DisclosedReadinessView>[] {
  const views = reportsOf(state).map((report) => {
    const view = listReport(lists, report);
    if (report.by === role || !areAnswersShown(state, role, report.seq)) return view;
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
