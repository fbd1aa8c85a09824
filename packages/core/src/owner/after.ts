import { view } from '../areas/owner/view.ts';
import { visibleLabel } from '../areas/rendering/markdown.ts';
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

interface Representing {
  /** The latest calls of the agents, for the view. */
  readonly presence: Presence;
  /** Gets the error if `after` cannot be made. The write is stored all the same, and its answer lacks `after`. */
  readonly onFailure: ((error: unknown) => void) | undefined;
}

/** Returns a write whose answer has the further member `after`. */
export function withAfter(
  operation: Operation<SessionState>,
  { presence, onFailure }: Representing,
): Operation<SessionState> {
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
      try {
        const after: After = {
          said: operation.said?.(done) ?? 'Done.',
          view: view.reply(state, {}, { ...context, presence }),
        };
        return { ...Object(answer), after };
      } catch (error) {
        onFailure?.(error);
        return answer;
      }
    },
  };
}

const NAME_CHARS = 200;

/** Returns a function that names an agent of the session in one line, in which all characters are visible. */
const namesIn =
  ({ profile }: SessionState) =>
  (role: string): string => {
    if (role === 'owner') return 'you';
    const [agent] = Object.entries(profile.agents).flatMap(([one, { name }]) => (one === role ? [name] : []));
    const name = visibleLabel(agent ?? '', NAME_CHARS);
    return name === '' || name.toLowerCase() === role ? role : `${name} (${role})`;
  };
