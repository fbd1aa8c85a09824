import { expect, test } from 'vitest';
import type { Part } from '../../src/transcript/event-text.ts';
import { eventTextOf } from '../../src/transcript/event-texts.ts';
import { createIdIndex } from '../../src/transcript/id-index.ts';

/** Returns the label of each part of a message. If a part has a tone, the tone follows its label. */
function tonesOf(kind: string, body: object): string[] {
  const message = { id: 1, at: '2026-11-21T10:00:00Z', from: 'agent_a', kind, body: { ...body } };
  const text = eventTextOf(message, { ids: createIdIndex(), nameOf: (role) => role });
  return (text?.parts ?? []).map(({ label, tone }: Part) => (tone ? `${label}: ${tone}` : label));
}

test.each<[string, object, string[]]>([
  [
    'turn.posted',
    {
      verified_facts: [{ claim: 'It is unique.' }],
      disagreements: ['No.'],
      proposed_decisions: [{ decision_id: 'd_1', topic: 'Key', position: 'A UUID.' }],
      dependencies: ['A queue.'],
      concerns: ['Load.'],
      questions: [
        { question_id: 'q_1', text: 'Why?' },
        { question_id: 'q_2', to: 'owner', text: 'When?' },
      ],
      converged: true,
    },
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
    'contract.validated',
    {
      issues: [
        { code: 'A', severity: 'error' },
        { code: 'B', severity: 'warning' },
      ],
      blockers: [{ code: 'C' }],
    },
    ['validation', 'error: bad', 'warning: warn', 'blocked by: bad'],
  ],
  [
    'readiness.submitted',
    { verdict: 'BLOCKED', blockers: ['No key.'], mismatches: ['Another file.'] },
    ['blocker: bad', 'mismatch: bad'],
  ],
  [
    'readiness.checked',
    { answers_of: 'agent_b', confirmed: ['rq_1'], disputed: ['rq_2'] },
    ['confirms: good', 'disputes: bad'],
  ],
  [
    'evidence.submitted',
    {
      assertions: [
        { name: 'a', passed: true },
        { name: 'b', passed: false },
      ],
    },
    ['saw', 'passes: good', 'FAILS: bad', 'run'],
  ],
])('%s gives a tone to each part that should stand out', (kind, body, tones) => {
  expect(tonesOf(kind, body)).toEqual(tones);
});
