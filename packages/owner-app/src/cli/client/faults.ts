import { setTimeout as sleep } from 'node:timers/promises';
import { type After, wrongMember } from '@parley/core/client';
import { CliError, commandFailed, EXIT } from '../exit-codes.ts';

/** Statuses of a server, or of a proxy before it, that takes no more requests in this minute, restarts, or whose database does. */
const PASSING = [429, 502, 503, 504];

/** Number of reads in a row that the server may end without an event, as when it restarts, before this is said. */
const MOST_ENDED = 3;

/** Whether the server, or a proxy before it, refused a call for a time. */
export const isPassingRefusal = ({ status = 0 }: CliError): boolean => PASSING.includes(status);

/** The lost connections of a command that reads until something happens. */
interface Losses {
  /** To be called when the server has answered. */
  hear(): void;
  /**
   * To be called when a read has ended or failed. Resolves when it is time to read again: after growing pauses, or as long as the
   * server says.
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
      if (error !== undefined && !isPassing(error)) throw error;
      failures += 1;
      if (!isReported && (error !== undefined || failures === MOST_ENDED)) {
        onLost(error instanceof Error ? error.message : 'the server ends each answer at once');
        isReported = true;
      }
      // Imported after a lost connection only, so that commands start faster.
      const { passingPauseMs } = await import('./passing-pause.ts');
      await sleep(passingPauseMs(error, failures));
    },
  };
}

const isPassing = (error: unknown): boolean =>
  !(error instanceof CliError) || error.exitCode === EXIT.UNREACHABLE || isPassingRefusal(error);

/**
 * Refuses an answer that has not the form of the answers to this call. Everything that a command prints or sends on of an answer
 * has passed this check, so the printers need none.
 *
 * @throws CliError with the exit code REFUSED
 */
export function checkedAnswer<A>(url: string, call: string, answer: A): A {
  refuseWrong(url, call, wrongMember(call, answer));
  return answer;
}

/** Refuses an answer with `after`, if `after` is not what the service sends. */
export function checkedAfter<A extends { readonly after?: After }>(url: string, answer: A): A {
  const { after } = answer;
  if (after === undefined) return answer;
  if (typeof after?.said !== 'string') refuseWrong(url, 'a write', 'after.said');
  checkedAnswer(url, 'view', after.view);
  return answer;
}

function refuseWrong(url: string, call: string, place: string | undefined): void {
  if (place === undefined) return;
  const member = place === '' ? 'it' : `its member ${place}`;
  throw commandFailed(
    `The answer to ${call} is not as expected: ${member} is missing or has another form. The server at ${url} may have another version, or it is not a Parley server. Check PARLEY_URL.`,
  );
}
