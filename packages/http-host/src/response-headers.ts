import type { Context } from 'koa';

const ON_EVERY_ANSWER = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After, WWW-Authenticate, Allow, X-Request-Id',
};

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

/** Sets what every answer carries, errors too: no caching, no referrer, no sniffing, every origin without credentials. */
export function setCommonHeaders(ctx: Context): void {
  ctx.set(ON_EVERY_ANSWER);
}

/** Answers OPTIONS: 204, for every origin, without a look at any token. */
export function answerOptions(ctx: Context, methods: string): void {
  ctx.status = 204;
  ctx.set({
    Allow: methods,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': REQUEST_HEADERS.join(', '),
    'Access-Control-Max-Age': '7200',
  });
}
