import type { Builder } from '../../kernel/roles.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import { contractStep, readinessStep } from './contract-steps.ts';
import type { NextItem } from './next-item.ts';
import { planningStep } from './planning-steps.ts';
import { isWaiting, type Step } from './step.ts';

/** The next call of a builder in PLANNING, CONTRACT and READINESS, or the reason to wait. Undefined in later phases. */
export function phaseStep(state: SessionState, role: Builder): Step | undefined {
  switch (state.profile.phase) {
    case 'PLANNING':
      return planningStep(state, role);
    case 'CONTRACT':
      return contractStep(state, role);
    case 'READINESS':
      return readinessStep(state, role);
    default:
      return undefined;
  }
}

/**
 * The tool call that the step of {@link phaseStep} names, as an item of the answer of `verify_next`. Empty if there is
 * no step, if the builder has to wait, or if the step names no tool.
 */
export function phaseItems(state: SessionState, role: Builder): NextItem[] {
  const step = phaseStep(state, role);
  if (!step || isWaiting(step) || step.tool === null) return [];
  const { tool, text: reason, payload = {} } = step;
  return [{ tool, route: routeOf(tool, role).route ?? '', payload, reason }];
}
