import { expect, test } from 'vitest';
import { linesOf, printed, type Reading } from './printed.ts';
import { messageBy } from './samples.ts';

const HASH = '5890'.repeat(16);

const READINGS: readonly Reading[] = [
  [
    'moderator',
    'intervention.opened',
    {
      intervention_id: 'i_3',
      type: 'QUESTION',
      text: 'What does a switch back do?',
      priority: 'NORMAL',
      blocking: true,
      targets: ['agent_a', 'agent_b'],
      related_decision_id: 'd_2',
      related_revision_id: 'r_1',
      evidence: [{ kind: 'log', reference: 'spike', excerpt: 'booked twice' }],
    },
    [
      '● moderator  asks Shop (agent_a) and Ledger (agent_b) (i_3, blocking)',
      '│ What does a switch back do?',
      '│',
      '│ about        d_2',
      '│ about        r_1',
      '│ evidence     log spike',
      '│                booked twice',
    ],
  ],
  [
    'moderator',
    'intervention.withdrawn',
    { intervention_id: 'i_3', outcome: 'OBSOLETE' },
    ['● moderator  closes i_3: OBSOLETE'],
  ],
  [
    'moderator',
    'finding.raised',
    {
      finding_id: 'f_3',
      text: 'It books twice.',
      moderated: {
        category: 'SAFETY',
        severity: 'HIGH',
        resolution_criteria: 'It books once.',
        target_agents: ['agent_b'],
      },
      blocking: true,
      target: '/rollout/rollback',
    },
    [
      '● moderator  raises f_3 (SAFETY, HIGH, blocking)',
      '│ It books twice.',
      '│',
      '│ about        /rollout/rollback',
      '│ concerns     Ledger (agent_b)',
      '│ resolved if  It books once.',
    ],
  ],
  [
    'moderator',
    'hold.opened',
    { hold_id: 'h_1', finding_id: 'f_3', reason: 'Nobody should approve it.' },
    ['● moderator  puts hold h_1 on f_3: approval and authorizations are stopped', '│ Nobody should approve it.'],
  ],
  [
    'moderator',
    'hold.released',
    { hold_id: 'h_1', finding_id: 'f_3', cause: 'MODERATOR' },
    ['● moderator  releases hold h_1 on f_3'],
  ],
  [
    'owner',
    'hold.released',
    { hold_id: 'h_1', finding_id: 'f_3', cause: 'OWNER', reason: 'It can wait.' },
    ['● owner  releases hold h_1 on f_3', '│ It can wait.'],
  ],
  [
    'system',
    'hold.released',
    { hold_id: 'h_1', finding_id: 'f_3', cause: 'FINDING_CLOSED' },
    ['✔ hold h_1 is released, because f_3 is closed'],
  ],
  [
    'moderator',
    'moderator_review.submitted',
    {
      revision_id: 'r_2',
      content_hash: HASH,
      verdict: 'REQUEST_CHANGES',
      summary: 'The way back is missing.',
      dimensions: [
        { name: 'testability', score: 5 },
        { name: 'safety', score: 1, note: 'It books twice.' },
      ],
    },
    [
      '● moderator  reviews r_2: REQUEST_CHANGES',
      '│ The way back is missing.',
      '│',
      `│ content_hash ${HASH}`,
      '│ 5 of 5       testability',
      '│ 1 of 5       safety: It books twice.',
    ],
  ],
  [
    'owner',
    'moderator_review.overridden',
    { revision_id: 'r_2', reason: 'We roll forward only.' },
    ["● owner  overrides the moderator's review of r_2", '│ We roll forward only.'],
  ],
  [
    'moderator',
    'recommendation.made',
    { recommendation_id: 'rec_1', recommendation: 'PROCEED', text: 'Approve r_3.', targets: ['agent_a', 'agent_b'] },
    ['● moderator  advises only the owner: PROCEED (rec_1)', '│ Approve r_3.'],
  ],
  [
    'moderator',
    'recommendation.made',
    { recommendation_id: 'rec_2', recommendation: 'PAUSE', text: 'It guesses.', targets: ['agent_a'] },
    ['● moderator  advises only the owner: PAUSE (rec_2)', '│ It guesses.', '│', '│ about        Shop (agent_a)'],
  ],
  [
    'owner',
    'recommendation.answered',
    { recommendation_id: 'rec_1', decision: 'ACCEPT', note: 'As you say.' },
    ['● owner  accepts the advice of rec_1', '│ As you say.'],
  ],
  [
    'owner',
    'recommendation.answered',
    { recommendation_id: 'rec_2', decision: 'REJECT' },
    ['● owner  rejects the advice of rec_2'],
  ],
  ['owner', 'moderator.stopped', { reason: 'Too loud.' }, ['● owner  stops the moderator', '│ Too loud.']],
  ['owner', 'moderator.restored', {}, ['● owner  restores the moderator']],
  ['owner', 'moderator.granted', { permissions: ['ask', 'find'] }, ['● owner  lets the moderator ask, find']],
  ['owner', 'moderator.granted', { permissions: [] }, ['● owner  lets the moderator read, and nothing else']],
  ['owner', 'entitlement.changed', { entitled: true }, ['● owner  allows moderators from now on']],
  ['owner', 'entitlement.changed', { entitled: false }, ['● owner  allows no moderators from now on']],
  ['moderator', 'invitation.redeemed', { role: 'moderator', client_type: 'curl' }, ['● moderator  joins (curl)']],
];

test.each(READINGS)('an event of %s reads as words: %s', (from, kind, part, lines) => {
  expect(linesOf(from, kind, part)).toEqual(['', ...lines]);
});

test('an acknowledgement of the moderator is not shown', () => {
  expect(printed(messageBy('moderator', 'events.acknowledged'))).toEqual([]);
});
