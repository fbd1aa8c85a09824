import { type DestinationStream, type Logger, pino } from 'pino';
import type { AnsweredRequest } from '../exchange.ts';
import type { LogLevel } from './settings.ts';

/** A logger of the package pino. */
export type Log = Logger;

/**
 * Names of members whose values are never logged. Code should not log such a member at all, so this list is a second
 * safeguard.
 */
const SECRET_MEMBERS = [
  'token',
  'code',
  'key',
  'owner_key',
  'page_key',
  'authorization',
  'cookie',
  'password',
  'headers',
  'body',
  'connectionString',
];

/** Matches a secret in a text, for example in the message of an error. */
const SECRET_TEXT = /\b(?:prt|pinv|pok)_[A-Za-z0-9_-]{4,}|\b(?:whsec|certkey)_[A-Za-z0-9+/=]{4,}|(?<=:\/\/)[^\s/@]+@/g;

/**
 * Makes a log that writes JSON lines. Tokens, invitation codes, keys, webhook secrets, and the password in a URL are
 * replaced everywhere in a line.
 */
export function createLog(level: LogLevel, destination: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_MEMBERS.flatMap((member) => [member, `*.${member}`]), censor: '[redacted]' },
      serializers: { err: errorRecord },
    },
    { write: (line: string) => destination.write(hideSecrets(line)) },
  );
}

/** Replaces tokens, invitation codes, people's keys, webhook secrets, and the password in a URL by `[redacted]`. */
export const hideSecrets = (text: string): string => text.replace(SECRET_TEXT, '[redacted]');

/**
 * Returns the name, message and stack of an error and of its causes. Other members are left out, because database
 * drivers put parameters and rows into them.
 */
function errorRecord(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const cause = error.cause === undefined ? {} : { cause: errorRecord(error.cause) };
  return { type: error.name, message: error.message, stack: error.stack, ...cause };
}

/**
 * Logs a request in one line: at the level error if the status is 500 or above, debug for a health probe, info for all
 * other requests.
 */
export function logRequest(log: Log, { method, path, status, ms, requestId, cutOff }: AnsweredRequest): void {
  const entry = { request_id: requestId, method, path, status, ms, ...(cutOff ? { cut_off: cutOff } : {}) };
  if (status >= 500) log.error(entry, 'request');
  else if (path === '/healthz' || path === '/readyz') log.debug(entry, 'request');
  else log.info(entry, 'request');
}
