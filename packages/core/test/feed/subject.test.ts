import { expect, test } from 'vitest';
import { EVENT_KINDS, EVENTS, factsOf } from '../../../../test/support/event-samples.ts';
import { subjectOf } from '../../src/areas/interventions/rules.ts';

const SEEN = EVENT_KINDS.filter((kind) => factsOf(kind).seenBy !== 'owner');

test.each(SEEN)('%s names the record it is about', (kind) => {
  const event = { seq: 1, at: '', v: 1, kind, actor: 'agent_a', data: EVENTS[kind].data } as const;
  const { type, id } = subjectOf(event as never, 's_1');
  expect(type === 'session' ? [type, id] : `${type} ${id}`).toEqual(
    factsOf(kind).subject === 'session' ? ['session', 's_1'] : factsOf(kind).subject,
  );
});
