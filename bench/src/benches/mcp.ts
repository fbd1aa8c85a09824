import { type Bench, CONNECTIONS, ONLY } from '../bench.ts';
import { COST, type LoadRequest, load, P95, RATE } from '../load.ts';
import { versionsOf } from '../peer-versions.ts';
import { seatMany } from '../seating.ts';
import { bearer, type Seats } from '../seats.ts';

const ACCEPT = { accept: 'application/json, text/event-stream' };
const [SDK_1, SDK_2] = ['SDK 1.x', 'SDK 2.x'] as const;

export const mcp: Bench = {
  name: 'mcp',
  ours: `tools/call read_session_state on PostgreSQL, ${CONNECTIONS} connections, each with a session of its own.`,
  peers:
    'The official SDK servers, 1.x and the split 2.x, on node:http, stateless, with JSON answers; their only tool echoes a word.',
  figures: [
    { name: RATE, unit: '/s', beside: SDK_1, ratio: { atLeast: 4 } },
    { name: RATE, unit: '/s', beside: SDK_2, ratio: { atLeast: 3 } },
    { name: P95, unit: 'ms', beside: SDK_1, ratio: { atMost: 1 } },
    { name: P95, unit: 'ms', beside: SDK_2, ratio: { atMost: 1 } },
    { name: COST, unit: 'µs', beside: SDK_1, ratio: { atMost: 0.25 } },
    { name: COST, unit: 'µs', beside: SDK_2, ratio: { atMost: 0.33 } },
  ],

  peerVersions: () => versionsOf('@modelcontextprotocol/sdk', '@modelcontextprotocol/server'),

  async prepare({ seconds, openDatabase, startServer }) {
    const database = await openDatabase();
    const calls = (await seatMany(database, CONNECTIONS)).map(readCall);
    const [parley, one, two] = await Promise.all([
      startServer('parley-server', { database }),
      startServer('mcp-peer', {}),
      startServer('split-mcp-peer', {}),
    ]);
    const echo = toolCall('/', 'echo', { said: 'hello' });
    return {
      floors: {
        [SDK_1]: () => load({ servers: [one], seconds, next: () => echo }),
        [SDK_2]: () => load({ servers: [two], seconds, next: () => echo }),
      },
      ours: { [ONLY]: () => load({ servers: [parley], seconds, next: (client) => calls[client] ?? echo }) },
    };
  },
};

function readCall({ tokens: [token] }: Seats): LoadRequest {
  const call = toolCall('/api/public/mcp', 'read_session_state', {});
  return { ...call, headers: { ...call.headers, ...bearer(token) } };
}

const toolCall = (path: string, name: string, args: Readonly<Record<string, string>>): LoadRequest => ({
  method: 'POST',
  path,
  headers: ACCEPT,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
});
