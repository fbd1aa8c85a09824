import { type CallReference, ERROR_KINDS, type ErrorCode, groupBy, type JsonSchema } from '@parley/core';

export type PathItem = Readonly<Record<string, unknown>>;

export type Components = Readonly<Record<string, object>>;

/** The reference to a schema in an OpenAPI document. */
export const schemaPath = (name: string): string => `#/components/schemas/${name}`;

export const jsonContent = (schema: object) => ({ 'application/json': { schema } });

export const jsonResponse = (description: string, schema: object) => ({ description, content: jsonContent(schema) });

export const SESSION_ID = { $ref: '#/components/parameters/session' } as const;

export const PERSON_ID = { $ref: '#/components/parameters/person' } as const;
export const ACCOUNT_ID = { $ref: '#/components/parameters/account' } as const;
/** The header of each write of the owner. */
export const KEY = { $ref: '#/components/parameters/key' } as const;
/** The header of each write of the owner on one session. */
export const PREFER = { $ref: '#/components/parameters/prefer' } as const;

const pathParameter = (name: string, pattern: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', pattern },
});

export const SESSION_PARAMETER = { session: pathParameter('session_id', '^[0-9A-Za-z]{22}$') };

export const OWNER_PARAMETERS = {
  ...SESSION_PARAMETER,
  person: pathParameter('person_id', '^p_[0-9A-Za-z]{10}$'),
  account: pathParameter('account_id', '^(owner|acc_[0-9A-Za-z]{10})$'),
  key: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes the call repeatable for 24 hours: the same call with the same key gets the first answer.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,200}$' },
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'return=representation, without an Idempotency-Key: the answer also has after: what the write has done (said), and the session after it, as view_session answers (view). The header Preference-Applied says whether it does.',
    schema: { type: 'string' },
  },
};

/**
 * The input of a method in the document: query parameters for a GET, otherwise a body. Empty if the input has no
 * members.
 */
export function inputOf(
  method: string,
  { input }: Pick<CallReference, 'input'>,
  components: Readonly<Record<string, JsonSchema>>,
): { readonly parameters?: readonly object[]; readonly requestBody?: object } {
  const named = Object.keys(components).find((name) => schemaPath(name) === input.$ref);
  const { properties = {}, required = [] } = components[named ?? ''] ?? input;
  if (Object.keys(properties).length === 0) return {};
  if (method === 'GET') return { parameters: queryParameters(properties, required) };
  return { requestBody: { ...(required.length > 0 ? { required: true } : {}), content: jsonContent(input) } };
}

const queryParameters = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]) =>
  Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
  }));

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** The schemas to which a part of an OpenAPI document refers, directly or through other schemas. */
export function referredIn(part: object, components: Components): Components {
  const names = new Set<string>();
  const follow = (text: string): void => {
    for (const [, name = ''] of text.matchAll(REFERENCE)) {
      if (names.has(name)) continue;
      names.add(name);
      follow(JSON.stringify(components[name]));
    }
  };
  follow(JSON.stringify(part));
  return Object.fromEntries(Object.entries(components).filter(([name]) => names.has(name)));
}

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
