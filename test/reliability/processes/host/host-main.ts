import { createParley, OutcomeUnknown, StorageUnavailable } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { createPostgresStorage, createRedisHints } from '@parley/storage-pg';
import { takeFootprint } from './footprint.ts';
import type { Asked, HostOptions, Listening, Question, Told } from './host-options.ts';
import { watchBlocks } from './watch-blocks.ts';

const { database, redisUrl, ...options } = JSON.parse(process.argv[2] ?? '') as HostOptions;
const hints = redisUrl === undefined ? {} : { hints: await createRedisHints(redisUrl) };
const storage = await createPostgresStorage({ ...database, ...hints });
const parley = await createParley({ storage, ...options, onFailure: printFault });
const [rest, mcp] = [createHttpHost(parley), createMcpHost(parley)];
const { url } = await serve(
  (request, response) => mcp.handler(request, response, () => rest.handler(request, response)),
  { host: '127.0.0.1', port: 0, parley },
);
const longestBlock = watchBlocks();

const ANSWERS: Readonly<Record<Question, () => unknown>> = {
  'held polls': () => parley.heldPolls(),
  'longest block': longestBlock,
  footprint: () => takeFootprint(parley),
  drain: () => void parley.drain(),
};
process.on('message', ({ id, question }: Asked) => process.send?.({ id, answer: ANSWERS[question]() } satisfies Told));
process.once('disconnect', () => process.exit());
process.send?.({ baseUrl: `${url}${rest.prefix}`, mcpUrl: `${url}${mcp.prefix}` } satisfies Listening);

/** Prints the cause of a failed call. Failures of the database are not printed, because many tests provoke them. */
function printFault(cause: unknown, traceId: string): void {
  if (cause instanceof StorageUnavailable || cause instanceof OutcomeUnknown) return;
  console.error(`host ${process.pid}, ${traceId}:`, cause);
}
