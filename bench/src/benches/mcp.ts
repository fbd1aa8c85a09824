import { type Bench, CONNECTIONS } from '../bench.ts';
import { load, P95, RATE, type Request } from '../load.ts';
import { bearer, type Seats, seatMany } from '../seats.ts';
import { startServer } from '../server-process.ts';

const ACCEPT = { accept: 'application/json, text/event-stream' };

export const mcp: Bench = {
  name: 'mcp',
  ours: `tools/call read_session_state on PostgreSQL, ${CONNECTIONS} connections, each with a session of its own.`,
  floor: 'The official SDK server 1.x on node:http, stateless with JSON answers, one tool that echoes a word.',
  figures: [
    { name: RATE, unit: '/s', target: { atLeast: 4 } },
    { name: P95, unit: 'ms', target: { atMost: 1 } },
  ],

  async prepare({ seconds, openDatabase }) {
    const database = await openDatabase();
    const calls = (await seatMany(database, CONNECTIONS)).map(readCall);
    const [parley, floor] = await Promise.all([
      startServer('parley-server', { database }),
      startServer('mcp-floor', {}),
    ]);
    const echo = toolCall('/', 'echo', { said: 'hello' });
    return {
      floor: () => load({ url: floor.url, seconds, next: () => echo }),
      ours: { '': () => load({ url: parley.url, seconds, next: (index) => calls[index] ?? echo }) },
      close: async () => void (await Promise.all([parley.stop(), floor.stop()])),
    };
  },
};

function readCall({ tokens: [token] }: Seats): Request {
  const call = toolCall('/api/public/mcp', 'read_session_state', {});
  return { ...call, headers: { ...call.headers, ...bearer(token) } };
}

const toolCall = (path: string, name: string, args: Readonly<Record<string, string>>): Request => ({
  method: 'POST',
  path,
  headers: ACCEPT,
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
});
