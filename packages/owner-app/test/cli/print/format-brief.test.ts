import { describe, expect, test } from 'vitest';
import { formatBrief } from '../../../src/cli/print/format-brief.ts';
import { createPaint, UNLIMITED } from '../../../src/text/page.ts';
import { answerOf } from '../../answer-of.ts';

const page = { columns: UNLIMITED, paint: createPaint(false) };
const VIEW = answerOf('view', {
  requirements: [{ requirement_id: 'req-1', text: 'One refund.', acceptance_criteria: ['Twice is once.', 'Never 0.'] }],
});
const place = { program: 'parley', sessionId: 'S' };
const linesOf = (requests: readonly object[], unread: readonly string[] = []): string[] =>
  formatBrief(
    answerOf('brief', { stage: 'approval', revision_id: 'r_3', title: 'Refunds', requests, unread }),
    VIEW,
    page,
    place,
  );

test('the brief before a deployment does not say that a gate holds, because nothing shows it', () => {
  const gates = [{ id: 'gate-1', title: 'Unit tests', condition: 'The unit tests of both pass.' }];
  const missingIn = (brief: object): string | undefined => {
    const lines = formatBrief(
      answerOf('brief', { stage: 'deployment', revision_id: 'r_3', title: 'Refunds', ...brief }),
      VIEW,
      page,
      place,
    );
    return lines[lines.indexOf('missing') + 1];
  };
  expect(missingIn({ gates })).toBe(
    '  nothing that Parley checks. Of the "gates of this stage" below it checks only that runs met those that demand one: read the conditions first',
  );
  expect(missingIn({ gates: [] })).toBe('  nothing: you can take this step');
});

describe('the brief before an approval', () => {
  test('names what is open of the agenda, where something is', () => {
    const lines = (brief: object): string[] =>
      formatBrief(answerOf('brief', { stage: 'approval', ...brief }), VIEW, page, place);
    const open = lines({ agenda_open: { topics: ['Retries'], scenarios: ['test-outage'] } });
    const at = open.indexOf('open on your agenda');
    expect(open.slice(at, at + 3)).toEqual([
      'open on your agenda',
      '  not decided: Retries',
      '  not in the contract: scenario test-outage',
    ]);
    expect(lines({})).not.toContain('open on your agenda');
  });

  test('shows the text of a request for changes, and below it the answer in the revision', () => {
    const lines = linesOf([
      {
        message_id: 57,
        returned: 'r_2',
        text: 'Say what CAPTURE_UNKNOWN is.',
        answered_by: 'r_3',
        answer: 'It is said.',
        is_named: true,
      },
      { message_id: 71, returned: 'r_3', text: 'Rollback?', answered_by: null, answer: null, is_named: false },
    ]);
    const at = lines.indexOf('your requests for changes');
    expect(lines.slice(at, at + 5)).toEqual([
      'your requests for changes',
      '  on r_2, #57: Say what CAPTURE_UNKNOWN is.',
      '  → r_3 names this request as its cause: It is said.',
      '  on r_3, #71: Rollback?',
      '  → no revision was submitted after this request yet',
    ]);
  });

  test('counts the sections that were read, and says of unchanged sections that they were not read before either', () => {
    const brief = {
      stage: 'approval',
      revision_id: 'r_2',
      since: 'r_1',
      changes: [{ section: 'tasks', count: 2 }],
      unread: ['requirements', 'tasks'],
      reading: { read: 10, of: 12 },
    };
    const lines = formatBrief(answerOf('brief', brief), VIEW, page, place);
    const at = lines.indexOf('your reading');
    expect(lines.slice(at, at + 2)).toEqual([
      'your reading',
      '  10 of 12 sections read; to print the others: parley plan S --unread',
    ]);
    const unread = lines.indexOf('unchanged, but not read in r_1 either');
    expect(lines.slice(unread, unread + 2)).toEqual(['unchanged, but not read in r_1 either', '  requirements']);
  });

  test('lists as many unread sections as it counts: sections that are read together are one section', () => {
    const brief = {
      stage: 'approval',
      revision_id: 'r_1',
      since: null,
      changes: [
        { section: 'schema_version', count: 1 },
        { section: 'title', count: 1 },
        { section: 'summary', count: 1 },
        { section: 'risks', count: 2 },
        { section: 'safety_conditions', count: 1 },
      ],
      unread: ['requirements', 'schema_version', 'title', 'summary', 'risks', 'safety_conditions'],
      reading: { read: 0, of: 3 },
    };
    const lines = formatBrief(answerOf('brief', brief), VIEW, page, place);
    const at = lines.indexOf('your reading');
    expect(lines.slice(at, at + 9)).toEqual([
      'your reading',
      '  0 of 3 sections read; to print the others: parley plan S --unread',
      '',
      'changed since the beginning',
      '  summary  3, not read',
      '  risks  3, not read',
      '',
      'not read',
      '  requirements',
    ]);
  });

  test('shows the requirements with their acceptance criteria if the owner has not read them', () => {
    expect(linesOf([], ['tasks'])).not.toContain('requirements');
    const lines = linesOf([], ['requirements']);
    const at = lines.indexOf('requirements');
    expect(lines.slice(at, at + 4)).toEqual([
      'requirements',
      '  req-1  One refund.',
      '  accepted if: Twice is once.',
      '  accepted if: Never 0.',
    ]);
  });

  test('ends with the command that marks the revision as read, if a section is unread', () => {
    const command = 'To mark r_3 as read: parley mark-read S --revision-id r_3 --sections all';
    expect(linesOf([], ['tasks']).at(-1)).toBe(command);
    expect(linesOf([])).not.toContain(command);
  });

  test('has no part about requests if there was none', () => {
    expect(linesOf([])).not.toContain('your requests for changes');
  });
});

test('the brief before the build shows each readiness question with its answer', () => {
  const answers = [{ question_id: 'rq_1', text: 'Which errors?', answer: '409.', check: 'CONFIRMED' }];
  const lines = formatBrief(
    answerOf('brief', { stage: 'build', readiness: [{ by: 'agent_a', answers }] }),
    VIEW,
    page,
    place,
  );
  expect(lines).toContain('  agent_a rq_1 CONFIRMED: Which errors? → 409.');
});

describe('the brief says each fact once', () => {
  const brief = {
    stage: 'approval',
    since: 'r_1',
    changes: [
      { section: 'tasks', count: 2 },
      { section: 'tests', count: 1 },
    ],
    unread: ['tasks', 'rollout'],
    decisions_added: [{ decision_id: 'd_2', status: 'RESOLVED', topic: 'Key', supersedes: 'd_1' }],
    decisions_superseded: [
      { decision_id: 'd_1', superseded_by: 'd_2', topic: 'Key' },
      { decision_id: 'd_3', superseded_by: 'd_4', topic: 'Time' },
    ],
    findings_put_aside: [
      { finding_id: 'f_1', status: 'WITHDRAWN', raised_by: 'agent_a', by: 'agent_a', text: 'No alarm.' },
      {
        finding_id: 'f_2',
        status: 'OVERRIDDEN',
        raised_by: 'agent_a',
        by: 'owner',
        reason: 'Known.',
        text: 'It fails.',
      },
    ],
  };
  const lines = formatBrief(answerOf('brief', brief), VIEW, page, place);
  const partOf = (title: string, count: number) =>
    lines.slice(lines.indexOf(title) + 1, lines.indexOf(title) + 1 + count);

  test('which sections changed, and which of them were not read', () => {
    expect(partOf('changed since r_1', 2)).toEqual(['  tasks  2, not read', '  tests  1']);
    expect(partOf('unchanged, but not read in r_1 either', 1)).toEqual(['  rollout']);
  });

  test('which decision replaced another', () => {
    expect(partOf('decisions added', 1)).toEqual(['  d_2 RESOLVED  Key (instead of d_1)']);
    expect(partOf('decisions replaced', 2)).toEqual(['  d_3 is replaced by d_4  Time', '']);
  });

  test('who raised and closed a finding', () => {
    expect(partOf('findings overridden or withdrawn', 2)).toEqual([
      '  f_1 of agent_a, WITHDRAWN: No alarm.',
      '  f_2 of agent_a, OVERRIDDEN by you (reason: Known.): It fails.',
    ]);
  });
});
