import { createHash } from 'node:crypto';

/** The log of a run. Two runs of the same seed produce the same lines. */
export interface Trace {
  say(line: string): void;
  readonly lines: readonly string[];
  hash(): string;
}

export function createTrace(now: () => number): Trace {
  const lines: string[] = [];
  return {
    say: (line) => void lines.push(`${(now() / 1000).toFixed(4).padStart(9)}  ${line}`),
    lines,
    hash: () => createHash('sha256').update(lines.join('\n')).digest('hex'),
  };
}
