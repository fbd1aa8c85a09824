import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportMarkdown } from '../../../src/areas/rendering/report/report.ts';
import { reportPage } from '../../../src/areas/rendering/report/report-page.ts';
import { given } from '../../../src/testing/index.ts';
import { SAMPLE_HASH } from '../../contract/sample-contract.ts';
import { describeOwner } from '../../describe-access.ts';
import { nastyText } from '../../rendering/nasty-texts.ts';
import { awaiting, certified, deployed, play, submitted } from '../../story.ts';

type Past = Parameters<typeof given>[0];
const reportOf = (past: Past, format?: 'md' | 'html'): string =>
  given(past)
    .when('report', format ? { format } : {}, 'owner')
    .reply().text;

describe('report', () => {
  test('states for an ended session what was proven, by which test, evidence and verdict', () => {
    const text = reportOf(play(deployed, [['owner', 'end', { end_reason: 'COMPLETED', note: 'Well done.' }]]));
    expect(text).toContain(
      'Ended as COMPLETED in the phase RELEASE. The deployment was authorized. Proven requirements: 2 of 2.\n\nNote of the owner at the end: Well done.\n\nFrom 2026-01-05 09:00 UTC to 2026-01-05 09:00 UTC, 0 min.\n\n## Objective\n\nOrders reserve stock before they are paid.',
    );
    expect(text).toContain(
      '### `R1`: proven\n\nAn order reserves stock.\n\nTests:\n\n- `test-reserve` An order reserves stock: PASSED, judged by Ben\n  - Ada, `log`: It holds.\n  - Ben, `log`: It holds.',
    );
    expect(text).toContain('- `d_1` **Store**: PostgreSQL 15');
    expect(text).toContain(`\`${'a'.repeat(40)}\``);
    expect(text).toMatch(
      /- Contract `r_1`, SHA-256: `[0-9a-f]{64}`\n- Contract approved by the owner, 2026-01-05 09:\d\d UTC\n/,
    );
    expect(text).toMatch(/parley verify-log \S+ --head \d+:[0-9a-f]{64}/);
  });

  test('states for a running session what comes next', () => {
    expect(reportOf([])).toContain(
      'Not finished: the session is ACTIVE in the phase PLANNING. The next step is that of',
    );
    expect(reportOf(certified)).toContain('### `R1`: not proven');
    expect(reportOf(certified)).toContain('Tests:\n\n- `test-reserve` An order reserves stock: not run\n');
    expect(reportOf(certified)).toMatch(/- Contract `r_1`, CERTIFIED, not approved, SHA-256: `/);
  });

  test('lists below each requirement its acceptance criteria', () => {
    const requirements = [
      { requirement_id: 'R1', text: 'An order reserves stock.', acceptance_criteria: ['Twice is once.', 'Never 0.'] },
    ];
    const text = given([], { session: { requirements } }).when('report', {}, 'owner').reply().text;
    expect(text).toContain(
      '### `R1`: not proven\n\nAn order reserves stock.\n\nAccepted if:\n\n- Twice is once.\n- Never 0.\n\nNo test of the contract proves this requirement.',
    );
  });

  test('says of each defect what failed and how it was fixed', () => {
    const judged = { scenario_id: 'test-reserve', attempt: 1, verdict: 'FAIL', note: 'Two units, not one.' };
    const past = play(awaiting, [['agent_b', 'verify_verify', judged]]);
    expect(reportOf(past)).toContain(
      '- `def_1` of `test-reserve`, OPEN, assigned to Ben\n  - Failed: Two units, not one.',
    );
  });

  test('lists the findings that are still open', () => {
    const review = { revision_id: 'r_1', content_hash: SAMPLE_HASH, verdict: 'APPROVE', caveats: ['Watch the lock.'] };
    const past = play(submitted, [['agent_b', 'submit_final_review', review]]);
    expect(reportOf(past)).toContain('## Findings that are still open\n\n- `f_1` of Ben: Watch the lock.');
  });

  test('is a page without scripts that loads nothing', () => {
    const page = reportOf(deployed, 'html');
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    );
    expect(page).toContain('<h3><code>R1</code>: proven</h3>');
    expect(page).not.toMatch(/<(?:script|a|img|link|iframe)\b/);
  });

  describeOwner('report', { statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });
});

const factsWith = (text: string) => ({
  sessionId: 'S',
  title: text,
  objective: text,
  result: 'Not finished.',
  endNote: text,
  createdAt: '2026-01-05T09:00:00.000Z',
  lastAt: '2026-01-05T11:05:00.000Z',
  people: [{ name: text, role: 'agent_a', repository: text }],
  requirements: [
    {
      ...{ id: 'R1', text, criteria: [text], isProven: true },
      tests: [
        { id: 't', title: text, status: 'PASSED', evidence: [{ by: text, kind: 'log', claim: text }], judge: text },
      ],
    },
  ],
  decisions: [{ id: 'd_1', topic: text, position: text }],
  defects: [
    {
      ...{ id: 'def_1', scenario: 't', status: 'CLOSED', assignedTo: text },
      ...{
        failure: text,
        fix: { note: text, commit: 'c' },
        waiverReason: text,
        reassigned: [{ to: text, reason: text }],
      },
    },
  ],
  deviations: [{ scenario: 't', text }],
  open: [{ id: 'f_2', by: text, text }],
  overridden: [{ id: 'f_1', text, reason: text }],
  commits: [{ name: text, service: text, commit: 'c' }],
  contract: { revision: 'r_1', hash: 'h', status: 'APPROVED' },
  approvals: [{ stage: 'approval', required: 2, given: [{ name: text, at: '2026-01-05T11:00:00.000Z' }] }],
  head: { seq: 1, hash: 'h' },
});

describe('the page of a report', () => {
  test('contains the duration of the session', () => {
    expect(reportMarkdown(factsWith('x'))).toContain('From 2026-01-05 09:00 UTC to 2026-01-05 11:05 UTC, 2 h 5 min.');
  });

  test('contains no element and no attribute that comes from a text', () => {
    const tags = (page: string): string[] => [...new Set(page.match(/<\/?[a-z][^>]*>/g))].toSorted();
    const known = new Set([
      ...tags(reportPage('x', reportMarkdown(factsWith('x')))),
      ...['<br />', '<code>', '</code>'],
    ]);
    fc.assert(
      fc.property(nastyText, (text) => {
        const page = reportPage(text, reportMarkdown(factsWith(text)));
        expect(tags(page.slice(page.indexOf('</style>'))).filter((tag) => !known.has(tag))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('shows the evidence of a test below the first requirement that the test proves', () => {
    const [first] = factsWith('x').requirements;
    const text = reportMarkdown({ ...factsWith('x'), requirements: first ? [first, { ...first, id: 'R2' }] : [] });
    expect(text.split('\n').filter((line) => line.includes('`t`') && line.includes('PASSED'))).toEqual([
      '- `t` x: PASSED, judged by x',
      '- `t` x: PASSED, judged by x, with the evidence above',
    ]);
    expect(text.split('x, `log`: x')).toHaveLength(2);
  });

  test('stays small for any texts', () => {
    const text = '\u202e'.repeat(20_000);
    const facts = factsWith(text);
    const many = {
      ...facts,
      decisions: Array.from({ length: 500 }, () => ({ id: 'd_1', topic: text, position: text })),
    };
    expect(reportMarkdown(many).length).toBeLessThanOrEqual(200_000);
  });
});
