import { OutcomeUnknown, StorageFull, StorageUnavailable } from '@parley/core';

/**
 * Thrown if the database refused a statement with an error. The statement changed nothing. The error contains neither SQL nor
 * values.
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
 * Whether an error comes from the database. Checks its members and not its class, because the adapter of PGlite has an error
 * class of its own.
 */
const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string';

/** Whether an error ends the connection. Such an error may arrive after the statement was committed. */
const endsConnection = ({ severity, code }: DatabaseError): boolean =>
  severity === 'FATAL' || severity === 'PANIC' || /^(08|57P)/.test(code);

const CONFLICTS = ['40001', '40P01', '55P03'];

/** Whether another transaction won. The same call may succeed a moment later. */
export const isConflict = (error: unknown): boolean =>
  error instanceof StatementRefused && CONFLICTS.includes(error.sqlState);

/**
 * Whether the database can be reached but cannot run the statement now, because of missing resources, a time-out or a standby
 * that is read-only.
 */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof StatementRefused && /^(53|57|58|25006)/.test(error.sqlState);

/** Converts the error of a failed statement. */
export function readFailure(error: unknown): Error {
  if (error instanceof StatementRefused || error instanceof ConnectionLost) return error;
  if (isDatabaseError(error) && !endsConnection(error)) return new StatementRefused(error.code, error.constraint);
  return new ConnectionLost('The connection to the database broke.', { cause: error });
}

/** Converts the error of a failed attempt to connect. No statement was sent. */
export function readConnectFailure(error: unknown): StorageUnavailable {
  const reason = error instanceof Error && error.message !== '' ? error.message : 'no connection';
  return new StorageUnavailable(`The database cannot be reached: ${reason}`, { cause: error });
}

const DISK_FULL = '53100';

/** Converts a failure to an error of the storage port. `effect` says whether the statement could have changed something. */
export function toPortFailure(error: unknown, effect: 'read' | 'write'): unknown {
  if (error instanceof ConnectionLost) {
    const Lost = effect === 'write' ? OutcomeUnknown : StorageUnavailable;
    return new Lost(error.message, { cause: error.cause });
  }
  if (error instanceof StatementRefused && error.sqlState === DISK_FULL)
    return new StorageFull('The disk of the database is full.', { cause: error });
  if (error instanceof StatementRefused && (isUnavailable(error) || isConflict(error))) {
    return new StorageUnavailable(error.message, { cause: error });
  }
  return error;
}
