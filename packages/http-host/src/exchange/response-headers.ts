import type { IncomingMessage, ServerResponse } from 'node:http';
import { discardRest } from '../request/body.ts';

/**
 * Headers of every answer, also of errors. They forbid caching, referrers and content sniffing. Pages of every origin
 * may read the answer, but their browser sends no cookies.
 */
export const ON_EVERY_ANSWER: readonly string[] = [
  ...['Cache-Control', 'no-store'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', 'Retry-After, WWW-Authenticate, Allow, X-Request-Id'],
];

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Idempotency-Key',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
  'traceparent',
];

/** Answers OPTIONS with 204 to pages of every origin. A token is not checked. */
export function answerOptions(
  request: IncomingMessage,
  response: ServerResponse,
  methods: string,
  more: readonly string[] = [],
): void {
  response.writeHead(204, [
    ...ON_EVERY_ANSWER,
    ...more,
    ...['Allow', methods],
    ...['Access-Control-Allow-Methods', methods],
    ...['Access-Control-Allow-Headers', REQUEST_HEADERS.join(', ')],
    ...['Access-Control-Max-Age', '7200'],
  ]);
  response.end();
  discardRest(request);
}
