import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import type { SessionState } from '../state.ts';
import type { Action } from './schemas.ts';

/**
 * The stage on which the builders report, which is the stage that the owner authorized last. Null before the deployment
 * is authorized.
 */
export function reportedStage({ manifest }: SessionState): 'deployment' | 'activation' | null {
  if (manifest.activation_authorized) return 'activation';
  return manifest.deployment_authorized ? 'deployment' : null;
}

export const reportKey = (builder: Builder, { manifest }: SessionState, stage: string): string =>
  `REPORT_GATES ${builder} ${manifest.current?.manifest_id} ${stage}`;

/**
 * The action that asks a builder for its report on the current stage. Undefined if the builder has no such obligation.
 */
export function reportAction(state: SessionState, builder: Builder): Action | undefined {
  const stage = reportedStage(state);
  const id = stage && lookUp(state.actions.inForce, reportKey(builder, state, stage));
  return id ? lookUp(state.actions.all, id) : undefined;
}

export function owesReport(state: SessionState, builder: Builder): boolean {
  const action = reportAction(state, builder);
  return action !== undefined && action.status !== 'COMPLETED';
}

/**
 * A clause for the owner that begins with a comma and names the builders whose report on the current stage is missing.
 * Empty if no report is missing.
 */
export function reportNote(state: SessionState): string {
  const owing = BUILDERS.filter((builder) => owesReport(state, builder));
  if (owing.length === 0) return '';
  const [have, they] = owing.length === 1 ? ['has', 'it'] : ['have', 'they'];
  return `, but ${owing.join(' and ')} ${have} not reported yet what ${they} saw after the authorization of the ${reportedStage(state)}`;
}
