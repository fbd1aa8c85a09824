import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, EXIT } from '../exit-codes.ts';

const BACK_OFF = { firstMs: 500, mostMs: 10_000 };

/** Refusals of a server that restarts, whose database does, or that takes no more requests in this minute. */
const PASSING = ['SHUTTING_DOWN', 'STORAGE_UNAVAILABLE', 'RATE_LIMITED'];

/** The lost connections of a command that reads until something happens. */
export interface Losses {
  /** To be called when the server has answered. */
  hear(): void;
  /**
   * To be called when a read has ended or failed. Resolves when it is time to read again, after growing pauses.
   *
   * @param error why the read failed. Undefined if the server has ended it
   * @throws the error, if the server refuses permanently
   */
  pause(error?: unknown): Promise<void>;
}

/** @param onLost called when a read fails, but not again before the server has answered */
export function watchLosses(onLost: (reason: string) => void): Losses {
  let failures = 0;
  let isReported = false;
  return {
    hear() {
      failures = 0;
      isReported = false;
    },
    async pause(error) {
      if (error !== undefined) {
        if (!isPassing(error)) throw error;
        if (!isReported) onLost(error instanceof Error ? error.message : String(error));
        isReported = true;
      }
      failures += 1;
      // Imported after a lost connection only, so that commands start faster.
      const { backOffMs } = await import('@parley/core');
      await sleep(backOffMs(failures, { ...BACK_OFF, random: Math.random() }));
    },
  };
}

const isPassing = (error: unknown): boolean =>
  !(error instanceof CliError) ||
  error.exitCode === EXIT.UNREACHABLE ||
  PASSING.some((code) => error.body?.error === code);
