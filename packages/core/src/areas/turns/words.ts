import type { BodyOf } from '../../kernel/log/event-catalog.ts';
import { proposalPart } from '../decisions/words.ts';
import { evidenceIn, evidenceParts, type KnownTexts, labelled, type Part, type Words } from '../event-words.ts';
import { questionPart } from '../questions/words.ts';
import type { turnEvents } from './events.ts';

type Turn = BodyOf<(typeof turnEvents)['turn.posted']>;
type Answer = NonNullable<Turn['answers']>[number];

export const turnWords: Words<typeof turnEvents> = {
  'turn.posted': (body, { ids }) => ({
    heading: `turn ${body.turn_index + 1}, round ${body.round}`,
    text: body.summary,
    parts: turnParts(body, ids),
  }),
  'evidence.posted': ({ turn_index, evidence }, { say }) => ({
    heading: `${say('adds', 'add')} evidence to turn ${turn_index + 1}`,
    parts: evidenceParts(evidence),
  }),
};

/** The parts of a turn, in the order in which they are shown. */
export const turnParts = (turn: Partial<Turn>, ids: KnownTexts): Part[] => [
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

const answerParts = (answers: readonly Answer[] = [], ids: KnownTexts): Part[] =>
  answers.flatMap((given) =>
    'question_id' in given ? [{ label: 'answers', title: ids.named(given.question_id), text: given.answer }] : [],
  );

/** The parts that show which decisions the speaker accepts and rejects. */
const verdictParts = (answers: readonly Answer[] = [], ids: KnownTexts): Part[] =>
  answers.flatMap((given) => {
    if (!('decision_id' in given)) return [];
    const [label, tone] = given.decision === 'ACCEPT' ? (['accepts', 'good'] as const) : (['rejects', 'warn'] as const);
    return [{ label, tone, title: ids.decision(given.decision_id), text: given.reason ?? '' }];
  });
