import type { OutgoingHttpHeaders } from 'node:http';
import { describeOperations } from '@parley/core';
import { at, type Heard, type Sent } from '../../../support/exchange.ts';
import { callTool, MCP, restPath, rpc } from '../../../support/requests.ts';
import { goodRequest } from './good-requests.ts';
import { type Kind, SPECIFIED } from './specification.ts';

export type Door = 'REST' | 'MCP header' | 'MCP path';

/** What a request addresses: an operation of the registry, or another method or path. */
export interface Target {
  readonly name: string;
  readonly kind: Kind;
  readonly tool: string | null;
  /** The method and path, such as `POST turns`. Null without a REST route. */
  readonly route: string | null;
  /** The scope or permission that the specification requires. */
  readonly grant: string | null;
  readonly input: object;
  /** Makes the JSON-RPC text. Null if MCP has no such request. */
  readonly message: ((input: object) => string) | null;
}

/** Routes of the command `parley`, beside the specification. MCP has no tools for them. */
const OF_COMMAND: Readonly<Record<string, string>> = {
  verify_attach: 'POST verify/attachments',
  verify_gate: 'POST verify/gates',
};

/** Every operation that a kind of token may call, with its route in the specification. */
export const OPERATIONS: readonly Target[] = describeOperations().agents.flatMap(({ name, access }) =>
  (['builder', 'moderator'] as const).flatMap((kind) =>
    access[kind] === undefined ? [] : [operationTarget(name, kind)],
  ),
);

function operationTarget(tool: string, kind: Kind): Target {
  const own = OF_COMMAND[tool];
  if (own !== undefined)
    return {
      name: tool,
      kind,
      tool,
      route: own,
      grant: 'verify_execute',
      input: goodRequest(tool, kind),
      message: null,
    };
  const specified = SPECIFIED.find((row) => row.tool === tool && row.kind === kind);
  if (!specified) throw new Error(`The specification has no ${kind} tool ${tool}.`);
  const { route, grant } = specified;
  return {
    name: `${tool} (${kind})`,
    kind,
    tool,
    route,
    grant,
    input: goodRequest(tool, kind),
    message: (input) => callTool(tool, input),
  };
}

const beside = (name: string, route: string | null, message: string | null): Target => ({
  ...{ name, kind: 'builder', tool: null, route, grant: null, input: {} },
  message: message === null ? null : () => message,
});

/** Requests that need a token but address no operation. */
export const BESIDE: readonly Target[] = [
  beside('an unknown route', 'GET nowhere', null),
  beside('an unknown method of a route', 'DELETE turns', null),
  beside('the owner', 'POST start', null),
  beside('initialize', null, rpc('initialize', { protocolVersion: '2025-06-18' })),
  beside('ping', null, rpc('ping')),
  beside('tools/list', null, rpc('tools/list')),
  beside('an unknown JSON-RPC method', null, rpc('sessions/delete')),
  beside('an unknown tool', null, callTool('delete_session')),
  beside('a notification', null, '{"jsonrpc":"2.0","method":"notifications/initialized"}'),
  beside('a batch', null, `[${callTool('read_task')},${callTool('post_turn', { summary: 'Two.' })}]`),
  beside('no JSON', null, '{'),
  beside('an empty body', null, ''),
];

export const isAt = (door: Door, { route, message }: Target): boolean => (door === 'REST' ? route : message) !== null;

export interface Bearing {
  readonly sessionId: string;
  readonly authorization: readonly string[];
  /** The last path segment, for MCP with the token in the path. */
  readonly segment?: string;
  /** Members to add to an otherwise valid input. */
  readonly extra?: object;
}

export function requestFor(door: Door, target: Target, { sessionId, authorization, segment, extra }: Bearing): Sent {
  const headers: OutgoingHttpHeaders = authorization.length === 0 ? {} : { Authorization: [...authorization] };
  const input = { ...target.input, ...extra };
  if (door !== 'REST') {
    const path = door === 'MCP path' ? `${MCP}/${segment}` : MCP;
    return { method: 'POST', path, headers, body: target.message?.(input) };
  }
  const [method = '', route = ''] = (target.route ?? '').split(' ');
  const path = restPath(sessionId, route);
  if (method !== 'GET') return { method, path, headers, body: method === 'POST' ? JSON.stringify(input) : undefined };
  const query = new URLSearchParams(
    Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { method, path: query.size > 0 ? `${path}?${query}` : path, headers };
}

/**
 * Shortens an answer to one line: status, JSON-RPC number or `isError`, error code, missing scope or permission, and
 * challenge.
 */
export function verdictOf({ status, headers, json }: Heard): string {
  const result = at(json, 'result', 'isError') === true ? at(json, 'result', 'structuredContent') : undefined;
  const body = result ?? at(json, 'error', 'data') ?? json;
  const words = [
    status,
    at(json, 'error', 'code') ?? (result ? 'isError' : undefined),
    at(body, 'ok') === false ? at(body, 'error') : undefined,
    at(body, 'required_scope') ?? at(body, 'required_permission'),
    headers['www-authenticate'],
  ];
  return words.filter((word) => word !== undefined).join(' ');
}
