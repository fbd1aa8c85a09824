import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportMarkdown } from '../../../src/areas/rendering/report/report.ts';
import { reportPage } from '../../../src/areas/rendering/report/report-page.ts';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { nastyText } from '../../rendering/nasty-texts.ts';
import { certified, deployed, failed, play } from '../../story.ts';

type Past = Parameters<typeof given>[0];
const reportOf = (past: Past, format?: 'md' | 'html'): string =>
  given(past)
    .when('report', format ? { format } : {}, 'owner')
    .reply().text;

describe('report', () => {
  test('says of a session that ended what was proven, by which test, evidence and verdict', () => {
    const text = reportOf(play(deployed, [['owner', 'end', { end_reason: 'COMPLETED', note: 'Well done.' }]]));
    expect(text).toContain('Ended as COMPLETED in the phase RELEASE. The deployment was authorized.\n\nWell done.');
    expect(text).toContain(
      '| proven | `test-reserve` An order reserves stock | PASSED, evidence: 1 of agent_a, 1 of agent_b, judged by agent_b |',
    );
    expect(text).toContain('- `d_1` **Store**: PostgreSQL 15');
    expect(text).toContain(`\`${'a'.repeat(40)}\``);
    expect(text).toMatch(/- `r_1` APPROVED, SHA-256 of its contract: `[0-9a-f]{64}`/);
    expect(text).toMatch(/parley verify-log \S+ --head \d+:[0-9a-f]{64}/);
  });

  test('says of a session that goes on what comes next', () => {
    expect(reportOf([])).toContain(
      'Not finished: the session is ACTIVE in the phase PLANNING. The next step is that of',
    );
    expect(reportOf(certified)).toContain('| not proven | `test-reserve` An order reserves stock | not run |');
    expect(reportOf(failed)).toContain('- `def_1` of `test-reserve`, OPEN, for `agent_');
  });

  test('is a page without scripts that loads nothing', () => {
    const page = reportOf(deployed, 'html');
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    );
    expect(page).toContain('<td>proven</td>');
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
  requirements: [{ id: 'R1', text, isProven: true, tests: [{ id: 't', title: text, status: 'PASSED', evidence: '' }] }],
  decisions: [{ id: 'd_1', topic: text, position: text }],
  defects: [{ id: 'def_1', scenario: 't', status: 'CLOSED', assignedTo: 'agent_a', settledBy: text }],
  deviations: [{ scenario: 't', text }],
  overridden: [{ id: 'f_1', text, reason: text }],
  commits: [{ name: text, service: text, commit: 'c' }],
  contract: { revision: 'r_1', hash: 'h', status: 'APPROVED' },
  approvals: [{ stage: 'approval', names: [text, text] }],
  head: { seq: 1, hash: 'h' },
});

describe('the page of a report', () => {
  test('contains the duration of the session', () => {
    expect(reportMarkdown(factsWith('x'))).toContain('From 2026-01-05 09:00 UTC to 2026-01-05 11:05 UTC, 2 h 5 min.');
  });

  test('contains no element and no attribute that a text brings', () => {
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
