import {
  type Caller,
  completeOperation,
  type DecideEnv,
  type Operation,
  type OperationSpec,
} from '../kernel/operation/operation.ts';
import type { SessionDraft } from './catalog.ts';
import { type Resting, requireSeen } from './grounds/rules.ts';
import type { SessionState } from './state.ts';

type Spec<N extends string, I, O> = Omit<OperationSpec<SessionState, N, I, O>, 'decide'> & {
  decide?(state: SessionState, input: I, caller: Caller, env: DecideEnv): readonly SessionDraft[];
  /**
   * Only for operations of the owner that decide about records that others can change: what the call rests on. If such
   * a record has changed since the owner read it, the events of `decide` are not stored.
   */
  restsOn?(state: SessionState, input: I): Resting;
};

/**
 * Defines an operation of the protocol. Its routes, tools, OpenAPI entries and access checks are derived from this
 * definition.
 */
export function defineOperation<const N extends string, I, O>({
  restsOn,
  ...spec
}: Spec<N, I, O>): Operation<SessionState, N, I, O> {
  if (!restsOn) return completeOperation<SessionState, N, I, O>(spec);
  return completeOperation<SessionState, N, I, O>({
    ...spec,
    errors: [...spec.errors, 'GROUNDS_CHANGED'],
    decide(state, input, caller, env) {
      const drafts = spec.decide?.(state, input, caller, env) ?? [];
      if (drafts.length > 0) requireSeen(state, restsOn(state, input));
      return drafts;
    },
  });
}
