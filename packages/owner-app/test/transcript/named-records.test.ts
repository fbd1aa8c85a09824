import { describe, expect, test } from 'vitest';
import { createMessagePrinter } from '../../src/cli/print/message-printer.ts';
import { createPaint } from '../../src/text/page.ts';
import type { KnownRecords, Message } from '../../src/transcript/message.ts';
import { messageBy, NO_RECORDS } from './samples.ts';

const page = { columns: 120, paint: createPaint(false) };
const LONG = 'A stored marker would answer 409 for ever, if the ledger dies while it books, and nobody would see that.';

/** Returns the lines of the last message. */
function linesOf(view: Partial<KnownRecords>, ...messages: readonly Message[]): string[] {
  const printer = createMessagePrinter(page);
  printer.learn({ ...NO_RECORDS, ...view });
  return messages.map(printer.lines).at(-1) ?? [];
}

const raised = messageBy('agent_a', 'finding.raised', { finding_id: 'f_1', text: LONG });
const directed = messageBy('owner', 'intervention.opened', {
  intervention_id: 'i_1',
  type: 'DIRECTIVE',
  targets: ['agent_a'],
  text: 'Use the sandbox.',
});

describe('a message about an earlier record shows the first words of the record', () => {
  test.each<readonly [Message, Message, string]>([
    [
      directed,
      messageBy('agent_a', 'intervention.acknowledged', { intervention_id: 'i_1' }),
      '● agent_a  acknowledges i_1 "Use the sandbox."',
    ],
    [
      directed,
      messageBy('owner', 'intervention.withdrawn', { intervention_id: 'i_1', outcome: 'WITHDRAWN' }),
      '● owner  closes i_1 "Use the sandbox.": WITHDRAWN',
    ],
    [
      raised,
      messageBy('agent_a', 'finding.resolved', { finding_id: 'f_1', outcome: 'RESOLVED' }),
      '● agent_a  closes f_1 "A stored marker would answer 409 for ever, if the ledger dies while…"',
    ],
    [
      raised,
      messageBy('owner', 'finding.overridden', { finding_id: 'f_1', reason: 'Known.' }),
      '● owner  overrides f_1 "A stored marker would answer 409 for ever, if the ledger dies while…"',
    ],
    [
      messageBy('moderator', 'recommendation.made', { recommendation_id: 'rec_1', text: 'Approve r_3.' }),
      messageBy('owner', 'recommendation.answered', { recommendation_id: 'rec_1', decision: 'ACCEPT' }),
      '● owner  accepts the advice of rec_1 "Approve r_3."',
    ],
    [
      messageBy('agent_b', 'review.submitted', { findings: ['f_4'], caveats: ['Watch the lock.'] }),
      messageBy('agent_b', 'finding.resolved', { finding_id: 'f_4', outcome: 'RESOLVED' }),
      '● agent_b  closes f_4 "Watch the lock."',
    ],
  ])('%j, %j', (before, after, line) => {
    expect(linesOf({}, before, after)).toContain(line);
  });

  test('the answer to a finding shows the finding in full', () => {
    const responded = messageBy('agent_b', 'finding.responded', { fixed_in: 'r_2' });
    expect(linesOf({}, raised, responded)).toEqual([
      '',
      '● agent_b  accepts f_1, fixed in r_2',
      `│ finding      ${LONG}`,
      '│ answer       Right.',
    ]);
  });

  test('a turn shows the questions that it answers and the directives that it acknowledges', () => {
    const asked = messageBy('agent_a', 'question.asked', { question_id: 'q_1', text: 'Which port?' });
    const turn = messageBy('agent_b', 'turn.posted', {
      acknowledged_directives: ['i_1'],
      answers: [{ question_id: 'q_1', answer: '8080.' }],
    });
    const lines = linesOf({}, directed, asked, turn);
    expect(lines).toContain('│ answers      q_1 "Which port?"');
    expect(lines).toContain('│ acknowledges i_1 "Use the sandbox."');
  });

  test('the words of a record that no message contains come from the view of the session', () => {
    const view = {
      interventions: [{ intervention_id: 'i_7', text: 'Stop.' }],
      findings: [{ finding_id: 'f_9', text: null }],
    };
    const acknowledged = messageBy('agent_a', 'intervention.acknowledged', { intervention_id: 'i_7' });
    expect(linesOf(view, acknowledged)).toContain('● agent_a  acknowledges i_7 "Stop."');
    const closed = messageBy('agent_a', 'finding.resolved', { finding_id: 'f_9', outcome: 'WITHDRAWN' });
    expect(linesOf(view, closed)).toContain('● agent_a  closes f_9');
  });
});

describe('a readiness question is shown with its text', () => {
  const view: Partial<KnownRecords> = {
    manifest: { manifest_id: 'm_1' },
    readiness: [{ by: 'agent_a', answers: [{ question_id: 'rq_1', text: 'Which errors do you answer?' }] }],
  };

  test.each(['m_1', 'm_2'])('of the manifest %s', (manifest_id) => {
    const answers = [{ question_id: 'rq_1', answer: '409.' }];
    const lines = linesOf(view, messageBy('agent_a', 'readiness.submitted', { manifest_id, answers }));
    expect(lines.slice(2)).toEqual(
      manifest_id === 'm_1'
        ? ['│ answer       rq_1 Which errors do you answer?', '│              409.']
        : ['│ answer       rq_1  409.'],
    );
  });

  test('when its answer is confirmed or disputed', () => {
    const checked = messageBy('agent_b', 'readiness.checked', { confirmed: ['rq_1'], disputed: ['rq_2'] });
    expect(linesOf(view, checked).slice(2)).toEqual([
      '│ confirms     rq_1 Which errors do you answer?',
      '│ disputes     rq_2',
    ]);
  });
});
