import { isRecord } from '../kernel/text/json-value.ts';

/** Where and how a call is sent. */
export interface Address {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

type Input = Readonly<Record<string, unknown>>;

/** The members of an input. */
export const membersOf = (input: unknown): Input => (isRecord(input) ? input : {});

/**
 * Returns where and how a call is sent.
 *
 * @param route `METHOD path`. `{name}` in the path is replaced by that member of the input. Query parameters in the path are
 * defaults of the input
 * @returns the input of a GET is in the query, that of a POST in the body
 */
export function addressOf(route: string, input: Input): Address {
  const [method = '', pattern = ''] = route.split(' ');
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const [bare = '', defaults = ''] = pattern
    .replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
      const value = rest.get(name);
      rest.delete(name);
      return encodeURIComponent(String(value));
    })
    .split('?');
  if (method === 'POST') return { method, path: bare, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams(defaults);
  for (const [name, value] of rest) query.set(name, String(value));
  return { method, path: query.size > 0 ? `${bare}?${query}` : bare };
}
