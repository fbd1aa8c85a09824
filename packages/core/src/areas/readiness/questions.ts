import type { Builder } from '../../kernel/roles.ts';
import { handoffName } from '../document/artifact-names.ts';
import type { Outline } from '../document/outline.ts';
import type { Manifest } from '../manifest/events.ts';
import type { SessionState } from '../state.ts';

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
export function isExactly(answer: string, expected: readonly string[]): boolean {
  const given = asSet(answer.split(/[,\r\n]+/));
  const right = asSet(expected.flatMap((value) => value.split(/[,\r\n]+/)));
  const wanted = right.size === 0 ? new Set(['none']) : right;
  return given.size === wanted.size && [...given].every((value) => wanted.has(value));
}

const asSet = (values: readonly string[]): Set<string> =>
  new Set(values.map((value) => value.trim().toLowerCase()).filter((value) => value !== ''));
