import type { Evidence, Part } from './event-text.ts';
import type { IdIndex } from './id-index.ts';
import { type Members, recordsIn, textIn, textsIn } from './message.ts';

/** The parts of a turn, in the order in which they are shown. */
export const turnParts = (turn: Members, ids: IdIndex): Part[] => [
  ...answerParts(turn, ids),
  ...verdictParts(turn, ids),
  ...recordsIn(turn, 'verified_facts').map((fact) => ({
    label: 'verified',
    tone: 'good' as const,
    text: textIn(fact, 'claim'),
    evidence: evidenceIn(fact),
  })),
  ...textsIn(turn, 'disagreements').map((text) => ({ label: 'disagrees', tone: 'warn' as const, text })),
  ...recordsIn(turn, 'proposed_decisions').map(proposalPart),
  ...recordsIn(turn, 'interfaces').map(({ name, kind, description }) => ({
    label: 'interface',
    title: [name, kind && `(${String(kind)})`].filter(Boolean).join(' '),
    text: String(description ?? ''),
  })),
  ...textsIn(turn, 'dependencies').map((text) => ({ label: 'needs', text })),
  ...textsIn(turn, 'safety_conditions').map((text) => ({ label: 'safe if', text })),
  ...textsIn(turn, 'concerns').map((text) => ({ label: 'objects', tone: 'warn' as const, text })),
  ...textsIn(turn, 'acknowledged_directives').map((id) => ({ label: 'acknowledges', title: ids.named(id) })),
  ...recordsIn(turn, 'questions').map(questionPart),
  ...(textIn(turn, 'next_step') ? [{ label: 'next', text: textIn(turn, 'next_step') }] : []),
  ...(turn.converged === true
    ? [
        {
          label: 'converged',
          tone: 'good' as const,
          text: 'has nothing left to settle before the election of the author',
        },
      ]
    : []),
];

const answerParts = (record: Members, ids: IdIndex): Part[] =>
  recordsIn(record, 'answers')
    .filter((answer) => !textIn(answer, 'decision_id'))
    .map((answer) => ({
      label: 'answers',
      title: ids.named(textIn(answer, 'question_id')),
      text: textIn(answer, 'answer'),
    }));

/** The parts that show which decisions the speaker accepts and rejects. */
const verdictParts = (turn: Members, ids: IdIndex): Part[] =>
  recordsIn(turn, 'answers')
    .filter((answer) => textIn(answer, 'decision_id'))
    .map((answer) => ({
      label: textIn(answer, 'decision') === 'ACCEPT' ? 'accepts' : 'rejects',
      tone: textIn(answer, 'decision') === 'ACCEPT' ? ('good' as const) : ('warn' as const),
      title: ids.decision(textIn(answer, 'decision_id')),
      text: textIn(answer, 'reason'),
    }));

export function proposalPart(proposal: Members): Part {
  const id = textIn(proposal, 'decision_id');
  const before = textIn(proposal, 'supersedes');
  return {
    label: 'proposes',
    tone: 'live',
    title: `${id} ${textIn(proposal, 'topic')}${before && ` (replaces ${before})`}`.trim(),
    text: textIn(proposal, 'position'),
    evidence: evidenceIn(proposal),
  };
}

export const questionPart = (question: Members): Part => ({
  label: question.to === 'owner' ? 'asks owner' : 'asks',
  tone: 'live',
  title: textIn(question, 'question_id'),
  text: textIn(question, 'text'),
});

export const evidenceIn = (record: Members): Evidence[] =>
  recordsIn(record, 'evidence').map((item) => ({
    source: `${textIn(item, 'kind')} ${textIn(item, 'reference')}`.trim(),
    excerpt: textIn(item, 'excerpt'),
  }));
