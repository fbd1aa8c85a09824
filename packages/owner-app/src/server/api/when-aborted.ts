/** Calls `run` when `signal` aborts, at once if it has aborted already, but not after `until` has aborted. */
export function whenAborted(signal: AbortSignal, run: () => void, until: AbortSignal): void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { signal: until });
}
