const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Resolves at the first wish to stop. The second one ends the process at once, with the shell's code for it. */
export function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals, number: number) => {
      for (const name of SIGNALS) process.off(name, onSignal).on(name, () => process.exit(128 + number));
      resolve(signal);
    };
    for (const name of SIGNALS) process.on(name, onSignal);
  });
}
