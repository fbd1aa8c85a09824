import { MCP, restPath } from '../../../support/requests.ts';
import type { Service } from './service.ts';

/** A request that is sent as text. Missing members have usual values. */
export interface Request {
  readonly method?: string;
  readonly target: string;
  readonly version?: string;
  /** Complete header lines in place of the Authorization header. */
  readonly credentials?: readonly string[];
  /** If `Content-Length` or `Transfer-Encoding` is among these header lines, no `Content-Length` is added. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

export function requestBytes(token: string, request: Request): Buffer {
  const { target, version = '1.1', headers = [], body = '', method = body === '' ? 'GET' : 'POST' } = request;
  const { credentials = [`Authorization: Bearer ${token}`] } = request;
  const isFramed = headers.some((line) => /^(content-length|transfer-encoding)\s*:/i.test(line));
  const length = isFramed || body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${target} HTTP/${version}`, 'Host: parley.example', ...credentials, ...headers, ...length];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

export function chunked(body: Buffer, size: number): Buffer {
  const chunks: Buffer[] = [];
  for (let from = 0; from < body.length; from += size) {
    const chunk = body.subarray(from, from + size);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}

/** Where a builder posts a turn. It is agent_a's turn, so a valid turn of agent_b is refused with NOT_YOUR_TURN. */
export const turnTargets = (service: Service) => ({ REST: restPath(service.sessionId, 'turns'), MCP });

/** The JSON-RPC text of a tool call. `argumentsText` is JSON text, which may be malformed. */
export const toolCall = (argumentsText: string, name = 'post_turn'): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${argumentsText}}}`;
