const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/**
 * Milliseconds within which several signals count as one, because after Ctrl-C both the terminal and npm send a signal.
 */
const SAME_WISH_MS = 1_000;

/**
 * Resolves at the first signal to stop. A signal more than a second later ends the process with exit code 128 plus the
 * number of the signal.
 *
 * @param until after this AbortSignal aborts, SIGTERM, SIGINT and SIGHUP have their usual effect again
 */
export function nextSignal(until?: AbortSignal): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals, number: number): void => {
      first ??= performance.now();
      if (performance.now() - first > SAME_WISH_MS) process.exit(128 + number);
      resolve(signal);
    };
    for (const name of SIGNALS) process.on(name, onSignal);
    until?.addEventListener('abort', () => {
      for (const name of SIGNALS) process.off(name, onSignal);
    });
  });
}
