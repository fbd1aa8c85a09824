import { OutcomeUnknown, StorageFull, StorageUnavailable } from '@parley/core';

/**
 * Thrown if the database has refused a statement with an error. The statement has changed nothing. The error contains
 * neither SQL nor values.
 */
export class StatementRefused extends Error {
  override readonly name = 'StatementRefused';
  readonly sqlState: string;

  constructor(sqlState: string, constraint: string | undefined) {
    super(`The database refused a statement: SQLSTATE ${sqlState}${constraint ? ` on ${constraint}` : ''}.`);
    this.sqlState = sqlState;
  }
}

/** Thrown if the connection broke after a statement was sent. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

interface DatabaseError extends Error {
  readonly severity: string;
  readonly code: string;
  readonly constraint?: string;
}

/**
 * Whether an error comes from the database. Its members are checked instead of its class, because the adapter of PGlite
 * has its own error class.
 */
export const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string';

const LOST_SERVER = /^(08|57P)/;

/**
 * Whether an error ends the connection. Such an error may arrive although the statement was committed. If a coordinator
 * of Citus loses a worker, it sends the same codes with the severity ERROR, and the connection to the coordinator stays
 * open.
 */
const endsConnection = ({ severity, code, message }: DatabaseError): boolean =>
  severity === 'FATAL' ||
  severity === 'PANIC' ||
  (severity !== 'ERROR' && LOST_SERVER.test(code)) ||
  (code === 'XX000' && message.startsWith(COORDINATOR_ENDS));

/**
 * The beginning of the internal error that Citus returns if the server of the coordinator shuts down while a statement
 * waits for a worker.
 */
const COORDINATOR_ENDS = 'postmaster was shut down';

const CONFLICTS = ['40001', '40P01', '55P03'];

/** Whether a statement failed because of a conflict with another transaction. If it is sent again, it may succeed. */
export const isConflict = (error: unknown): boolean =>
  error instanceof StatementRefused && CONFLICTS.includes(error.sqlState);

/** Whether the coordinator of a sharded database could not reach the worker that has the session. */
export const isWorkerLost = (error: unknown): boolean =>
  error instanceof StatementRefused && LOST_SERVER.test(error.sqlState);

/**
 * Whether the database cannot run the statement at present: resources are missing, a time-out has passed, a worker does
 * not answer, or a standby is read-only.
 */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof StatementRefused && /^(08|53|57|58|25006)/.test(error.sqlState);

/** Converts the driver's error of a failed statement to `StatementRefused` or `ConnectionLost`. */
export function readFailure(error: unknown): Error {
  if (error instanceof StatementRefused || error instanceof ConnectionLost) return error;
  if (isDatabaseError(error) && !endsConnection(error)) return new StatementRefused(error.code, error.constraint);
  return new ConnectionLost('The connection to the database broke.', { cause: error });
}

/** Converts the error of a connection that could not be opened, before any statement was sent. */
export function readConnectFailure(error: unknown): StorageUnavailable {
  const reason = error instanceof Error && error.message !== '' ? error.message : 'no connection';
  return new StorageUnavailable(`The database cannot be reached: ${reason}`, { cause: error });
}

const DISK_FULL = '53100';

/**
 * Converts a failure to an error of the storage port. `effect` is `write` if the statement could have changed
 * something.
 */
export function toPortFailure(error: unknown, effect: 'read' | 'write'): unknown {
  if (error instanceof ConnectionLost) {
    const Lost = effect === 'write' ? OutcomeUnknown : StorageUnavailable;
    return new Lost(error.message, { cause: error.cause });
  }
  if (error instanceof StatementRefused && error.sqlState === DISK_FULL)
    return new StorageFull('The disk of the database is full. Free space on it.', { cause: error });
  if (error instanceof StatementRefused && (isUnavailable(error) || isConflict(error))) {
    return new StorageUnavailable(error.message, { cause: error });
  }
  return error;
}
