import type { EventName } from '@parley/core/client';
import { describeEvent, YOU } from '@parley/core/words';
import { describe, expect, test } from 'vitest';
import { EVENT_KINDS, EVENTS } from '../../../../test/support/event-samples.ts';
import { createIdIndex, type Message } from '../../src/transcript/message.ts';
import { printed } from './printed.ts';
import { messageBy } from './samples.ts';

const KINDS = EVENT_KINDS;

const withBody = (kind: string, body: object, from = 'agent_a'): Message =>
  ({ id: 1, at: 'no time', from, kind, body }) as Message;

const printedSample = (kind: EventName): string => printed(withBody(kind, EVENTS[kind].data)).join('\n');

describe('every event of the catalogue', () => {
  test('has a saying of its own, or is passed over in silence', () => {
    expect(KINDS.filter((kind) => printedSample(kind).includes(kind))).toEqual([]);
    expect(printed(withBody('moon.landed', { crew: 3 })).join('\n')).toContain('moon.landed');
  });

  test('reads as words, and never as raw JSON', () => {
    expect(KINDS.filter((kind) => printedSample(kind).includes('{"'))).toEqual([]);
  });
});

test('after "You", no heading of an event begins with a verb in the third person', () => {
  const context = { ids: createIdIndex(), nameOf: (role: string) => role, say: YOU, from: 'owner' };
  const headings = KINDS.map((kind) => describeEvent({ kind, body: EVENTS[kind].data } as Message, context).heading);
  const spoken = headings.filter(Boolean);
  expect(spoken.length).toBeGreaterThan(40);
  expect(spoken.filter((heading) => /^[a-z]+s(?: |$)/.test(heading))).toEqual([]);
});

test.each([
  ['You', YOU, ['authorize the activation of m_1', 'You have authorized the activation of these commits']],
  [
    'a name',
    undefined,
    ['authorizes the activation of m_1', 'The owner has authorized the activation of these commits'],
  ],
])('heading and outcome after %s', (_, say, words) => {
  const context = { ids: createIdIndex(), nameOf: (role: string) => role, from: 'owner', ...(say && { say }) };
  const { heading, outcome } = describeEvent(messageBy('owner', 'activation.authorized'), context);
  expect([heading, outcome]).toEqual(words);
});

describe('every event', () => {
  test('reaches a terminal without what could move its cursor, from every member', () => {
    expect(KINDS.length).toBeGreaterThan(40);
    const evil = 'x\u001b[31my\u202e\r';
    const poisoned = (value: unknown): unknown => {
      if (typeof value === 'string') return evil;
      if (Array.isArray(value)) return value.map(poisoned);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, poisoned(member)]));
    };
    const samples = KINDS.map((kind) => withBody(kind, EVENTS[kind].data));
    const shown = [...samples, ...WITH_MORE].flatMap(({ kind, body }) =>
      printed(withBody(kind, Object(poisoned(body)), evil)),
    );
    expect(['\u001b', '\u202e', '\r'].filter((letter) => shown.join('\n').includes(letter))).toEqual([]);
    expect(shown.join('\n')).toContain('\\u{1b}');
  });
});

const evidence = [{ kind: 'log', reference: 'spike', excerpt: 'booked twice' }];
const issues = [{ code: 'A', severity: 'error', pointer: '/a', message: 'No.', hint: 'Yes.' } as const];

/** Messages with the members that not every event of their kind has. */
const WITH_MORE: readonly Message[] = [
  messageBy('owner', 'session.created', {
    guardrails: ['No.'],
    requirements: [{ requirement_id: 'req-1', text: 'It.' }],
  }),
  messageBy('owner', 'session.ended', { note: 'Done.' }),
  messageBy('agent_a', 'turn.posted', {
    answers: [
      { question_id: 'q_1', answer: 'So.' },
      { decision_id: 'd_1', decision: 'REJECT', reason: 'No.' },
    ],
    verified_facts: [{ claim: 'It is.', evidence }],
    proposed_decisions: [{ decision_id: 'd_2', topic: 'Key', position: 'A UUID.', evidence, supersedes: 'd_1' }],
    questions: [{ question_id: 'q_2', to: 'owner', text: 'Why?', blocking: true }],
    interfaces: [{ name: 'if-api', kind: 'http', description: 'It.' }],
    ...{ concerns: ['No.'], dependencies: ['No.'], safety_conditions: ['No.'], disagreements: ['No.'] },
    ...{ acknowledged_directives: ['i_1'], next_step: 'Wait.', converged: true },
  }),
  messageBy('agent_a', 'decision.proposed', { evidence, supersedes: 'd_1' }),
  messageBy('owner', 'intervention.opened', { evidence, related_decision_id: 'd_1', related_revision_id: 'r_1' }),
  messageBy('agent_a', 'action.completed', { type: 'BEGIN_BUILD', note: 'Done.' }),
  messageBy('agent_a', 'action.settled', { about: { type: 'task', id: 'task-a' }, note: 'Done.' }),
  messageBy('agent_a', 'invitation.redeemed', { client_type: 'curl' }),
  messageBy('agent_a', 'revision.created', { parent_id: 'r_0', issues }),
  messageBy('agent_a', 'contract.validated', {
    issues,
    blockers: [{ code: 'C', record: 'r_1', responsible: 'agent_b' }],
  }),
  messageBy('agent_a', 'preflight.submitted', {
    mappings: [{ requirement_id: 'req-1', decisions: ['d_2'], tasks: ['a'], tests: ['b'], gates: ['c'], note: 'It.' }],
  }),
  messageBy('moderator', 'finding.raised', {
    moderated: { category: 'SAFETY', severity: 'HIGH', resolution_criteria: 'Once.', target_agents: ['agent_b'] },
    ...{ kind: 'RISK', target: 'task-a', evidence },
  }),
  messageBy('agent_a', 'finding.responded', { fixed_in: 'r_2' }),
  messageBy('agent_a', 'finding.resolved', { note: 'Done.' }),
  messageBy('agent_a', 'review.submitted', { caveats: ['No.'] }),
  messageBy('moderator', 'hold.released', { cause: 'FINDING_CLOSED' }),
  messageBy('moderator', 'moderator_review.submitted', { dimensions: [{ name: 'safety', score: 1, note: 'No.' }] }),
  messageBy('moderator', 'recommendation.made', { targets: ['agent_a'] }),
  messageBy('owner', 'recommendation.answered', { note: 'Done.' }),
  messageBy('owner', 'moderator.granted', { permissions: ['ask'] }),
  messageBy('owner', 'contract.approved', {
    manifest: {
      ...EVENTS['contract.approved'].data.manifest,
      artifacts: [{ filename: 'a.md', sha256: 'ab', bytes: 1, media_type: 'text/markdown', assigned_to: ['agent_a'] }],
    },
  }),
  messageBy('agent_a', 'readiness.submitted', {
    blockers: ['No.'],
    mismatches: ['No.'],
    answers: [{ question_id: 'rq_1', answer: 'So.' }],
  }),
  messageBy('agent_a', 'readiness.checked', { confirmed: ['rq_1'], disputed: ['rq_2'] }),
  messageBy('owner', 'build.authorized', { note: 'Go.' }),
  messageBy('agent_a', 'handshake.declared', {
    ...{
      branch: 'keys',
      address: 'http://127.0.0.1:1',
      fixture_version: 'fix-1',
      capabilities: ['replay'],
      skew_ms: 1,
    },
    ...{ interfaces: ['if-page', { name: 'if-api', version: '2' }], previous_commit: 'ab', stale_scenarios: ['once'] },
    changes: { c02dc02: ['src/a.ts'] },
  }),
  messageBy('agent_a', 'evidence.submitted', {
    assertions: [{ name: 'rows', expected: [1], actual: ['two'], passed: false }],
  }),
  messageBy('agent_a', 'verdict.given', { note: 'It.', deviations: ['No.'] }),
  messageBy('agent_a', 'pass.carried', { changes: [{ declared_by: 'agent_a', since: 'c02dc02', paths: 1 }] }),
  messageBy('owner', 'defect.opened', { refusal: { stage: 'deployment', reason: 'No.' } }),
  messageBy('owner', 'defect.reassigned', { reason: 'It.' }),
  messageBy('owner', 'deployment.authorized', { note: 'Go.' }),
];
