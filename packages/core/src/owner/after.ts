import { view } from '../areas/owner/views/view.ts';
import type { SessionState } from '../areas/state.ts';
import type { Presence } from '../kernel/last-calls.ts';
import type { Operation, OutputOf } from '../kernel/operation/operation.ts';

/** What a client that shows the session needs after a write, so that it need not read it. */
export interface After {
  /** What the write has done. */
  readonly said: string;
  /** The session after the write, as the operation `view` answers. */
  readonly view: OutputOf<typeof view>;
}

/**
 * Returns a write whose answer has the further member `after`.
 *
 * @param presence the latest calls of the agents, for the view
 */
export function withAfter(operation: Operation<SessionState>, presence: Presence): Operation<SessionState> {
  let decidedOn: SessionState | undefined;
  return {
    ...operation,
    decide(state, ...rest) {
      decidedOn = state;
      return operation.decide?.(state, ...rest) ?? [];
    },
    reply(state, input, context) {
      const answer = operation.reply(state, input, context);
      const done = { input, answer, before: decidedOn ?? state, nameOf: namesIn(state) };
      const after: After = {
        said: operation.said?.(done) ?? 'Done.',
        view: view.reply(state, {}, { ...context, presence }),
      };
      return { ...Object(answer), after };
    },
  };
}

/** Returns a function that names an agent of the session in one line. */
const namesIn =
  ({ profile }: SessionState) =>
  (role: string): string => {
    if (role === 'owner') return 'you';
    const [agent] = Object.entries(profile.agents).flatMap(([one, { name }]) => (one === role ? [name] : []));
    const name = (agent ?? '').replace(/\s+/g, ' ').trim();
    return name === '' || name.toLowerCase() === role ? role : `${name} (${role})`;
  };
