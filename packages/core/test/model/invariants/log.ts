import { isDeepStrictEqual } from 'node:util';
import { domain } from '../../../src/areas/domain.ts';
import type { SessionState } from '../../../src/areas/state.ts';
import { verifyLog } from '../../../src/index.ts';
import { readEvent } from '../../../src/kernel/log/event.ts';
import { decodeState, encodeState } from '../../../src/kernel/log/persistent-collections.ts';
import { type Seen, seen } from '../seen.ts';
import { lookClosely, plain, type World } from '../world.ts';
import { pagesAreWhole } from './feed.ts';

export const wholeView = (now: Seen): unknown =>
  plain([
    now.state('agent_a'),
    now.state('agent_b'),
    now.moderator(),
    now.view(),
    now.blockers(),
    now.findings(),
    now.preflight(),
    now.plan(),
    now.artifacts('agent_a'),
    now.artifacts('agent_b'),
    now.readiness('agent_a'),
    now.readiness('agent_b'),
  ]);

/**
 * Returns the faults of the log: it cannot be verified, a view does not fit its schema, or folding it again, from its first event
 * or from a snapshot, gives other views.
 */
export async function logFaults(world: World, now: Seen): Promise<string[]> {
  const report = await verifyLog(world.log, world.state.head);
  const [state, resumed] = [foldedAnew(world), await foldedOn(world)];
  const shows = (folded: SessionState): boolean =>
    isDeepStrictEqual(wholeView(seen({ ...world, state: folded }, undefined, lookClosely)), wholeView(now));
  return [
    ...(report.ok ? [] : [`the log is broken at ${report.fault?.seq}: ${report.fault?.reason}`]),
    ...(shows(state) ? [] : ['the log folded anew shows something else']),
    ...(shows(resumed) ? [] : ['the log folded on from a snapshot shows something else']),
    ...pagesAreWhole(world, now),
  ];
}

const foldedAnew = ({ log, state }: World): SessionState =>
  log.map(readEvent).reduce(domain.evolve, domain.empty(state.sessionId));

/** Folds the first half of the log, stores and restores a snapshot of that state, and folds the second half onto it. */
export async function foldedOn({ log, state }: World): Promise<SessionState> {
  const middle = Math.trunc(log.length / 2);
  const early = log.slice(0, middle).map(readEvent).reduce(domain.evolve, domain.empty(state.sessionId));
  const restored = decodeState(await encodeState(early)) as SessionState;
  return log.slice(middle).map(readEvent).reduce(domain.evolve, restored);
}
