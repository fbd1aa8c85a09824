import type { HostPort } from '@parley/core';
import { refuseDiscovery, type Serving, serve } from '@parley/http-host';
import Koa from 'koa';
import { onTestFinished } from 'vitest';
import { createMcpHost, type McpHostOptions } from '../src/index.ts';

export const MCP = '/api/public/mcp';

/** Serves `parley` over MCP until the test ends. */
export async function start(parley: HostPort, options: McpHostOptions = {}): Promise<Serving> {
  const app = new Koa().use(refuseDiscovery).use(createMcpHost(parley, options).middleware);
  app.silent = true;
  const serving = await serve(app, { host: '127.0.0.1', port: 0, parley, graceMs: 500 });
  onTestFinished(() => serving.close());
  return serving;
}
