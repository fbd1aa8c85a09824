import type { Part } from '@parley/core/words';
import { expect, test } from 'vitest';
import { eventTextOf } from '../../src/transcript/event-text.ts';
import { createIdIndex, type Message } from '../../src/transcript/message.ts';
import { messageBy } from './samples.ts';

const AT = { pointer: '/title', message: 'A fault.', hint: '' };

/** Returns the label of each part of a message. If a part has a tone, the tone follows its label. */
function tonesOf(message: Message): string[] {
  const text = eventTextOf(message, { ids: createIdIndex(), nameOf: (role) => role });
  return (text?.parts ?? []).map(({ label, tone }: Part) => (tone ? `${label}: ${tone}` : label));
}

test.each<[Message, string[]]>([
  [
    messageBy('agent_a', 'turn.posted', {
      verified_facts: [{ claim: 'It is unique.' }],
      disagreements: ['No.'],
      proposed_decisions: [{ decision_id: 'd_1', topic: 'Key', position: 'A UUID.' }],
      dependencies: ['A queue.'],
      concerns: ['Load.'],
      questions: [
        { question_id: 'q_1', to: 'agent_b', text: 'Why?', blocking: false },
        { question_id: 'q_2', to: 'owner', text: 'When?', blocking: false },
      ],
      converged: true,
    }),
    [
      'verified: good',
      'disagrees: warn',
      'proposes: live',
      'needs',
      'objects: warn',
      'asks: live',
      'asks owner: live',
      'converged: good',
    ],
  ],
  [
    messageBy('agent_a', 'contract.validated', {
      issues: [
        { code: 'A', severity: 'error', ...AT },
        { code: 'B', severity: 'warning', ...AT },
      ],
      blockers: [{ code: 'C', record: 'r_1', responsible: 'agent_b' }],
    }),
    ['validation', 'error: bad', 'warning: warn', 'blocked by: bad'],
  ],
  [
    messageBy('agent_a', 'readiness.submitted', {
      verdict: 'BLOCKED',
      blockers: ['No key.'],
      mismatches: ['Another file.'],
    }),
    ['blocker: bad', 'mismatch: bad'],
  ],
  [
    messageBy('agent_a', 'readiness.checked', { answers_of: 'agent_b', confirmed: ['rq_1'], disputed: ['rq_2'] }),
    ['confirms: good', 'disputes: bad'],
  ],
  [
    messageBy('agent_a', 'evidence.submitted', {
      assertions: [
        { name: 'a', expected: 1, actual: 1, passed: true },
        { name: 'b', expected: 1, actual: 2, passed: false },
      ],
    }),
    ['saw', 'passes: good', 'FAILS: bad', 'run'],
  ],
])('$kind gives a tone to each part that should stand out', (message, tones) => {
  expect(tonesOf(message)).toEqual(tones);
});
