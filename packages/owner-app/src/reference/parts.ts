import { ERROR_KINDS, type ErrorCode, type JsonSchema } from '@parley/core';

/** What stands at one path of an OpenAPI document. */
export type PathItem = Readonly<Record<string, unknown>>;

export const jsonBody = (schema: JsonSchema) => ({ required: true, content: { 'application/json': { schema } } });

export const jsonResponse = (description: string, schema: JsonSchema) => ({
  description,
  content: { 'application/json': { schema } },
});

export const errorResponse = (description: string) => jsonResponse(description, { $ref: '#/components/schemas/Error' });

/** What a query can carry of an input. */
export const queryParameters = ({ properties = {}, required = [] }: JsonSchema) =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(typeof schema.description === 'string' ? { description: schema.description } : {}),
    schema,
  }));

/** Items by what `keyOf` says of them, in the order in which each key first appears. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** Refusals by HTTP status, each with the codes that it stands for. */
export function refusals(codes: readonly ErrorCode[]): Readonly<Record<string, unknown>> {
  const byStatus = groupBy(new Set(codes), (code) => ERROR_KINDS[code].status);
  const sorted = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(sorted.map(([status, named]) => [status, errorResponse(named.join(', '))]));
}

export const SESSION_PARAMETER = {
  name: 'session_id',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: '^[0-9A-Za-z]{22}$' },
} as const;
