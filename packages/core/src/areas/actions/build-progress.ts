import { z } from 'zod';
import { latestTime } from '../../kernel/clock.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import { At, BuilderRole } from '../fields.ts';
import type { SessionState } from '../state.ts';

const Count = {
  tasks: z.int().describe('Number of tasks in the contract.'),
  done: z
    .int()
    .describe(
      'Number of completed tasks. When a builder has declared its handshake, all of its tasks count as completed.',
    ),
  last_done_at: At.nullable(),
};

export const BuildProgressView = z.strictObject({
  ...Count,
  agents: z.array(z.strictObject({ role: BuilderRole, ...Count, declared: z.boolean().describe('Its handshake.') })),
});
documented.add(BuildProgressView, { id: 'BuildProgress' });
type BuildProgress = z.output<typeof BuildProgressView>;

/**
 * The number of tasks and of completed tasks, in total and of each builder. Null before the owner authorizes the build,
 * and after both builders have declared their handshakes.
 */
export function buildProgress(state: SessionState): BuildProgress | null {
  const { manifest, verify } = state;
  const isBuilding = manifest.build_authorized && BUILDERS.some((builder) => !verify.handshakes[builder]);
  if (!isBuilding || manifest.current === null) return null;
  const agents = BUILDERS.map((role) => progressOf(state, role, manifest.current?.manifest_id ?? ''));
  return {
    tasks: sum(agents.map(({ tasks }) => tasks)),
    done: sum(agents.map(({ done }) => done)),
    last_done_at: latestTime(agents.map(({ last_done_at }) => last_done_at)),
    agents,
  };
}

function progressOf(
  { actions, contract: { outline }, verify }: SessionState,
  role: Builder,
  manifestId: string,
): BuildProgress['agents'][number] {
  const own = (outline?.tasks ?? []).filter(({ assignee }) => assignee === role);
  const handshake = verify.handshakes[role];
  if (handshake) {
    const last_done_at = own.length > 0 ? handshake.declared_at : null;
    return { role, tasks: own.length, done: own.length, last_done_at, declared: true };
  }
  const ticked = own.flatMap(({ id }) => {
    const action = lookUp(actions.all, lookUp(actions.inForce, taskKey(role, manifestId, id)) ?? '');
    return action?.settled_at ? [action.settled_at] : [];
  });
  return { role, tasks: own.length, done: ticked.length, last_done_at: latestTime(ticked), declared: false };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Whether the builder has completed all of its tasks. False if the contract gives the builder no task. */
export function hasBuilt(state: SessionState, role: Builder): boolean {
  const { tasks, done } = progressOf(state, role, state.manifest.current?.manifest_id ?? '');
  return tasks > 0 && done === tasks;
}

export const taskKey = (builder: string, manifestId: string, taskId: string): string =>
  `BUILD_TASK ${builder} ${manifestId} ${taskId}`;
