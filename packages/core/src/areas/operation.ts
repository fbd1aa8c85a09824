import {
  type Caller,
  completeOperation,
  type DecideEnv,
  type Operation,
  type OperationSpec,
} from '../kernel/operation/operation.ts';
import type { SessionDraft } from './catalog.ts';
import type { Ground } from './grounds/rules.ts';
import { requireSeen, type Seen } from './grounds/rules.ts';
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

interface Decision<I> {
  /**
   * The records on which the call rests. If one has changed since the owner read it, the events of `decide` are not
   * stored.
   */
  restsOn(state: SessionState, input: I): readonly Ground[];
}

/** Defines an operation of the owner that decides about records that others can change. Its input has `SEEN`. */
export const defineDecision = <const N extends string, I extends Seen, O>({
  restsOn,
  errors = [],
  ...spec
}: Spec<N, I, O> & Decision<I>): Operation<SessionState, N, I, O> =>
  completeOperation<SessionState, N, I, O>({
    ...spec,
    errors: [...errors, 'GROUNDS_CHANGED'],
    reads: (_state, { seen, seen_hash }) => (seen !== undefined && seen_hash !== undefined ? [seen] : []),
    decide(state, input, caller, env) {
      const drafts = spec.decide?.(state, input, caller, env) ?? [];
      const { seen, seen_hash } = input;
      const event = env.loaded.find(({ seq }) => seq === seen);
      if (drafts.length > 0) requireSeen(state, { seen, seen_hash, event, grounds: restsOn(state, input) });
      return drafts;
    },
  });
