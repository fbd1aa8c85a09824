import { describe, expect, test } from 'vitest';
import { formatBrief, formatChanges } from '../../../src/cli/print/format-brief.ts';
import { createPaint, UNLIMITED } from '../../../src/text/page.ts';
import { answerOf } from '../../answer-of.ts';

const page = { columns: 80, paint: createPaint(false) };

const place = { program: 'parley', sessionId: 'S', isSinceGiven: false };
const MARK_READ = ['', 'To mark r_3 as read: parley mark-read S --revision-id r_3 --sections all'];

const shown = (changes: object, at: typeof page, where: object): string[] =>
  formatChanges(answerOf('changes', changes), at, { ...place, ...where });

const change = (members: Readonly<Record<string, unknown>>) => ({ revisions: ['r_3'], ...members });

test('changes prints the words or the text of a decision', () => {
  const changes = [
    change({ kind: 'REMOVED', path: '/decisions/2', place: 'decision d_3', title: 'Expiry', replaced_by: 'd_10' }),
    change({
      kind: 'ADDED',
      path: '/decisions/4',
      place: 'decision d_10',
      title: 'Expiry',
      replaces: 'd_3',
      words: 'lives [-10-]{+15+} minutes',
    }),
    change({ kind: 'ADDED', path: '/decisions/5', place: 'decision d_11', title: 'Again', after: 'Answers 200.' }),
  ];
  const sections = [{ section: 'decisions', count: 3, read_at: null, records: [{ record: null, changes }] }];
  expect(shown({ revision_id: 'r_3', since: 'r_2', count: 3, revisions: [], sections }, page, place)).toEqual([
    'r_3 compared with r_2 (3 changes)',
    '',
    'decisions (3 changes, not read)',
    '  - decision d_3 removed, replaced by d_10: Expiry  [r_3]',
    '  + decision d_10 added, replaces d_3: Expiry  [r_3]',
    '      lives [-10-]{+15+} minutes',
    '  + decision d_11 added: Again  [r_3]',
    '      + Answers 200.',
    ...MARK_READ,
  ]);
});

test.each(['__proto__', 'constructor'])('changes shows a section named %s', (section) => {
  const changes = [change({ kind: 'CHANGED', path: '/x', place: 'x' })];
  const sections = [{ section, count: 1, read_at: null, records: [{ record: null, changes }] }];
  const lines = shown({ revision_id: 'r_3', since: 'r_2', count: 1, revisions: [], sections }, page, place);
  expect(lines.slice(1, 4)).toEqual(['', `${section} (1 change, not read)`, '  ~ x  [r_3]']);
});

test('changes prints the word of a kind that only a later version knows', () => {
  const changes = [change({ kind: 'CHANGED', path: '/x', place: 'x' })];
  const sections = [{ section: 'tasks', count: 1, read_at: null, records: [{ record: null, changes }] }];
  const known = answerOf('changes', { revision_id: 'r_3', since: 'r_2', count: 1, revisions: [], sections });
  const later = JSON.parse(JSON.stringify(known).replace('"CHANGED"', '"MOVED"'));
  expect(formatChanges(later, page, place)).toContain('  MOVED x  [r_3]');
});

test('changes shows members of the contract that are read together as one section', () => {
  const read_at = '2026-11-27T12:10:24.888Z';
  const sectionOf = (section: string, at: string | null) => ({
    ...{ section, count: 1, read_at: at },
    records: [{ record: null, changes: [change({ kind: 'CHANGED', path: `/${section}`, place: section })] }],
  });
  const sections = [
    ...[sectionOf('schema_version', null), sectionOf('title', read_at), sectionOf('summary', null)],
    sectionOf('tasks', read_at),
  ];
  const lines = shown({ revision_id: 'r_3', since: 'r_2', count: 4, revisions: [], sections }, page, place);
  expect(lines.slice(1, 8)).toEqual([
    ...['', 'summary (3 changes, not read)', '  ~ schema_version  [r_3]', '  ~ title  [r_3]', '  ~ summary  [r_3]'],
    ...['', 'tasks (1 change, read)'],
  ]);
});

test('changes names the causes of a revision, and once what a finding says', () => {
  const request = { type: 'change_request', id: '55' };
  const finding = { type: 'finding', id: 'f_1' };
  const revisions = [
    { revision_id: 'r_2', reason: 'A part.', causes: [finding] },
    { revision_id: 'r_3', reason: 'All of it.', causes: [request, finding] },
  ];
  const findings = [{ finding_id: 'f_1', text: 'Nothing says when the state ends.\n\nA killed ledger.' }];
  const view = answerOf('view', { findings });
  const answer = { revision_id: 'r_3', since: 'r_1', count: 0, revisions, sections: [] };
  expect(shown(answer, { ...page, columns: UNLIMITED }, { ...place, view, isSinceGiven: true }).slice(1, 3)).toEqual([
    'r_2  A part. (because of f_1 "Nothing says when the state ends.")',
    'r_3  All of it. (because of your request #55, f_1)',
  ]);
});

test('changes prints short values in the line of the change, and long values below it', () => {
  const long = 'The whole rollout is done by hand, one service after the other, each with its own flag.';
  const changes = [
    change({ kind: 'CHANGED', path: '/a', place: 'status of error 1', before: '409', after: '423' }),
    change({ kind: 'CHANGED', path: '/b', place: 'rollback', before: long, after: 'By hand.' }),
    change({
      kind: 'CHANGED',
      path: '/c',
      place: 'decision d_3',
      title: 'Expiry',
      replaces: 'd_2',
      after: '15 minutes',
    }),
    change({ kind: 'ADDED', path: '/d', place: 'headers', after: '{\n "Retry-After": "1"\n}' }),
    change({ kind: 'ADDED', path: '/g', place: 'done when 3 of task a', after: 'No row.' }),
    change({ kind: 'ADDED', path: '/e', place: 'depends on task-a', after: 'task-a' }),
    change({ kind: 'ADDED', path: '/dependencies/0', place: 'dependency PostgreSQL', after: '{"name":"PostgreSQL"}' }),
    change({ kind: 'REMOVED', path: '/f', place: 'rollout', before: JSON.stringify({ rollback: long }) }),
  ];
  const sections = [{ section: 'rollout', count: 7, read_at: null, records: [{ record: null, changes }] }];
  expect(
    shown({ revision_id: 'r_3', since: 'r_2', count: 7, revisions: [], sections }, { ...page, columns: 200 }, place),
  ).toEqual([
    'r_3 compared with r_2 (7 changes)',
    '',
    'rollout (7 changes, not read)',
    '  ~ status of error 1: 409 → 423  [r_3]',
    '  ~ rollback  [r_3]',
    `      - ${long}`,
    '      + By hand.',
    '  ~ decision d_3 replaces d_2: Expiry  [r_3]',
    '      + 15 minutes',
    '  + headers added: Retry-After: 1  [r_3]',
    '  + done when 3 of task a added: No row.  [r_3]',
    '  + depends on task-a added  [r_3]',
    '  + dependency PostgreSQL added  [r_3]',
    '      name  PostgreSQL',
    '  - rollout removed  [r_3]',
    `      rollback  ${long}`,
    ...MARK_READ,
  ]);
});

test('changes shows your requests, and whether a revision names them', () => {
  const request = { message_id: 55, returned: 'r_2', text: 'Say who sets the state.', answered_by: 'r_3' };
  const requests = [
    { ...request, answer: 'f_1 is mended.', is_named: false },
    { ...request, message_id: 60, text: 'Use 423.', answer: 'As #60 says.', is_named: true },
  ];
  const sections = [{ section: 'tasks', count: 0, read_at: null, records: [] }];
  const answer = { revision_id: 'r_3', since: 'r_2', count: 0, revisions: [], requests, sections };
  expect(shown(answer, { ...page, columns: UNLIMITED }, place).slice(1, 6)).toEqual([
    '',
    'your requests for changes',
    '  on r_2, #55: Say who sets the state.',
    '  → r_3 was submitted after this request and does not name it as a cause: f_1 is mended.',
    '  on r_2, #60: Use 423.',
  ]);
});

describe('changes that the owner has read', () => {
  const sections = [{ section: 'tasks', count: 1, read_at: '2026-11-27T12:00:00.000Z', records: [] }];
  const answer = { revision_id: 'r_3', since: 'r_2', count: 1, revisions: [], sections };

  test('are not printed again', () => {
    expect(shown(answer, page, place)).toEqual([
      'Nothing changed since r_3, which you have read.',
      'To read the changes since r_2 again: parley changes S --since r_2',
    ]);
    expect(shown({ ...answer, since: null }, page, place)).toEqual([
      'Nothing changed since r_3, which you have read.',
      'To read r_3 again: parley plan S',
    ]);
  });

  test('are printed if the person names the revision to compare with', () => {
    expect(shown(answer, page, { ...place, isSinceGiven: true })).toEqual([
      'r_3 compared with r_2 (1 change)',
      '',
      'tasks (1 change, read)',
    ]);
  });
});

describe('a text or a record that was added', () => {
  const text = 'No row marks a key as in progress: the lock is pg_try_advisory_xact_lock on the hash of the key.';
  const record = `{"given":"A key.","id":"test-key","then":"${text}","title":"Frees","when":"It is killed."}`;
  const changes = [
    change({ kind: 'ADDED', path: '/tasks/0/done/2', place: 'done 3', after: text }),
    change({ kind: 'ADDED', path: '/tests/3', place: 'test test-key', title: 'Frees', after: record }),
  ];
  const sections = [{ section: 'tests', count: 2, read_at: null, records: [{ record: null, changes }] }];
  const linesAt = (columns: number) =>
    shown({ revision_id: 'r_3', since: 'r_2', count: 2, revisions: [], sections }, { ...page, columns }, place).slice(
      3,
    );

  test('is printed in full if the output is piped', () => {
    expect(linesAt(UNLIMITED)).toEqual([
      `  + done 3 added: ${text}  [r_3]`,
      '  + test test-key added: Frees  [r_3]',
      '      id     test-key',
      '      title  Frees',
      '      given  A key.',
      '      when   It is killed.',
      `      then   ${text}`,
      ...MARK_READ,
    ]);
  });

  test('is wrapped on a terminal', () => {
    const lines = linesAt(80);
    expect(lines.filter((line) => line.length > 80 || line.includes('…'))).toEqual([]);
    expect(lines.join(' ').replaceAll(/\s+/g, ' ').split(text)).toHaveLength(3);
  });
});

test('the brief of the approval prints the rules that the decisions change', () => {
  const decisions_added = [
    { decision_id: 'd_10', status: 'RESOLVED', topic: 'Expiry', supersedes: 'd_3', changes: '[-10-]{+15+} minutes' },
    { decision_id: 'd_11', status: 'RESOLVED', topic: 'Again', supersedes: null, position: 'Answers 200.' },
  ];
  const lines = formatBrief(answerOf('brief', { stage: 'approval', decisions_added }), undefined, page, place);
  const from = lines.indexOf('decisions added');
  expect(lines.slice(from, from + 5)).toEqual([
    'decisions added',
    '  d_10 RESOLVED  Expiry (instead of d_3)',
    '  → [-10-]{+15+} minutes',
    '  d_11 RESOLVED  Again',
    '  → Answers 200.',
  ]);
});
