import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createMessagePrinter } from '../src/print/message-printer.ts';
import { createPaint } from '../src/print/style.ts';

const page = { columns: 80, paint: createPaint(false) };
const AGENTS = { agent_a: { name: 'Shop' }, agent_b: { name: 'Ledger' } };
const HASH = '5890'.repeat(16);
const [OLD, NEW] = ['c02d'.repeat(10), '7fa3'.repeat(10)];
const commits = { agent_a: OLD, agent_b: NEW };

const printed = (from: string, kind: string, body: object): string[] =>
  createMessagePrinter(page, AGENTS).lines({ id: 1, at: 'no time', from, kind, body: { ...body } });

/** Who says what, and how it reads. */
const READINGS: readonly (readonly [from: string, kind: string, body: object, lines: readonly string[]])[] = [
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
      '● Ledger  saves r_2, after r_1',
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
      issues: [{ code: 'PLACEHOLDER_TEXT', severity: 'error', pointer: '/summary', message: 'This is a placeholder.' }],
      blockers: [{ code: 'REVIEW_MISSING', record: 'r_2', responsible: 'agent_b' }],
    },
    [
      '● Shop  validates r_2 again (run_1)',
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
    ['● Ledger  maps every requirement to r_2', '│ maps         req-1  d_2, key, once'],
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
      '● Shop  raises f_1 (RISK, blocking)',
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
    ['● Ledger  accepts f_1, mended in r_2', '│ Right.'],
  ],
  [
    'agent_a',
    'finding.resolved',
    { finding_id: 'f_1', outcome: 'RESOLVED' },
    ['● Shop  closes f_1', '✔ f_1 is RESOLVED'],
  ],
  ['owner', 'finding.overridden', { finding_id: 'f_2', reason: 'Later.' }, ['● owner  overrides f_2', '│ Later.']],
  [
    'agent_a',
    'review.submitted',
    { revision_id: 'r_2', verdict: 'APPROVE', content_hash: HASH, caveats: ['Watch the lock.'] },
    ['● Shop  reviews r_2: APPROVE', `│ on exactly   ${HASH}`, '│ caveat       Watch the lock.'],
  ],
  ['owner', 'changes.requested', { revision_id: 'r_2', reason: 'Legal.' }, ['● owner  sends r_2 back', '│ Legal.']],
  [
    'owner',
    'contract.approved',
    {
      revision_id: 'r_2',
      content_hash: HASH,
      manifest: {
        manifest_id: 'm_1',
        frozen_at: '2026-11-21',
        manifest_sha256: HASH,
        artifacts: [
          { filename: 'contract.md', sha256: HASH, assigned_to: ['agent_a', 'agent_b'] },
          { filename: 'handoff-agent-b.md', sha256: HASH, assigned_to: ['agent_b'] },
        ],
      },
    },
    [
      '● owner  approves r_2, these bytes and no others',
      `│ content_hash ${HASH}`,
      '│ manifest     m_1, frozen 2026-11-21',
      `│ its sha256   ${HASH}`,
      '│ for A and B  589058905890…  contract.md',
      '│ for B        589058905890…  handoff-agent-b.md',
    ],
  ],
  [
    'agent_a',
    'receipt.confirmed',
    { manifest_id: 'm_1', filename: 'contract.md', sha256: HASH },
    ['● Shop  has contract.md  589058905890…'],
  ],
  [
    'agent_a',
    'readiness.submitted',
    { manifest_id: 'm_1', verdict: 'BLOCKED', blockers: ['No staging.'], mismatches: ['fixture_version'] },
    ['● Shop  reports BLOCKED on m_1', '│ blocker      No staging.', '│ mismatch     fixture_version'],
  ],
  [
    'owner',
    'build.authorized',
    { revision_id: 'r_2', content_hash: HASH },
    ['● owner  authorizes the build of r_2', `│ of exactly   ${HASH}`, '✔ Both agents are told to BEGIN_BUILD'],
  ],
  [
    'agent_a',
    'handshake.declared',
    {
      service: 'shop',
      version: '2.0',
      commit: NEW,
      environment: 'staging',
      ready: true,
      dependencies_healthy: false,
      branch: 'keys',
      fixture_version: 'fix-1',
      interfaces: ['if-page', { name: 'if-api', version: '2' }],
      capabilities: ['replay'],
      skew_ms: -40,
      commit_changed: true,
      previous_commit: OLD,
    },
    [
      '● Shop  declares another commit: earlier passes are stale',
      '│ runs         shop 2.0 in staging, from keys',
      `│ commit       ${NEW}`,
      `│ before       ${OLD}`,
      '│ says         ready, dependencies not healthy',
      '│ fixtures     fix-1',
      '│ serves       if-page, if-api 2',
      '│ can          replay',
      '│ clock        -40 ms ahead of the service',
    ],
  ],
  ['agent_a', 'attempt.started', { scenario_id: 'once', attempt: 2, commits }, ['● Shop  starts once/2']],
  [
    'agent_b',
    'evidence.submitted',
    {
      scenario_id: 'once',
      attempt: 2,
      kind: 'log',
      claim: 'Booked twice.',
      summary: 'Two rows.',
      request_id: 'run-7',
      commit: OLD,
      assertions: [
        { name: 'status', expected: 200, actual: 200, passed: true },
        { name: 'rows', expected: [1], actual: [1, 2], passed: false },
      ],
    },
    [
      '● Ledger  gives evidence for once/2',
      '│ Booked twice.',
      '│',
      '│ saw          Two rows.',
      '│ holds        status: 200',
      '│ FAILS        rows: [1,2] instead of [1]',
      '│ run          run-7 on c02dc02dc02d…, by log',
    ],
  ],
  [
    'agent_b',
    'verdict.given',
    { scenario_id: 'once', attempt: 2, verdict: 'PASS', note: 'One row.' },
    ['● Ledger  judges once/2: PASS', '│ One row.', '✔ once has passed'],
  ],
  ['agent_b', 'verdict.given', { scenario_id: 'once', attempt: 1, verdict: 'FAIL' }, ['● Ledger  judges once/1: FAIL']],
  [
    'system',
    'defect.opened',
    { defect_id: 'def_1', scenario_id: 'once', attempt: 1, assigned_to: 'agent_b', commits },
    ['● system  opens def_1 on once/1, for Ledger', `│ commit       ${OLD} of Shop`, `│ commit       ${NEW} of Ledger`],
  ],
  [
    'system',
    'defect.reopened',
    { defect_id: 'def_1', scenario_id: 'once', attempt: 2, commits: { agent_a: OLD } },
    ['● system  opens def_1 again: once/2 failed', `│ commit       ${OLD} of Shop`],
  ],
  [
    'agent_b',
    'defect.fixed',
    { defect_id: 'def_1', scenario_id: 'once', note: 'Locks the row.', commit: NEW },
    ['● Ledger  marks def_1 fixed on 7fa37fa37fa3…', '│ Locks the row.'],
  ],
  [
    'system',
    'defect.closed',
    { defect_id: 'def_1', scenario_id: 'once', attempt: 2 },
    ['✔ def_1 is closed: once/2 passed'],
  ],
  [
    'owner',
    'defect.waived',
    { defect_id: 'def_1', scenario_id: 'once', reason: 'Old fixtures.' },
    ['● owner  waives def_1 of once', '│ Old fixtures.'],
  ],
  [
    'owner',
    'defect.reassigned',
    { defect_id: 'def_1', scenario_id: 'once', assigned_to: 'agent_a' },
    ['● owner  gives def_1 of once to Shop'],
  ],
  [
    'owner',
    'deployment.authorized',
    { manifest_id: 'm_1', commits },
    [
      '● owner  authorizes the deployment of m_1',
      `│ commit       ${OLD} of Shop`,
      `│ commit       ${NEW} of Ledger`,
      '✔ The deployment of these commits is authorized',
    ],
  ],
  [
    'owner',
    'activation.authorized',
    { manifest_id: 'm_1', commits: {} },
    ['● owner  authorizes the activation of m_1', '✔ The activation of these commits is authorized'],
  ],
];

describe('a message of the contract, the build or its verification', () => {
  test.each(READINGS)('of %s: %s', (from, kind, body, lines) => {
    expect(printed(from, kind, body)).toEqual(['', ...lines]);
  });
});

describe('every message that the event catalogue lists', () => {
  test('reads as words, and never as raw JSON', async () => {
    const raw = (await messageKinds()).filter((kind) => printed('agent_a', kind, SAMPLE).join('\n').includes('{"'));
    expect(raw).toEqual([]);
  });

  test('reaches a terminal without what could move its cursor, from every member', async () => {
    const kinds = await messageKinds();
    expect(kinds.length).toBeGreaterThan(40);
    const evil = 'x\u001b[31my\u202e\r';
    const item = { ...Object.fromEntries(MEMBERS.map((member) => [member, evil])), [evil]: evil };
    for (const body of [
      { ...SAMPLE, ...item, passed: false },
      { ...SAMPLE, ...Object.fromEntries(MEMBERS.map((member) => [member, [item]])) },
      { ...SAMPLE, ...Object.fromEntries(MEMBERS.map((member) => [member, [evil]])) },
      { ...SAMPLE, manifest: { ...item, artifacts: [{ ...item, assigned_to: [evil] }] }, commits: { agent_a: evil } },
    ]) {
      const shown = kinds.flatMap((kind) => printed(evil, kind, { ...body, in_turn: false })).join('\n');
      expect(['\u001b', '\u202e', '\r'].filter((letter) => shown.includes(letter))).toEqual([]);
    }
  });
});

const EVENTS = new URL('../../../docs/events.md', import.meta.url);

/** Kinds of the generated list that are entries of the transcript. */
const messageKinds = async (): Promise<string[]> =>
  Array.from(
    (await readFile(EVENTS, 'utf8')).matchAll(/^\| `([a-z.]+)` \| \d+ \| [^|]+ \| yes/gm),
    ([, kind = '']) => kind,
  );

const MEMBERS = [
  ...['reason', 'note', 'text', 'summary', 'claim', 'answer', 'topic', 'position', 'title', 'response', 'outcome'],
  ...['revision_id', 'parent_id', 'content_hash', 'filename', 'sha256', 'target', 'kind', 'verdict', 'decision'],
  ...['service', 'version', 'commit', 'environment', 'branch', 'fixture_version', 'previous_commit', 'scenario_id'],
  ...['request_id', 'defect_id', 'assigned_to', 'finding_id', 'decision_id', 'question_id', 'intervention_id'],
  ...[
    'interfaces',
    'capabilities',
    'assertions',
    'issues',
    'blockers',
    'mismatches',
    'caveats',
    'mappings',
    'evidence',
  ],
  ...[
    'name',
    'expected',
    'actual',
    'code',
    'pointer',
    'message',
    'record',
    'requirement_id',
    'candidate',
    'manifest_id',
  ],
];

const SAMPLE = { in_turn: false, attempt: 1, commits: {}, manifest: {}, mappings: [{ requirement_id: 'req-1' }] };
