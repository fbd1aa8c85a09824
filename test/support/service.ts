import { Agent } from 'node:http';
import {
  createMemoryStorage,
  createParley,
  type Owner,
  type Parley,
  type ParleyOptions,
  type Storage,
} from '@parley/core';
import { createTestClock, type TestClock } from '@parley/core/testing';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { onTestFinished } from 'vitest';
import { AGENTS_DESCRIPTION } from '../http/wire/support/described.ts';
import { exchange, type Heard, type Sent } from './exchange.ts';
import { bearer, MCP } from './requests.ts';

/** A Parley in memory that serves REST and MCP on one port. Its clock advances only when a test advances it. */
export interface Service {
  readonly parley: Parley;
  readonly storage: Storage;
  readonly clock: TestClock;
  readonly owner: Owner;
  readonly url: string;
  /** Errors that were answered with INTERNAL. */
  readonly failures: readonly unknown[];
  /** Sends a request. Rejects if the OpenAPI document does not describe the answer. */
  send(sent: Sent): Promise<Heard>;
  close(): Promise<void>;
}

export interface ServiceOptions extends Partial<Omit<ParleyOptions, 'clock'>> {
  readonly trustedProxies?: readonly string[];
}

export async function openService({ trustedProxies = [], ...options }: ServiceOptions = {}): Promise<Service> {
  const clock = createTestClock();
  const failures: unknown[] = [];
  const storage = options.storage ?? createMemoryStorage({ now: clock.now });
  const parley = await createParley({ onFailure: (cause) => failures.push(cause), ...options, storage, clock });
  const rest = createHttpHost(parley, { trustedProxies });
  const mcp = createMcpHost(parley, { trustedProxies });
  const serving = await serve(
    (request, response) => mcp.handler(request, response, () => rest.handler(request, response)),
    { host: '127.0.0.1', port: 0, parley, graceMs: 500 },
  );
  const pool = new Agent({ keepAlive: true });
  return {
    ...{ parley, storage, clock, failures, url: serving.url },
    owner: parley.owner('team'),
    async send(sent) {
      const heard = await exchange(serving.url, sent, { agent: pool });
      const fault = AGENTS_DESCRIPTION.undescribed(sent, heard);
      if (fault !== undefined) throw new Error(fault);
      return heard;
    },
    async close() {
      pool.destroy();
      await serving.close();
      await parley.close();
    },
  };
}

/** Starts a service that is closed at the end of the test. */
export async function startService(options?: ServiceOptions): Promise<Service> {
  const service = await openService(options);
  onTestFinished(() => service.close());
  return service;
}

/** Sends a request to a path, as a POST if there is a body. */
export const ask = ({ send }: Service, path: string, token: string, body?: unknown): Promise<Heard> =>
  send({
    ...{ method: body === undefined ? 'GET' : 'POST', path, headers: bearer(token) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });

/** Posts JSON-RPC text to the MCP endpoint, with the token in the header. */
export const post = ({ send }: Service, token: string, body: string): Promise<Heard> =>
  send({ method: 'POST', path: MCP, headers: bearer(token), body });
