import { expect, test } from 'vitest';
import { EVENT_KINDS, EVENTS, factsOf } from '../../../../test/support/event-samples.ts';
import { subjectOf } from '../../src/areas/interventions/rules.ts';
import type { LoggedEvent } from '../../src/kernel/log/event.ts';

/** The kinds that the feed of the moderator shows. */
const KINDS = EVENT_KINDS.filter((kind) => factsOf(kind).isOfSession && factsOf(kind).seenBy !== 'owner');

test.each(KINDS)('%s names the record it is about', (kind) => {
  const event: Pick<LoggedEvent, 'kind' | 'actor' | 'data'> = {
    kind,
    // Only a handshake is about the agent that sent it.
    actor: kind.startsWith('handshake') ? 'agent_a' : 'owner',
    data: EVENTS[kind].data,
  };
  const { type, id } = subjectOf(event as LoggedEvent, 's_1');
  const { subject } = factsOf(kind);
  expect(`${type} ${id}`).toBe(subject === 'session' ? 'session s_1' : subject);
});
