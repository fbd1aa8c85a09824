import { isDeepStrictEqual } from 'node:util';
import { domain } from '../../../src/areas/domain.ts';
import { verifyLog } from '../../../src/index.ts';
import { readEvent } from '../../../src/kernel/event.ts';
import { type Seen, seen } from '../seen.ts';
import { lookClosely, plain, type World } from '../world.ts';
import { pagesAreWhole } from './feed.ts';

/** Everything that the wire shows. */
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

/** The log verifies, and folded anew from its stored text it shows the same, in the shape that the schemas promise. */
export async function logFaults(world: World, now: Seen): Promise<string[]> {
  const report = await verifyLog(world.log, world.state.head);
  const events = world.log.map(readEvent);
  const state = events.reduce(domain.evolve, domain.empty(world.state.sessionId));
  const isSame = isDeepStrictEqual(wholeView(seen({ ...world, state }, undefined, lookClosely)), wholeView(now));
  return [
    ...(report.ok ? [] : [`the log is broken at ${report.fault?.seq}: ${report.fault?.reason}`]),
    ...(isSame ? [] : ['the log folded anew shows something else']),
    ...pagesAreWhole(world, now),
  ];
}
