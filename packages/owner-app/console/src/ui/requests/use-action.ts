import { useSignal } from '@preact/signals';
import { ApiError } from '../../api/api-error.ts';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';

/** Runs the calls of a component, and holds whether a call is in progress and the error of the last call. */
export interface Action {
  readonly isBusy: boolean;
  readonly error: ApiError | null;
  /** Runs `work`. Resolves to true if it succeeds, and to false if the call is refused. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  clear(): void;
}

export function useAction(): Action {
  const isBusy = useSignal(false);
  const error = useSignal<ApiError | null>(null);
  return {
    isBusy: isBusy.value,
    error: error.value,
    clear() {
      error.value = null;
    },
    async run(work) {
      isBusy.value = true;
      error.value = null;
      try {
        await work();
        return true;
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        error.value = thrown;
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}

/** The latest event that the page had shown, by number and hash: what a decision is bound to. */
export interface Seen {
  readonly seen: number;
  readonly seen_hash: string;
}

export const seenOf = ({ head: { seq, hash } }: Pick<SessionView, 'head'>): Seen => ({ seen: seq, seen_hash: hash });

/**
 * The latest event that the page had shown when the dialog opened. A decision in the dialog is bound to it: what arrives
 * while the dialog is open may not have been read.
 */
export function useSeen(live: LiveSession | undefined): Seen | undefined {
  const shown = live?.view.peek();
  return useSignal(shown ? seenOf(shown) : undefined).value;
}
