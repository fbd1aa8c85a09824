import { expect, test } from 'vitest';
import { EVENTS } from '../../../../test/support/event-samples.ts';
import { linesOf, type Reading } from './printed.ts';

const HASH = '5890'.repeat(16);
const FILE = { bytes: 1, media_type: 'text/markdown' };

const READINGS: readonly Reading[] = [
  [
    'agent_b',
    'revision.created',
    {
      revision_id: 'r_2',
      parent_id: 'r_1',
      content_hash: HASH,
      reason: 'As f_1 asks.',
      error_count: 1,
      warning_count: 0,
    },
    [
      '● Ledger (agent_b)  saves r_2, after r_1',
      '│ As f_1 asks.',
      '│',
      `│ content_hash ${HASH}`,
      '│ validation   1 error, 0 warnings',
    ],
  ],
  [
    'agent_a',
    'contract.validated',
    {
      run_id: 'run_1',
      revision_id: 'r_2',
      error_count: 1,
      warning_count: 2,
      issues: [
        {
          code: 'PLACEHOLDER_TEXT',
          severity: 'error',
          pointer: '/summary',
          message: 'This is a placeholder.',
          hint: '',
        },
      ],
      blockers: [{ code: 'REVIEW_MISSING', record: 'r_2', responsible: 'agent_b' }],
    },
    [
      '● Shop (agent_a)  validates r_2 again (run_1)',
      '│ validation   1 error, 2 warnings',
      '│ error        PLACEHOLDER_TEXT /summary',
      '│              This is a placeholder.',
      '│ blocked by   REVIEW_MISSING, r_2, agent_b',
    ],
  ],
  [
    'agent_b',
    'preflight.submitted',
    {
      revision_id: 'r_2',
      mappings: [{ requirement_id: 'req-1', decisions: ['d_2'], tasks: ['key'], tests: ['once'], gates: [] }],
    },
    ['● Ledger (agent_b)  submits the preflight of r_2', '│ maps         req-1  d_2, key, once'],
  ],
  [
    'agent_a',
    'finding.raised',
    {
      finding_id: 'f_1',
      kind: 'RISK',
      blocking: true,
      text: 'It never ends.',
      target: 'task-a',
      evidence: [{ kind: 'log', reference: 'spike', excerpt: '409 for ever' }],
    },
    [
      '● Shop (agent_a)  raises f_1 (RISK, blocking)',
      '│ It never ends.',
      '│',
      '│ about        task-a',
      '│ evidence     log spike',
      '│                409 for ever',
    ],
  ],
  [
    'agent_b',
    'finding.responded',
    { finding_id: 'f_1', decision: 'ACCEPT', response: 'Right.', fixed_in: 'r_2' },
    ['● Ledger (agent_b)  accepts f_1, fixed in r_2', '│ Right.'],
  ],
  [
    'agent_a',
    'finding.resolved',
    { finding_id: 'f_1', outcome: 'RESOLVED' },
    ['● Shop (agent_a)  closes f_1', '✔ f_1 is RESOLVED'],
  ],
  [
    'moderator',
    'finding.resolved',
    { finding_id: 'f_1', outcome: 'WITHDRAWN', note: 'I misread the table.' },
    ['● moderator  closes f_1', '│ I misread the table.', '✔ f_1 is WITHDRAWN'],
  ],
  ['owner', 'finding.overridden', { finding_id: 'f_2', reason: 'Later.' }, ['● owner  overrides f_2', '│ Later.']],
  [
    'agent_a',
    'review.submitted',
    { revision_id: 'r_2', verdict: 'APPROVE', content_hash: HASH, caveats: ['Watch the lock.'] },
    ['● Shop (agent_a)  reviews r_2: APPROVE', `│ content_hash ${HASH}`, '│ caveat       Watch the lock.'],
  ],
  [
    'owner',
    'changes.requested',
    { revision_id: 'r_2', reason: 'Legal.' },
    ['● owner  requests changes to r_2', '│ Legal.'],
  ],
  [
    'owner',
    'contract.approved',
    {
      revision_id: 'r_2',
      content_hash: HASH,
      manifest: {
        ...EVENTS['contract.approved'].data.manifest,
        frozen_at: '2026-11-21',
        manifest_sha256: HASH,
        artifacts: [
          { filename: 'contract.md', sha256: HASH, ...FILE, assigned_to: ['agent_a', 'agent_b'] },
          { filename: 'handoff-agent-b.md', sha256: HASH, ...FILE, assigned_to: ['agent_b'] },
        ],
      },
    },
    [
      '● owner  approves r_2 with exactly this hash',
      `│ content_hash ${HASH}`,
      '│ manifest     m_1, frozen 2026-11-21',
      `│ sha256       ${HASH}`,
      '│ for A and B  589058905890…  contract.md',
      '│ for B        589058905890…  handoff-agent-b.md',
    ],
  ],
  [
    'agent_a',
    'receipt.confirmed',
    { manifest_id: 'm_1', filename: 'contract.md', sha256: HASH },
    ['● Shop (agent_a)  confirms receipt of contract.md  589058905890…'],
  ],
  [
    'agent_a',
    'readiness.submitted',
    { manifest_id: 'm_1', verdict: 'BLOCKED', blockers: ['No staging.'], mismatches: ['fixture_version'] },
    ['● Shop (agent_a)  reports BLOCKED on m_1', '│ blocker      No staging.', '│ mismatch     fixture_version'],
  ],
  [
    'agent_b',
    'readiness.submitted',
    {
      manifest_id: 'm_1',
      verdict: 'READY_TO_CODE',
      answers: [
        { question_id: 'rq_1', answer: 'task-stock' },
        { question_id: 'rq_7', answer: 'The key column; it waits for nobody.' },
      ],
    },
    [
      '● Ledger (agent_b)  reports READY_TO_CODE on m_1',
      '│ answer       rq_1  task-stock',
      '│ answer       rq_7  The key column; it waits for nobody.',
    ],
  ],
  [
    'owner',
    'build.authorized',
    { revision_id: 'r_2', content_hash: HASH, note: 'Port 4801 is free.' },
    [
      '● owner  authorizes the build of r_2',
      `│ content_hash ${HASH}`,
      '│ note         Port 4801 is free.',
      '✔ Both agents are told to BEGIN_BUILD',
    ],
  ],
];

test.each(READINGS)('a message of %s reads as words: %s', (from, kind, part, lines) => {
  expect(linesOf(from, kind, part)).toEqual(['', ...lines]);
});
