import type { AnsweredRequest } from '@parley/http-host';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from './settings/settings.ts';

/** A pino logger. */
export type Log = Logger;

/** Nothing is ever logged with these members; should a future entry carry one, its value does not get out. */
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

/** A secret inside a text, such as an error's message. */
const SECRET_TEXT = /\b(?:prt|pinv|pok)_[A-Za-z0-9_-]{4,}|\bwhsec_[A-Za-z0-9+/=]{4,}|(?<=:\/\/)[^\s/@]+@/g;

/** Structured log lines without a token, code, key, header or body in them. */
export function createLog(level: Settings['logLevel'], destination: DestinationStream): Log {
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

/** Tokens, codes and keys of Parley, and passwords in addresses, read `[redacted]`. */
export const hideSecrets = (text: string): string => text.replace(SECRET_TEXT, '[redacted]');

/** An error with its causes; drivers hang whole requests on theirs, so no other member is taken. */
function errorRecord(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: typeof error };
  const cause = error.cause === undefined ? {} : { cause: errorRecord(error.cause) };
  return { type: error.name, message: error.message, stack: error.stack, ...cause };
}

/** The one line of a request. Probes are told of only when asked for. */
export function logRequest(log: Log, { method, path, status, ms, requestId, cutOff }: AnsweredRequest): void {
  const entry = { request_id: requestId, method, path, status, ms, ...(cutOff ? { cut_off: cutOff } : {}) };
  if (status >= 500) log.error(entry, 'request');
  else if (path === '/healthz' || path === '/readyz') log.debug(entry, 'request');
  else log.info(entry, 'request');
}
