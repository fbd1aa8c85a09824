import { describe, expect, test } from 'vitest';
import { createMessagePrinter } from '../../src/cli/print/message-printer.ts';
import { createPaint } from '../../src/text/style.ts';

const page = { columns: 120, paint: createPaint(false) };
const LONG = 'A stored marker would answer 409 for ever, if the ledger dies while it books, and nobody would see that.';

interface Said {
  readonly from: string;
  readonly kind: string;
  readonly body: object;
}

/** Returns the lines of the last message. */
function linesOf(view: object, ...messages: readonly Said[]): string[] {
  const printer = createMessagePrinter(page);
  printer.learn({ ...view });
  const [last = []] = messages
    .map(({ from, kind, body }, index) => printer.lines({ id: index + 1, at: '', from, kind, body: { ...body } }))
    .toReversed();
  return last;
}

const raised = { from: 'agent_a', kind: 'finding.raised', body: { finding_id: 'f_1', text: LONG } };
const directed = {
  from: 'owner',
  kind: 'intervention.opened',
  body: { intervention_id: 'i_1', type: 'DIRECTIVE', targets: ['agent_a'], text: 'Use the sandbox.' },
};

describe('a message about an earlier record shows the first words of the record', () => {
  test.each<readonly [Said, Said, string]>([
    [
      directed,
      { from: 'agent_a', kind: 'intervention.acknowledged', body: { intervention_id: 'i_1' } },
      '● agent_a  acknowledges i_1 "Use the sandbox."',
    ],
    [
      directed,
      { from: 'owner', kind: 'intervention.withdrawn', body: { intervention_id: 'i_1', outcome: 'WITHDRAWN' } },
      '● owner  closes i_1 "Use the sandbox.": WITHDRAWN',
    ],
    [
      raised,
      { from: 'agent_a', kind: 'finding.resolved', body: { finding_id: 'f_1', outcome: 'RESOLVED' } },
      '● agent_a  closes f_1 "A stored marker would answer 409 for ever, if the ledger dies while…"',
    ],
    [
      raised,
      { from: 'owner', kind: 'finding.overridden', body: { finding_id: 'f_1', reason: 'Known.' } },
      '● owner  overrides f_1 "A stored marker would answer 409 for ever, if the ledger dies while…"',
    ],
    [
      { from: 'moderator', kind: 'recommendation.made', body: { recommendation_id: 'rec_1', text: 'Approve r_3.' } },
      { from: 'owner', kind: 'recommendation.answered', body: { recommendation_id: 'rec_1', decision: 'ACCEPT' } },
      '● owner  accepts the advice of rec_1 "Approve r_3."',
    ],
    [
      { from: 'agent_b', kind: 'review.submitted', body: { findings: ['f_4'], caveats: ['Watch the lock.'] } },
      { from: 'agent_b', kind: 'finding.resolved', body: { finding_id: 'f_4', outcome: 'RESOLVED' } },
      '● agent_b  closes f_4 "Watch the lock."',
    ],
  ])('%j, %j', (before, after, line) => {
    expect(linesOf({}, before, after)).toContain(line);
  });

  test('the answer to a finding shows the finding in full', () => {
    const body = { finding_id: 'f_1', decision: 'ACCEPT', response: 'Right.', fixed_in: 'r_2' };
    expect(linesOf({}, raised, { from: 'agent_b', kind: 'finding.responded', body })).toEqual([
      '',
      '● agent_b  accepts f_1, fixed in r_2',
      `│ finding      ${LONG}`,
      '│ answer       Right.',
    ]);
  });

  test('a turn shows the questions that it answers and the directives that it acknowledges', () => {
    const asked = { from: 'agent_a', kind: 'question.asked', body: { question_id: 'q_1', text: 'Which port?' } };
    const body = {
      summary: 'Yes.',
      acknowledged_directives: ['i_1'],
      answers: [{ question_id: 'q_1', answer: '8080.' }],
    };
    const lines = linesOf({}, directed, asked, { from: 'agent_b', kind: 'turn.posted', body });
    expect(lines).toContain('│ answers      q_1 "Which port?"');
    expect(lines).toContain('│ acknowledges i_1 "Use the sandbox."');
  });

  test('the words of a record that no message contains come from the view of the session', () => {
    const view = {
      interventions: [{ intervention_id: 'i_7', text: 'Stop.' }],
      findings: [{ finding_id: 'f_9', text: null }],
    };
    const acknowledged = { from: 'agent_a', kind: 'intervention.acknowledged', body: { intervention_id: 'i_7' } };
    expect(linesOf(view, acknowledged)).toContain('● agent_a  acknowledges i_7 "Stop."');
    const closed = { from: 'agent_a', kind: 'finding.resolved', body: { finding_id: 'f_9', outcome: 'WITHDRAWN' } };
    expect(linesOf(view, closed)).toContain('● agent_a  closes f_9');
  });
});

describe('a readiness question is shown with its text', () => {
  const view = {
    manifest: { manifest_id: 'm_1' },
    readiness: [{ by: 'agent_a', answers: [{ question_id: 'rq_1', text: 'Which errors do you answer?' }] }],
  };

  test.each(['m_1', 'm_2'])('of the manifest %s', (manifest_id) => {
    const body = { manifest_id, verdict: 'READY_TO_CODE', answers: [{ question_id: 'rq_1', answer: '409.' }] };
    const lines = linesOf(view, { from: 'agent_a', kind: 'readiness.submitted', body });
    expect(lines.slice(2)).toEqual(
      manifest_id === 'm_1'
        ? ['│ answer       rq_1 Which errors do you answer?', '│              409.']
        : ['│ answer       rq_1  409.'],
    );
  });

  test('when its answer is confirmed or disputed', () => {
    const body = { manifest_id: 'm_1', answers_of: 'agent_a', confirmed: ['rq_1'], disputed: ['rq_2'] };
    expect(linesOf(view, { from: 'agent_b', kind: 'readiness.checked', body }).slice(2)).toEqual([
      '│ confirms     rq_1 Which errors do you answer?',
      '│ disputes     rq_2',
    ]);
  });
});
