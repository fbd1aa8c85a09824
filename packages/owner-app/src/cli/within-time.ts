import { createContext, runInContext } from 'node:vm';

/** Longer than any text takes that is not made to take long. */
const MOST_MS = 20_000;

/**
 * The result of work on a text of a stranger, such as patterns that a text can make slow without a bound. Ends the work if it takes
 * too long or nests too deeply, and then calls `refuse`. Errors of the work itself are thrown.
 */
export function withinTime<T>(work: () => T, refuse: () => never, timeout = MOST_MS): T {
  const done: { result?: { readonly value: T } } = {};
  const run = (): void => {
    done.result = { value: work() };
  };
  try {
    // Only code that is run in this way can be ended from outside of it, a pattern that is being matched too.
    runInContext('run()', createContext({ run }), { timeout });
  } catch (error) {
    if (error instanceof RangeError || isTimeout(error)) return refuse();
    throw error;
  }
  return done.result ? done.result.value : refuse();
}

/** The error is one of the new context, and no instance of this one's `Error`. */
const isTimeout = (error: unknown): boolean => Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
