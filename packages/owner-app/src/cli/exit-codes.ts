/** Exit codes of `parley`. */
export const EXIT = {
  OK: 0,
  /** The service refused the call, or the command failed. */
  REFUSED: 1,
  /** The command line, a setting or a file is wrong. */
  USAGE: 2,
  /** No server answers at PARLEY_URL, or the database at DATABASE_URL cannot be reached. */
  UNREACHABLE: 3,
  /** Only `parley wait`: the session has ended. The same number as `UNREACHABLE`, which the other commands use. */
  ENDED: 3,
  /** The owner key or the agent's token is missing, or the server does not accept it. */
  NO_KEY: 4,
  /** A log has a fault or no events, a certificate does not count, a demo did not end as its mission file expects, a run that is stored as evidence failed, or a contract in a repository differs. */
  MISMATCH: 5,
  /** With `--exit-code`: a task waits for the owner, or a migration is due. */
  DUE: 6,
  /** `parley wait`: the agent had nothing to do within the time limit. `parley run`: a limit is reached. */
  TIMED_OUT: 7,
  /** `parley run`: three runs of the client in a row changed nothing. */
  STUCK: 8,
} as const;

/** One of the codes of `EXIT`. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The meaning of each code, for the help and the documents. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.OK, 'done'],
  [EXIT.REFUSED, 'the service refused the call, or the command failed'],
  [EXIT.USAGE, 'wrong usage, a wrong setting or a wrong file'],
  [
    EXIT.UNREACHABLE,
    'no server answers at PARLEY_URL, or no database at DATABASE_URL; parley wait: the session has ended',
  ],
  [EXIT.NO_KEY, 'owner key missing or wrong; parley wait: the token is missing or not valid'],
  [
    EXIT.MISMATCH,
    'a log has a fault or no events, a certificate does not count, or a demo did not end as its mission file expects; parley verify run: the run is stored, but does not count; parley contract: something differs',
  ],
  [EXIT.DUE, 'with --exit-code: something waits for you, or a migration is due'],
  [EXIT.TIMED_OUT, 'parley wait: nothing to do within the timeout; parley run: a limit is reached'],
  [EXIT.STUCK, 'parley run: three runs of the client in a row changed nothing'],
];

/** Ends a command with an error message and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    readonly exitCode: ExitCode,
    message: string,
    /** The body of the service's error answer. `--json` prints this body. */
    readonly body?: Readonly<Record<string, unknown>>,
    /** The HTTP status of the service's error answer. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/** An error about the command line, a setting or a file. */
export const wrongUsage = (message: string): CliError => new CliError(EXIT.USAGE, message);

/** An error of a command that failed, or whose call the service refused. */
export const commandFailed = (message: string): CliError => new CliError(EXIT.REFUSED, message);

/** Ends a command with an exit code and no error message. */
export class CliOutcome extends Error {
  override readonly name = 'CliOutcome';

  constructor(readonly exitCode: ExitCode) {
    super(`exit code ${exitCode}`);
  }
}
