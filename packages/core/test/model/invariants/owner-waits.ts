import { board } from '../../../src/areas/owner/verify.ts';
import { verifyNext } from '../../../src/areas/verify/operations.ts';
import { fill } from '../moves/fill.ts';
import { BUILDERS, type Seen, seen } from '../seen.ts';
import { by } from '../starting-states.ts';
import { type Call, look, make, showCall, type World } from '../world.ts';
import type { Invariant } from './facts.ts';

type Wait = ReturnType<Seen['view']>['waits'][number];

/** Operations that only read. */
const READS = /^(view|verifyLog)$/;

/** Values that the owner adds to the payload of a task. */
const OWN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  answerQuestion: { text: 'So.' },
  respondRecommendation: { decision: 'ACCEPT' },
  releaseHold: { reason: 'Settled.' },
  overrideFinding: { reason: 'Settled.' },
  overrideReview: { reason: 'Settled.' },
  requestChanges: { reason: 'Settled.' },
  waiveDefect: { reason: 'Settled.' },
  carryPass: { reason: 'Settled.' },
};

const callOf = ({ operation, payload }: Wait, now: Seen): Call =>
  by('owner', operation, { ...fill(payload, now, 'owner'), ...OWN[operation] });

/** The manifest, its authorizations, and the passes that agents can still use. */
function workOf(world: World): readonly string[] {
  const { authorizations, scenarios } = look(world, board, 'owner', {});
  const { manifest } = seen(world).view();
  return [
    ...(manifest ? [`manifest ${manifest.manifest_id}`] : []),
    ...Object.entries(authorizations).flatMap(([name, given]) => (given ? [name] : [])),
    ...scenarios.flatMap(({ scenario_id, status }) => (status === 'PASSED' ? [`the pass of ${scenario_id}`] : [])),
  ];
}

/** Whether the agents cannot continue with this manifest: an agent has reported BLOCKED, or no agent has a next step. */
function isLost(world: World): boolean {
  const { phase } = world.state.profile;
  if (phase === 'READINESS')
    return Object.values(world.state.readiness.reports).some((one) => one.verdict === 'BLOCKED');
  const running = make(world, by('owner', 'resume')).world;
  return BUILDERS.every((builder) => look(running, verifyNext, builder, {}).items.length === 0);
}

/**
 * The call that a task of the owner advises is not refused, and removes no manifest, authorization or pass that an agent can still
 * use.
 */
export const adviceKeepsWork: Invariant = function* ({ world, now, before }) {
  const known = new Set(before.view().waits.map((wait) => JSON.stringify(wait)));
  const isPausedAnew = before.session().status !== now.session().status;
  for (const wait of now.view().waits) {
    if (READS.test(wait.operation) || (known.has(JSON.stringify(wait)) && !isPausedAnew)) continue;
    const call = callOf(wait, now);
    const { world: after, refusal } = make(world, call);
    if (refusal) yield `${wait.kind} advises ${showCall(call)}, which is refused: ${refusal.code} ${refusal.message}`;
    const lost = workOf(world).filter((each) => !workOf(after).includes(each));
    if (lost.length > 0 && !isLost(world))
      yield `${wait.kind} advises ${showCall(call)}, which loses ${lost.join(', ')}`;
  }
};
