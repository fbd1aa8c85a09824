import {
  type Caller,
  completeOperation,
  type DecideEnv,
  type Operation,
  type OperationSpec,
} from '../kernel/operation/operation.ts';
import type { SessionDraft } from './catalog.ts';
import type { SessionState } from './state.ts';

type Spec<N extends string, I, O> = Omit<OperationSpec<SessionState, N, I, O>, 'decide'> & {
  decide?(state: SessionState, input: I, caller: Caller, env: DecideEnv): readonly SessionDraft[];
};

/**
 * Defines an operation of the protocol. Its routes, tools, OpenAPI entries and access checks are derived from this
 * definition.
 */
export const defineOperation = <const N extends string, I, O>(spec: Spec<N, I, O>): Operation<SessionState, N, I, O> =>
  completeOperation<SessionState, N, I, O>(spec);
