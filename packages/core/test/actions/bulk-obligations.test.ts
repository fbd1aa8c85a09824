import { expect, test } from 'vitest';
import type { Actions } from '../../src/areas/actions/state.ts';
import { domain } from '../../src/areas/domain.ts';
import type { SessionState } from '../../src/areas/state.ts';
import type { LoggedEvent } from '../../src/kernel/log/event.ts';
import type { PersistentMap } from '../../src/kernel/log/persistent-collections.ts';
import { prepareEvents } from '../../src/kernel/session/append.ts';
import type { PastEvent } from '../../src/testing/index.ts';
import { openingEvents } from '../../src/testing/opening-events.ts';
import { elected } from '../past.ts';

const NOW_MS = Date.UTC(2026, 0, 5, 9);

/** Appends each event separately. Each append also contains the obligations that its event opens or fulfils. */
function logOf(events: readonly PastEvent[]): LoggedEvent[] {
  let state = domain.empty('S');
  const log: LoggedEvent[] = [];
  for (const event of events) {
    const prepared = prepareEvents(domain, state, [event], NOW_MS);
    state = prepared.state;
    log.push(...prepared.events);
  }
  return log;
}

const findings: readonly PastEvent[] = Array.from({ length: 500 }, (_, index) => ({
  kind: 'finding.raised',
  actor: 'moderator',
  data: {
    finding_id: `f_${index + 1}`,
    text: 'Nothing undoes a failed release.',
    moderated: {
      category: 'SAFETY',
      severity: 'MEDIUM',
      resolution_criteria: 'A rollback that was tried.',
      target_agents: ['agent_a', 'agent_b'],
    },
    blocking: true,
    revision_id: null,
  },
}));

interface Copies {
  readonly state: SessionState;
  /** The size of each map that was copied. A map is copied if it cannot share its entries with the map of the earlier state. */
  readonly sizes: readonly number[];
}

function foldAndCount(log: readonly LoggedEvent[], mapOf: (actions: Actions) => PersistentMap<unknown>): Copies {
  const sizes: number[] = [];
  let state = domain.empty('S');
  for (const event of log) {
    const { held } = mapOf(state.actions);
    state = domain.evolve(state, event);
    const next = mapOf(state.actions);
    if (next.held !== held) sizes.push(next.size);
  }
  return { state, sizes };
}

test('opening and fulfilling 1,000 actions copies fewer than 1,000 entries of each map', () => {
  const log = logOf([
    ...openingEvents({}),
    ...findings,
    ...elected('agent_a'),
    ...elected('agent_b'),
    { kind: 'session.ended', actor: 'owner', data: { end_reason: 'CANCELLED' } },
  ]);
  expect(log.filter(({ kind }) => kind === 'action.fulfilled')).toHaveLength(1_000);
  const all = foldAndCount(log, (actions) => actions.all);
  const open = foldAndCount(log, (actions) => actions.open);
  const inForce = foldAndCount(log, (actions) => actions.inForce);
  expect([all.state.actions.all.size, open.state.actions.open.size, inForce.state.actions.inForce.size]).toEqual([
    1_000, 0, 0,
  ]);
  const few = [1, 498, 247, 122, 59, 28, 12, 4, 0];
  expect([all.sizes, open.sizes, inForce.sizes]).toEqual([[1], few, few]);
});
