import type { EventBody } from '@parley/core/client';
import { evidenceIn, labelled, type Part } from './event-text.ts';
import type { IdIndex } from './id-index.ts';

type Turn = EventBody<'turn.posted'>;
type Answer = NonNullable<Turn['answers']>[number];
type Proposal = NonNullable<Turn['proposed_decisions']>[number];
type Question = NonNullable<Turn['questions']>[number];

/** The parts of a turn, in the order in which they are shown. */
export const turnParts = (turn: Partial<Turn>, ids: IdIndex): Part[] => [
  ...answerParts(turn.answers, ids),
  ...verdictParts(turn.answers, ids),
  ...(turn.verified_facts ?? []).map(({ claim, evidence }) => ({
    label: 'verified',
    tone: 'good' as const,
    text: claim,
    evidence: evidenceIn(evidence),
  })),
  ...labelled('disagrees', turn.disagreements ?? [], 'warn'),
  ...(turn.proposed_decisions ?? []).map(proposalPart),
  ...(turn.interfaces ?? []).map(({ name, kind, description }) => ({
    label: 'interface',
    title: [name, kind && `(${kind})`].filter(Boolean).join(' '),
    text: description,
  })),
  ...labelled('needs', turn.dependencies ?? []),
  ...labelled('safe if', turn.safety_conditions ?? []),
  ...labelled('objects', turn.concerns ?? [], 'warn'),
  ...(turn.acknowledged_directives ?? []).map((id) => ({ label: 'acknowledges', title: ids.named(id) })),
  ...(turn.questions ?? []).map(questionPart),
  ...labelled('next', [turn.next_step]),
  ...(turn.converged
    ? labelled('converged', ['has nothing left to settle before the election of the author'], 'good')
    : []),
];

const answerParts = (answers: readonly Answer[] = [], ids: IdIndex): Part[] =>
  answers.flatMap((given) =>
    'question_id' in given ? [{ label: 'answers', title: ids.named(given.question_id), text: given.answer }] : [],
  );

/** The parts that show which decisions the speaker accepts and rejects. */
const verdictParts = (answers: readonly Answer[] = [], ids: IdIndex): Part[] =>
  answers.flatMap((given) => {
    if (!('decision_id' in given)) return [];
    const [label, tone] = given.decision === 'ACCEPT' ? (['accepts', 'good'] as const) : (['rejects', 'warn'] as const);
    return [{ label, tone, title: ids.decision(given.decision_id), text: given.reason ?? '' }];
  });

export const proposalPart = ({ decision_id, topic, position, supersedes, evidence }: Proposal): Part => ({
  label: 'proposes',
  tone: 'live',
  title: `${decision_id} ${topic}${supersedes ? ` (replaces ${supersedes})` : ''}`.trim(),
  text: position,
  evidence: evidenceIn(evidence),
});

export const questionPart = ({ question_id, to, text }: Question): Part => ({
  label: to === 'owner' ? 'asks owner' : 'asks',
  tone: 'live',
  title: question_id,
  text,
});
