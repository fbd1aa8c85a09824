/** Exit codes of `parley`. */
export const EXIT = {
  OK: 0,
  /** The service refused the call, or the command failed; the error says why. */
  REFUSED: 1,
  /** The command line, a setting or a file is wrong. */
  USAGE: 2,
  /** No server answers at PARLEY_URL, or no database at DATABASE_URL. */
  UNREACHABLE: 3,
  /** Of `parley wait`: the session has ended. */
  ENDED: 3,
  /** The owner key or the agent's token is missing, or the server does not accept it. */
  NO_KEY: 4,
  /** A log does not verify, or a demo did not end as its mission file expects. */
  MISMATCH: 5,
  /** Asked with `--exit-code`: something waits for the owner, or a migration is due. */
  DUE: 6,
  /** Of `parley wait`: nothing to do within the timeout. Of `parley run`: a limit is reached. */
  TIMED_OUT: 7,
  /** Of `parley run`: three calls of the client in a row did nothing. */
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

/** Ends a command with an exit code and no further line. */
export class CliOutcome extends Error {
  override readonly name = 'CliOutcome';

  constructor(readonly exitCode: ExitCode) {
    super(`exit code ${exitCode}`);
  }
}
