import type { HostPort } from '@parley/core';
import Koa from 'koa';
import { onTestFinished } from 'vitest';
import {
  createHttpHost,
  type HttpHostOptions,
  refuseDiscovery,
  type ServeOptions,
  type Serving,
  serve,
} from '../src/index.ts';

/** Serves `parley` over REST until the test ends. */
export async function start(
  parley: HostPort,
  options: HttpHostOptions = {},
  serving: Partial<ServeOptions> = {},
): Promise<Serving & { readonly port: number }> {
  const host = createHttpHost(parley, options);
  const app = new Koa().use(refuseDiscovery).use(host.middleware);
  app.silent = true;
  const started = await serve(app, { host: '127.0.0.1', port: 0, parley, graceMs: 500, ...serving });
  onTestFinished(() => started.close());
  return { ...started, port: Number(new URL(started.url).port) };
}
