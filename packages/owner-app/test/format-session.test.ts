import { expect, test } from 'vitest';
import { formatSession } from '../src/cli/print/format-session.ts';
import { createPaint } from '../src/text/style.ts';

const page = { columns: 120, paint: createPaint(false) };

const viewIn = (phase: string) => ({
  title: 'Captures',
  state: { status: 'ACTIVE', phase },
  readiness: [
    {
      by: 'agent_a',
      verdict: 'READY_TO_CODE',
      blockers: [],
      answers: [
        { question_id: 'rq_1', kind: 'exact', text: 'Which tasks are yours?', answer: 'task-orders' },
        {
          question_id: 'rq_7',
          kind: 'free',
          text: 'Which comes first?',
          answer: 'The key column.',
          check: 'CONFIRMED',
        },
        {
          question_id: 'rq_8',
          kind: 'free',
          text: 'Which guardrail?',
          answer: 'No double\nbooking.',
          check: 'DISPUTED',
          finding_id: 'f_3',
        },
      ],
    },
    { by: 'agent_b', verdict: 'BLOCKED', blockers: ['No staging.'], answers: [] },
  ],
});

const readinessOn = (phase: string): string[] => {
  const lines = formatSession(viewIn(phase), page);
  return lines.includes('readiness') ? lines.slice(lines.indexOf('readiness')) : [];
};

test('the card shows what each builder reported of its readiness, with its free answers', () => {
  expect(readinessOn('READINESS')).toEqual([
    'readiness',
    'agent    verdict        about                 said',
    'agent_a  READY_TO_CODE  rq_7 confirmed        The key column.',
    'agent_a  READY_TO_CODE  rq_8 disputed by f_3  No double booking.',
    'agent_b  BLOCKED        blocker               No staging.',
  ]);
});

test.each(['CONTRACT', 'VERIFY', 'RELEASE'])('the card leaves the reports out in %s', (phase) => {
  expect(readinessOn(phase)).toEqual([]);
});
