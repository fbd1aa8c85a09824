import { expect, test } from 'vitest';
import { nextSentences, nextSteps } from '../../src/text/inbox.ts';

const task = (kind: string, id: string, more: { blocking?: boolean; type?: string } = {}) => ({
  kind,
  blocking: more.blocking ?? true,
  record: { type: more.type ?? 'record', id },
});
const nameOf = (role: string): string => ({ owner: 'you', agent_a: 'Shop agent (agent_a)' })[role] ?? role;

const DUTIES = [
  { role: 'agent_a', text: 'answer f_3' },
  { role: 'agent_b', text: 'act_2: Review r_1 of agent_a.' },
];
const TWO = { status: 'ACTIVE', movers: ['agent_a', 'agent_b'], duties: DUTIES, waits: [] };
const APPROVE = task('APPROVAL', 'r_2');
const CAVEAT = task('QUESTION', 'q_4', { blocking: false });

test('a step of the owner names the most urgent tasks, and the steps of agents name the duties', () => {
  expect(nextSteps({ ...TWO, movers: ['owner', 'agent_a', 'agent_b'], waits: [CAVEAT, APPROVE] }, nameOf, 1)).toEqual([
    { role: 'owner', text: 'Approve r_2 and 1 more' },
    { role: 'agent_a', text: 'answer f_3' },
    { role: 'agent_b', text: 'act_2: Review r_1 of Shop agent (agent_a).' },
  ]);
});

test('a step of the owner names each task up to the given number', () => {
  expect(nextSteps({ ...TWO, movers: [], waits: [CAVEAT, APPROVE] }, nameOf, 3)).toEqual([
    { role: 'owner', text: 'Approve r_2, Answer q_4' },
  ]);
});

test('the tasks that an answer leaves out are counted', () => {
  expect(nextSteps({ ...TWO, movers: [], waits: [APPROVE], left_out: { count: 7 } }, nameOf, 1)).toEqual([
    { role: 'owner', text: 'Approve r_2 and 7 more' },
  ]);
});

test('an agent whose duty the answer does not name has an empty step', () => {
  expect(nextSteps({ status: 'ACTIVE', movers: ['agent_b'], waits: [] }, nameOf, 1)).toEqual([
    { role: 'agent_b', text: '' },
  ]);
});

const ABSENT = task('AGENT_ABSENT', 'agent_b', { type: 'agent' });

const REVOKED = { ...ABSENT, text: 'agent_a has no access, because its token was revoked: invite it again.' };

test.each([
  [
    'an agent without access',
    {
      ...TWO,
      movers: ['owner', 'agent_a', 'agent_b'],
      waits: [{ ...REVOKED, record: { type: 'agent', id: 'agent_a' } }],
    },
    'Next: Shop agent (agent_a) has no access, because its token was revoked: invite it again. agent_b: act_2: Review r_1 of Shop agent (agent_a).',
  ],
  ['two agents', TWO, 'Next: Shop agent (agent_a): answer f_3. agent_b: act_2: Review r_1 of Shop agent (agent_a).'],
  ['only the owner', { ...TWO, movers: ['owner'], waits: [APPROVE, CAVEAT] }, 'Next: you: Approve r_2 and 1 more.'],
  ['an unknown duty', { status: 'ACTIVE', movers: ['agent_b'], waits: [] }, 'Next: agent_b.'],
  ['an absent agent', { ...TWO, movers: ['owner'], waits: [ABSENT] }, 'Next: nobody.'],
  [
    'a draft',
    { ...TWO, status: 'DRAFT', movers: ['owner'], waits: [APPROVE] },
    'Next: nobody, until you start the session.',
  ],
  ['a pause', { ...TWO, status: 'PAUSED', movers: [] }, 'Next: nobody, until you resume the session.'],
  ['the end', { ...TWO, status: 'ENDED', movers: [] }, 'Next: nobody, the session has ended.'],
])('sentences about who acts next: %s', (_what, session, text) => {
  expect(nextSentences(session, nameOf)).toBe(text);
});

test('sentences cut a long duty', () => {
  const duties = [{ role: 'agent_a', text: `act_1: ${'word '.repeat(100)}` }];
  const text = nextSentences({ status: 'ACTIVE', movers: ['agent_a'], duties, waits: [] }, nameOf);
  expect(text).toMatch(/^Next: Shop agent \(agent_a\): act_1: word .*…$/);
  expect(text.length).toBe(185);
});
