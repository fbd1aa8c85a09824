/** What the exit code of `parley` tells a script. */
export const EXIT = {
  OK: 0,
  /** The service refused the call; the error body says why. */
  REFUSED: 1,
  /** The command line or a setting is wrong. */
  USAGE: 2,
  /** No server answers at PARLEY_URL. */
  UNREACHABLE: 3,
  /** The owner key is missing, or the server does not accept it. */
  NO_KEY: 4,
  /** A log does not verify, or a mission did not end as written. */
  MISMATCH: 5,
} as const;

/** One of the codes above. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with a line for a person and a code for a script. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
    /** The error body as the service sent it, for `--json`. */
    readonly body?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}
