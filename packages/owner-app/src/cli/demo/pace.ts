import { setTimeout as sleep } from 'node:timers/promises';

const LINE_MS = 35;
const READ_MS_PER_LINE = 140;
const LEAST_MS = 500;
const MOST_MS = 5_000;

/** Writes lines with pauses between them, so that a person can read along. */
export type Pace = (lines: readonly string[], write: (line: string) => void) => Promise<void>;

/** @param speed 1 for calm reading, 2 for twice that speed, 0 for no pauses */
export const createPace =
  (speed: number): Pace =>
  async (lines, write) => {
    for (const line of lines) {
      write(line);
      if (speed > 0) await sleep(LINE_MS / speed);
    }
    if (speed > 0 && lines.length > 0) {
      await sleep(Math.min(MOST_MS, Math.max(LEAST_MS, lines.length * READ_MS_PER_LINE)) / speed);
    }
  };
