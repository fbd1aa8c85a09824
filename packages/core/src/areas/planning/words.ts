import type { BodyOf } from '../../kernel/log/event-catalog.ts';
import type { TextLabels } from '../content.ts';
import {
  evidenceIn,
  evidenceParts,
  headed,
  type KnownTexts,
  labelled,
  type Part,
  replying,
  type Words,
} from '../event-words.ts';
import type { decisionEvents, electionEvents, questionEvents, turnEvents } from './events.ts';
import type { DECISION_CONTENT } from './state.ts';

export const decisionTexts: TextLabels<typeof DECISION_CONTENT> = { position: 'position' };

export const decisionWords: Words<typeof decisionEvents> = {
  'decision.proposed': (body, { say }) => ({
    heading: body.supersedes ? `${say('replaces', 'replace')} a decision` : `${say('proposes', 'propose')} a decision`,
    parts: [proposalPart(body)],
  }),
  'decision.substantiated': ({ decision_id, evidence }, { ids, say }) => ({
    heading: `${say('adds', 'add')} evidence to ${ids.decision(decision_id)}`,
    parts: evidenceParts(evidence),
  }),
  'decision.accepted': ({ decision_id }, { ids, say }) => {
    const decision = ids.decision(decision_id);
    return {
      heading: `${say('accepts', 'accept')} ${decision}`,
      ...(ids.isAccepted(decision_id) && { outcome: `${decision} is resolved: both agents accepted it` }),
    };
  },
  'decision.withdrawn': ({ decision_id, reason }, { ids, say }) =>
    headed(`${say('withdraws', 'withdraw')} ${ids.decision(decision_id)}`, reason),
  'decision.rejected': ({ decision_id, reason }, { ids, say }) =>
    headed(`${say('rejects', 'reject')} ${ids.decision(decision_id)}`, reason),
};

type Proposed = BodyOf<(typeof decisionEvents)['decision.proposed']>;

const proposalPart = ({ decision_id, topic, position, supersedes, evidence }: Omit<Proposed, 'revision'>): Part => ({
  label: 'proposes',
  tone: 'live',
  title: `${decision_id} ${topic}${supersedes ? ` (replaces ${supersedes})` : ''}`.trim(),
  text: position,
  evidence: evidenceIn(evidence),
});

export const questionWords: Words<typeof questionEvents> = {
  'question.asked': (body, { say }) => ({ heading: say('asks', 'ask'), parts: [questionPart(body)] }),
  'question.answered': ({ question_id, answer }, { ids, say }) =>
    replying(say('answers', 'answer'), question_id, { text: answer, ids }),
};

interface Asked {
  readonly question_id: string;
  readonly to: string;
  readonly text: string;
}

const questionPart = ({ question_id, to, text }: Asked): Part => ({
  label: to === 'owner' ? 'asks owner' : 'asks',
  tone: 'live',
  title: question_id,
  text,
});

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

export const electionWords: Words<typeof electionEvents> = {
  'author.nominated': ({ candidate, reason }, { nameOf, say }) =>
    headed(`${say('names', 'name')} ${nameOf(candidate)} as Contract Author`, reason),
  'author.elected': ({ contract_author, technical_reviewer }, { nameOf }) => ({
    heading: '',
    outcome: `Contract Author: ${nameOf(contract_author)}. Technical Reviewer: ${nameOf(technical_reviewer)}`,
  }),
};
