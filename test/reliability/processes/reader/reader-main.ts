import { connectOverMcp } from '@parley/example-mcp-agents';
import type { Heard, Order, ReaderOptions } from './reader-options.ts';

const { mcpUrl, token } = JSON.parse(process.argv[2] ?? '') as ReaderOptions;
const { call } = await connectOverMcp(mcpUrl, token);

process.on('message', async ({ tool, input }: Order) => {
  process.send?.({ answer: await call(tool, input) } satisfies Heard);
});
process.once('disconnect', () => process.exit());
process.send?.({ answer: {} } satisfies Heard);
