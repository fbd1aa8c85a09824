import { type CallReference, ERROR_KINDS, type ErrorCode } from '@parley/core';
import { groupBy, jsonResponse, schemaPath } from './parts.ts';

/** The error responses of a document: one response for each status, with the codes that most routes have. */
export interface Refusals {
  /** The error responses of a route: a reference for each status, with the route's less common codes. */
  of(codes: readonly ErrorCode[]): Readonly<Record<string, object>>;
  readonly responses: Readonly<Record<string, object>>;
}

/**
 * @param calls all calls in the document
 */
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

/** For each status, the codes of at least a third of the routes with that status; for a rare status all codes. */
function usualCodes(routes: readonly ReadonlySet<ErrorCode>[]): ReadonlySet<ErrorCode> {
  const byStatus = groupBy(new Set(routes.flatMap((codes) => [...codes])), groupOf);
  const frequent = [...byStatus].flatMap(([status, codes]) => {
    const concerned = routes.filter((route) => [...route].some((code) => groupOf(code) === status));
    return codes.filter((code) => concerned.filter((route) => route.has(code)).length * 3 >= concerned.length);
  });
  return new Set(frequent);
}

/** Faults of the service share one response for all their statuses. */
function groupOf(code: ErrorCode): string {
  const { status } = ERROR_KINDS[code];
  return status < 500 ? String(status) : '5XX';
}

const HEADERS: Readonly<Record<string, string>> = {
  401: 'WWW-Authenticate',
  415: 'Accept-Encoding',
  429: 'Retry-After',
  '5XX': 'Retry-After',
};

function response(status: string, codes: readonly ErrorCode[]) {
  const header = HEADERS[status];
  return {
    ...jsonResponse(`${codes.toSorted().join(', ')}.`, { $ref: schemaPath('Error') }),
    ...(header === undefined ? {} : { headers: { [header]: { schema: { type: 'string' } } } }),
  };
}
