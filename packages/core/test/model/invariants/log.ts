import { domain } from '../../../src/areas/domain.ts';
import { verifyLog } from '../../../src/index.ts';
import { readEvent } from '../../../src/kernel/event.ts';
import { type Seen, seen } from '../seen.ts';
import type { World } from '../world.ts';

/** Everything that the wire shows, in one text. */
export const wholeView = (now: Seen): string =>
  JSON.stringify([
    now.state('agent_a'),
    now.state('agent_b'),
    now.state('moderator'),
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

/** The log verifies, and folded anew from its stored text it shows the same. */
export async function logFaults(world: World, now: Seen): Promise<string[]> {
  const report = await verifyLog(world.log, world.state.head);
  const events = world.log.map(readEvent);
  const state = events.reduce(domain.evolve, domain.empty(world.state.sessionId));
  const isSame = wholeView(seen({ ...world, state })) === wholeView(now);
  return [
    ...(report.ok ? [] : [`the log is broken at ${report.fault?.seq}: ${report.fault?.reason}`]),
    ...(isSame ? [] : ['the log folded anew shows something else']),
  ];
}
