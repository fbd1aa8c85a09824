/** Exit codes of `parley`. */
export const EXIT = {
  OK: 0,
  /** The service refused the call, or the command failed; the error says why. */
  REFUSED: 1,
  /** The command line, a setting or a file is wrong. */
  USAGE: 2,
  /** No server answers at PARLEY_URL, or no database at DATABASE_URL. */
  UNREACHABLE: 3,
  /** Exit code of `parley wait` if the session has ended. */
  ENDED: 3,
  /** The owner key or the agent's token is missing, or the server does not accept it. */
  NO_KEY: 4,
  /** A log cannot be verified, or a demo ended differently from its mission file. */
  MISMATCH: 5,
  /** Only with `--exit-code`: a task waits for the owner, or a migration is due. */
  DUE: 6,
  /** Exit code of `parley wait` if there was nothing to do within the time limit, and of `parley run` if a limit is reached. */
  TIMED_OUT: 7,
  /** Exit code of `parley run` if three calls of the client in a row did nothing. */
  STUCK: 8,
} as const;

/** One of the codes above. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The meaning of each code, for the help and the documents. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.OK, 'done'],
  [EXIT.REFUSED, 'refused by the service, or failed'],
  [EXIT.USAGE, 'wrong usage, a wrong setting or a wrong file'],
  [
    EXIT.UNREACHABLE,
    'no server answers at PARLEY_URL, or no database at DATABASE_URL; parley wait: the session has ended',
  ],
  [EXIT.NO_KEY, 'owner key missing or wrong; parley wait: the token is missing or does not hold'],
  [EXIT.MISMATCH, 'a log does not verify or is empty, or a demo did not end as its mission file expects'],
  [EXIT.DUE, 'with --exit-code: something waits for you, or a migration is due'],
  [EXIT.TIMED_OUT, 'parley wait: nothing to do within the timeout; parley run: a limit is reached'],
  [EXIT.STUCK, 'parley run: three calls of the client in a row did nothing'],
];

/** Thrown to end a command with a line for a person and an exit code for a script. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
    /** The error body as the service sent it. Printed with `--json`. */
    readonly body?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

/** Thrown to end a command with an exit code and without a further line. */
export class CliOutcome extends Error {
  override readonly name = 'CliOutcome';

  constructor(readonly exitCode: ExitCode) {
    super(`exit code ${exitCode}`);
  }
}
