import { isRecord } from '@parley/core/json';
import type { Json } from '../../../text/read-as.ts';
import type { Operation } from './source.ts';

/** The method and the address of an HTTP operation, as its name says them. */
export interface HttpCall {
  readonly method: string;
  /** With the names of its variables in braces. */
  readonly path: string;
  readonly variables: readonly string[];
  /** The query parameters in the name, with what the name says of each. */
  readonly query: Readonly<Record<string, string>>;
  /** The origin before the path. Empty if there is none. */
  readonly origin: string;
  /** What stands before the path and is no origin, such as a variable. Empty if there is nothing. */
  readonly before: string;
}

const CALL = /^\s*(get|put|post|delete|options|head|patch|trace)\s+(\S+)/i;

/** Reads `POST /v1/captures`, `GET /orders/:id?after=<id>`, or the members `method` and `path` of a request. */
export function httpCall({ name, request }: Operation): HttpCall | undefined {
  const { method: saidMethod, path: saidPath, url } = isRecord(request) ? request : {};
  const [, method = saidMethod, target = saidPath ?? url] = CALL.exec(name) ?? [];
  if (typeof method !== 'string' || typeof target !== 'string' || !CALL.test(`${method} ${target}`)) return undefined;
  const [address = '', query = ''] = target.split(/\?(.*)/s);
  const origin = /^https?:\/\/[^/{}<>]+/i.exec(address)?.[0] ?? '';
  const rest = address.slice(origin.length);
  const from = rest.indexOf('/');
  if (from < 0) return undefined;
  const path = rest
    .slice(from)
    .replace(/(?<=\/):([A-Za-z_]\w*)/g, '{$1}')
    .replace(/<([^<>/{}]+)>/g, '{$1}');
  const variables = [...path.matchAll(/\{([^{}/]+)\}/g)].map(([, variable = '']) => variable);
  // A variable twice, or a brace that belongs to none, is no template of a path.
  if (new Set(variables).size < variables.length || /[{}]/.test(path.replace(/\{[^{}/]+\}/g, ''))) return undefined;
  return {
    ...{ method: method.toLowerCase(), path, variables, origin, before: rest.slice(0, from) },
    query: Object.fromEntries(query.split('&').filter(Boolean).map(queryMember)),
  };
}

function queryMember(member: string): [string, string] {
  const [name = '', ...value] = member.split('=');
  return [name, value.join('=').replace(/^<(.*)>$/, '$1')];
}

/** Two paths are one for OpenAPI if they differ only in the names of their variables. */
export const pathForm = (path: string): string => path.replace(/\{[^{}]+\}/g, '{}');

/** A request with its parts apart. */
export interface RequestParts {
  readonly headers: Json;
  readonly query: Json;
  readonly path: Json;
  readonly body: unknown;
  /** Members of another name. */
  readonly others: Json;
}

/** The parts of a request. A request that names none of them is a body. */
export function requestParts(request: unknown, isSchema: boolean): RequestParts {
  const empty = { headers: {}, query: {}, path: {}, others: {} };
  if (!isRecord(request) || isSchema || !['headers', 'query', 'body'].some((part) => Object.hasOwn(request, part)))
    return { ...empty, body: request };
  const { headers, query, path, body, method: _method, url: _url, ...others } = request;
  const members = (value: unknown, name: string): Json =>
    isRecord(value)
      ? value
      : value === undefined || (typeof value === 'string' && name === 'path')
        ? {}
        : { [name]: value };
  return {
    headers: members(headers, 'headers'),
    query: members(query, 'query'),
    path: members(path, 'path'),
    body,
    others,
  };
}
