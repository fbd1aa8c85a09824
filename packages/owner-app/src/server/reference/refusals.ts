import { type CallReference, ERROR_KINDS, type ErrorCode, groupBy } from '@parley/core';
import { jsonResponse, schemaPath } from './parts.ts';

/** The error responses of an OpenAPI document, one for each status. */
export interface Refusals {
  /**
   * The error responses of a route: for each status, a reference to the common response, and the codes that the common
   * response lacks.
   */
  of(codes: readonly ErrorCode[]): Readonly<Record<string, object>>;
  readonly responses: Readonly<Record<string, object>>;
}

/** Collects the error responses of an OpenAPI document. `calls` are all calls that the document describes. */
export function refusalsIn(calls: readonly Pick<CallReference, 'refusals'>[]): Refusals {
  const usual = usualCodes(calls.map(({ refusals }) => new Set(refusals)));
  const responses = [...groupBy(usual, groupOf)].map(([status, codes]) => [status, response(status, codes)]);
  return {
    responses: Object.fromEntries(responses),
    of: (codes) =>
      Object.fromEntries(
        [...groupBy(new Set(codes), groupOf)].map(([status, own]) => [status, reference(status, own)]),
      ),
  };

  function reference(status: string, codes: readonly ErrorCode[]): object {
    const own = codes.filter((code) => !usual.has(code));
    const $ref = `#/components/responses/${status}`;
    return own.length > 0 ? { $ref, description: `Also ${own.toSorted().join(', ')}.` } : { $ref };
  }
}

/**
 * The codes in the common responses: for each status, the codes of at least a third of the routes that can answer with
 * this status.
 */
function usualCodes(routes: readonly ReadonlySet<ErrorCode>[]): ReadonlySet<ErrorCode> {
  const byStatus = groupBy(new Set(routes.flatMap((codes) => [...codes])), groupOf);
  const frequent = [...byStatus].flatMap(([status, codes]) => {
    const concerned = routes.filter((route) => [...route].some((code) => groupOf(code) === status));
    return codes.filter((code) => concerned.filter((route) => route.has(code)).length * 3 >= concerned.length);
  });
  return new Set(frequent);
}

/** The statuses of refusals of a body that cannot be read: no JSON, too large, or encoded. */
const UNREAD = new Set([400, 413, 415]);

/**
 * The status of a code. All failures of the service form one group, and all refusals of a body that cannot be read, although
 * their statuses differ.
 */
function groupOf(code: ErrorCode): string {
  const { status } = ERROR_KINDS[code];
  if (UNREAD.has(status)) return '4XX';
  return status < 500 ? String(status) : '5XX';
}

const HEADERS: Readonly<Record<string, string>> = {
  401: 'WWW-Authenticate',
  429: 'Retry-After',
  '4XX': 'Accept-Encoding',
  '5XX': 'Retry-After',
};

function response(status: string, codes: readonly ErrorCode[]) {
  const header = HEADERS[status];
  return {
    ...jsonResponse(`${codes.toSorted().join(', ')}.`, { $ref: schemaPath('Error') }),
    ...(header === undefined ? {} : { headers: { [header]: { schema: { type: 'string' } } } }),
  };
}
