import type { given, PastEvent } from '../../src/testing/index.ts';
import { asked, directed, proposed, turnPosted } from '../past.ts';
import { submitted } from '../story.ts';

type Caller = 'agent_a' | 'agent_b';

const item = (excerpt: string) => ({ kind: 'log', reference: 'api.log:17', excerpt }) as const;
/** A call whose input contains an agent's text, and the path of that text in the input. */
export type Case = readonly [
  name: Parameters<ReturnType<typeof given>['when']>[0],
  caller: Caller,
  past: readonly PastEvent[],
  input: (text: string) => Readonly<Record<string, unknown>>,
  path: string,
];

const finding = (text: string) => ({ text, kind: 'DEFECT' });

export const TEXTS: readonly Case[] = [
  ['post_turn', 'agent_a', [], (text) => ({ summary: text }), 'summary'],
  ['post_turn', 'agent_a', [], (text) => ({ summary: 'S.', concerns: ['None.', text] }), 'concerns[1]'],
  ['post_turn', 'agent_a', [], (text) => ({ summary: 'S.', questions: [{ text, to: 'owner' }] }), 'questions[0].text'],
  [
    'post_turn',
    'agent_a',
    [],
    (text) => ({ summary: 'S.', verified_facts: [{ claim: text }] }),
    'verified_facts[0].claim',
  ],
  [
    'post_turn',
    'agent_a',
    [],
    (text) => ({ summary: 'S.', verified_facts: [{ claim: 'C.', evidence: [{ kind: 'url', reference: text }] }] }),
    'verified_facts[0].evidence[0].reference',
  ],
  ['submit_decision', 'agent_b', [], (text) => ({ topic: 'Store', position: text }), 'position'],
  [
    'reject_decision',
    'agent_b',
    [proposed('agent_a', 'd_1')],
    (text) => ({ decision_id: 'd_1', reason: text }),
    'reason',
  ],
  [
    'withdraw_decision',
    'agent_a',
    [proposed('agent_a', 'd_1')],
    (text) => ({ decision_id: 'd_1', reason: text }),
    'reason',
  ],
  ['answer_question', 'agent_b', [asked('agent_a', 'q_1')], (text) => ({ question_id: 'q_1', answer: text }), 'answer'],
  ['answer_question', 'agent_b', [], (text) => ({ question_id: '', answer: '', questions: [text] }), 'questions[0]'],
  ['answer_intervention', 'agent_a', [directed('i_1')], (text) => ({ intervention_id: 'i_1', text }), 'text'],
  ['submit_finding', 'agent_b', submitted, finding, 'text'],
];

export const EXCERPTS: readonly Case[] = [
  [
    'post_evidence',
    'agent_a',
    [turnPosted('agent_a', 0)],
    (text) => ({ evidence: [item(text)] }),
    'evidence[0].excerpt',
  ],
  [
    'post_turn',
    'agent_a',
    [],
    (text) => ({ summary: 'S.', verified_facts: [{ claim: 'C.', evidence: [item('ok'), item(text)] }] }),
    'verified_facts[0].evidence[1].excerpt',
  ],
  [
    'post_turn',
    'agent_a',
    [],
    (text) => ({ summary: 'S.', proposed_decisions: [{ topic: 'T', position: 'P', evidence: [item(text)] }] }),
    'proposed_decisions[0].evidence[0].excerpt',
  ],
  [
    'submit_decision',
    'agent_b',
    [],
    (text) => ({ topic: 'T', position: 'P', evidence: [item(text)] }),
    'evidence[0].excerpt',
  ],
  ['submit_finding', 'agent_b', submitted, (text) => ({ text: 'F.', evidence: [item(text)] }), 'evidence[0].excerpt'],
];
