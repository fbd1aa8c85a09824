const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Ctrl-C reaches the program from the terminal and again through npm: within this time it is one wish. */
const SAME_WISH_MS = 1_000;

/** Resolves at the first wish to stop. A second one ends the process at once, with the shell's code for it. */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals, number: number): void => {
      first ??= performance.now();
      if (performance.now() - first > SAME_WISH_MS) process.exit(128 + number);
      resolve(signal);
    };
    for (const name of SIGNALS) process.on(name, onSignal);
  });
}
