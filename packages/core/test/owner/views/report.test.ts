import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportMarkdown, reportPage } from '../../../src/areas/owner/report.ts';
import type { ReportFacts } from '../../../src/areas/owner/report-facts.ts';
import { given } from '../../../src/testing/index.ts';
import { changed } from '../../contract/sample-contract.ts';
import { describeOwner } from '../../describe-access.ts';
import { findsAndHolds, judges, recommends } from '../../moderation.ts';
import { answered, asked, intervened } from '../../past.ts';
import { nastyText } from '../../rendering/nasty-texts.ts';
import { type Call, certified, deployed, play, submit } from '../../story.ts';

type Past = Parameters<typeof given>[0];
const reportOf = (past: Past, format?: 'md' | 'html'): string =>
  given(past)
    .when('report', format ? { format } : {}, 'owner')
    .reply().text;

/** The call with which a builder reports what it saw after the latest authorization. */
function reports(past: Past, by: 'agent_a' | 'agent_b', note: string): Call {
  const { actions } = given(past).when('poll_actions', {}, by).reply();
  const [action] = actions.filter(({ type }) => type === 'REPORT_GATES');
  return [by, 'complete_action', { action_id: action?.action_id ?? '', note }];
}

/** agent_a has reported on the deployment, agent_b has not, and the activation is authorized. */
const activated = play(deployed, [
  reports(deployed, 'agent_a', 'Both run.'),
  ['owner', 'authorize', { stage: 'activation' }],
]);

describe('report', () => {
  test('lists an answered question of an agent at the time of the question, not of the answer', () => {
    const text = reportOf([
      asked('agent_a', 'q_1', { to: 'owner' }),
      intervened('i_1', { targets: ['agent_b'] }),
      answered('owner', 'q_1', 'Port 8080.'),
    ]);
    expect(text).toMatch(/`q_1` Question of [\s\S]+`i_1` Question to /);
  });

  test('explains shortened texts only if it contains one', () => {
    expect(reportOf(certified)).not.toContain('is shortened');
    const objective = 'Reserve stock. '.repeat(200);
    const long = given([], { session: { objective } }).when('report', {}, 'owner').reply().text;
    expect(long).toContain('A text that ends with … is shortened.');
  });

  test('lists below each requirement its acceptance criteria', () => {
    const requirements = [
      { requirement_id: 'R1', text: 'An order reserves stock.', acceptance_criteria: ['Twice is once.', 'Never 0.'] },
    ];
    const text = given([], { session: { requirements } }).when('report', {}, 'owner').reply().text;
    expect(text).toContain(
      '### `R1`: not proven\n\nAn order reserves stock.\n\nAccepted if:\n\n- Twice is once.\n- Never 0.\n\n',
    );
  });

  test('says that there was no contract, and leaves out empty parts', () => {
    const text = reportOf(play([], [['owner', 'end', { end_reason: 'CANCELLED', note: 'Not needed.' }]]));
    expect(text).toMatch(
      /^# .+\n\nEnded as CANCELLED in the phase PLANNING\.\n\nNote of the owner at the end: Not needed\.\n/,
    );
    expect(text).toContain(
      '## Requirements and their proof\n\nNo contract has been written, so no test can prove a requirement.\n\n### `R1`: not proven\n',
    );
    expect(text).not.toMatch(/None\.|No test of the contract|## Defects|## Deployment/);
    expect(text).toContain('The log contains nothing for these parts of the report: What the owner said; ');
    expect(text).toContain('## What was left to do at the end\n\n- No contract is written\n');
  });

  test('says after the last report that nothing is left', () => {
    const past = play(activated, [reports(activated, 'agent_a', 'Fine.'), reports(activated, 'agent_b', 'Fine, too.')]);
    const text = reportOf(play(past, [['owner', 'end', { end_reason: 'COMPLETED' }]]));
    expect(text).toContain('- Report of Ben, 2026-01-05 09:00 UTC: Fine, too.\n');
    expect(text).toContain(
      '## What was left to do at the end\n\n- Deployment, no report of Ben: its gates are gate-deploy\n',
    );
    const full = play(deployed, [reports(deployed, 'agent_a', 'Both run.'), reports(deployed, 'agent_b', 'Yes.')]);
    const live = play(full, [['owner', 'authorize', { stage: 'activation' }]]);
    const done = play(live, [reports(live, 'agent_a', 'Fine.'), reports(live, 'agent_b', 'Fine.')]);
    expect(reportOf(play(done, [['owner', 'end', { end_reason: 'COMPLETED' }]]))).toContain(
      '## What was left to do at the end\n\nNothing: no question, decision, finding, hold, test, defect, task or report of an agent is open. Whether each of the 2 rollout steps was taken, only the reports below can show.\n',
    );
  });

  test('shows a request for changes with the revision after it', () => {
    const asks: Call = ['owner', 'requestChanges', { reason: 'Name the port.' }];
    const past = play(certified, [asks, submit('r_1', changed({ title: 'Other' })), asks]);
    expect(reportOf(past)).toContain(
      '- Request for changes to r_1, 2026-01-05 09:00 UTC: Name the port.\n  - r_2 was submitted after this request: As decided.\n- Request for changes to r_2, 2026-01-05 09:00 UTC: Name the port.\n  - No revision was submitted after this request\n',
    );
  });

  test('shows what the moderator said and what the owner answered', () => {
    const past = play(certified, [
      judges('REQUEST_CHANGES'),
      ['owner', 'overrideReview', { role: 'moderator', reason: 'Known.' }],
      recommends(),
      ['owner', 'respondRecommendation', { recommendation_id: 'rec_1', decision: 'REJECT', note: 'No.' }],
      findsAndHolds,
    ]);
    const text = reportOf(past);
    expect(text).toContain(
      [
        '## What the moderator said',
        '',
        '- Review of r_1, REQUEST_CHANGES, 2026-01-05 09:00 UTC: Read.',
        '  - Overridden by the owner: Known.',
        '- `rec_1` Recommendation PAUSE, 2026-01-05 09:00 UTC: Wait for the rollback.',
        '  - Answer of the owner, REJECT: No.',
        '- `h_1` Hold on f_1, 2026-01-05 09:00 UTC: Not without a rollback.',
        '  - Finding f_1: Nothing undoes a failed release.',
        '  - Still active',
        '',
      ].join('\n'),
    );
    expect(text).toContain('- `h_1` Active hold on f_1: Not without a rollback.\n');
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

const entryWith = (text: string) => ({
  ...{ id: 'f_2', what: `Finding of ${text}`, text },
  answers: [{ by: text, text }],
});

const factsWith = (text: string): ReportFacts => ({
  sessionId: 'S',
  source: undefined,
  title: text,
  objective: text,
  result: 'Not finished.',
  isEnded: false,
  endedBy: text,
  endNote: text,
  createdAt: '2026-01-05T09:00:00.000Z',
  lastAt: '2026-01-05T11:05:00.000Z',
  people: [{ name: text, role: 'agent_a', repository: text }],
  requirements: [
    {
      ...{ id: 'R1', text, criteria: [text], isProven: true, levels: ['recorded'] },
      tests: [
        {
          id: 't',
          title: text,
          status: 'PASSED',
          evidence: [{ by: text, kind: 'log', level: 'recorded', claim: text }],
          judge: text,
        },
      ],
    },
  ],
  decisions: [{ decision_id: 'd_1', topic: text, position: text }],
  defects: [
    {
      ...{ defect_id: 'def_1', scenario_id: 't', status: 'CLOSED', assigned_to: text },
      ...{
        failure: text,
        refusal: { stage: 'activation', reason: text },
        fix: { note: text, commit: 'c', fixed_at: '2026-01-05T11:00:00.000Z' },
        waiver_reason: text,
        reassigned: [{ to: text, reason: text }],
      },
    },
  ],
  deviations: [{ scenario: 't', text }],
  followups: [{ followup_id: 'fu_1', kind: 'fault', side: text, by: text, text }],
  carried: [{ attempt: 't/1', by: text, reason: text, changes: [{ by: text, since: 'a', to: 'b', paths: 2 }] }],
  left: [{ name: 'open findings', entries: [entryWith(text)] }],
  guardrails: [text],
  owner: [entryWith(text)],
  moderator: [entryWith(text)],
  rollout: {
    steps: [text],
    rollback: text,
    stages: [
      {
        stage: 'deployment',
        isAuthorized: true,
        gates: [{ id: 'g', stage: 'deployment', title: text, condition: text, met: text }],
        reports: [{ by: text, at: '2026-01-05T11:00:00.000Z', note: text }],
      },
    ],
  },
  built: { summary: text, inScope: [text], outOfScope: [text] },
  overridden: [{ finding_id: 'f_1', text, override_reason: text }],
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
    expect(text.split('x, `log`, recorded: x')).toHaveLength(2);
  });

  test('cuts a text at the end of a word', () => {
    const position = `${'a '.repeat(345)}abcdefghijklmnop and more`;
    const text = reportMarkdown({ ...factsWith('x'), decisions: [{ decision_id: 'd_1', topic: 'x', position }] });
    expect(text).toContain(` a a …\n`);
    expect(text).not.toContain('abc');
  });

  test('shows the newest entries of a long list, after the number of the others', () => {
    const owner = Array.from({ length: 40 }, (_, index) => ({ what: `Pause ${index + 1}`, text: '' }));
    const text = reportMarkdown({ ...factsWith('x'), owner });
    expect(text).toContain('- 28 earlier entries are in the log only.\n- Pause 29\n- Pause 30\n');
  });

  test('stays small for any texts', () => {
    const text = '\u202e'.repeat(2_000);
    const facts = factsWith(text);
    const many = {
      ...facts,
      decisions: Array.from({ length: 500 }, () => ({ decision_id: 'd_1', topic: text, position: text })),
    };
    expect(reportMarkdown(many).length).toBeLessThanOrEqual(200_000);
  });
});
