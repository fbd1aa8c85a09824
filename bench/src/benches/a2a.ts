import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Bench, CONNECTIONS, ONLY } from '../bench.ts';
import { COST, type LoadRequest, load, P95, RATE } from '../load.ts';
import { versionsOf } from '../peer-versions.ts';
import { connectClient } from '../postgres.ts';
import { seatMany } from '../seating.ts';
import { makeTurnText } from '../seats.ts';
import type { ServerProcess } from '../server-process.ts';
import { postTurns } from '../traffic.ts';

export const a2a: Bench = {
  name: 'a2a',
  ours: `post_turn of about 1 KB over HTTP, durable, ${CONNECTIONS} connections, each with a session of its own.`,
  peers:
    'SendMessage with the same text to @a2a-js/sdk on Express with its own PostgreSQL task store; a new task each time.',
  figures: [
    { name: RATE, unit: '/s', ratio: { atLeast: 3 } },
    { name: P95, unit: 'ms', ratio: { atMost: 1 } },
    { name: COST, unit: 'µs', ratio: { atMost: 0.33 } },
  ],

  peerVersions: () => versionsOf('@a2a-js/sdk'),

  async prepare({ seconds, rounds, openDatabase, startServer }) {
    const [database, peerDatabase] = [await openDatabase(), await openDatabase()];
    await migratePeer(peerDatabase);
    const seated = await seatMany(database, CONNECTIONS * (rounds + 1));
    const [parley, peer] = await Promise.all([
      startServer('parley-server', { database }),
      startServer('a2a-peer', { database: peerDatabase }),
    ]);
    await checkPeer(peer, peerDatabase);
    const ours = () => load({ servers: [parley], seconds, next: postTurns(seated.splice(0, CONNECTIONS)) });
    return {
      floors: { [ONLY]: () => load({ servers: [peer], seconds, next: sendMessage }) },
      ours: { [ONLY]: ours },
    };
  },
};

/** Creates the tables of the A2A server with the command of the SDK. */
async function migratePeer(database: string): Promise<void> {
  const command = fileURLToPath(new URL('./cli/a2a_db.js', import.meta.resolve('@a2a-js/sdk')));
  await promisify(execFile)(process.execPath, [command, 'upgrade', '--url', database]);
}

/**
 * Sends one message from each client to the A2A server. Throws if the server did not store all of them. The HTTP status
 * proves nothing, because it is 200 even for a refused JSON-RPC call.
 */
async function checkPeer(peer: ServerProcess, database: string): Promise<void> {
  await load({ servers: [peer], seconds: 0, next: sendMessage });
  const client = await connectClient(database);
  const { rows } = await client.query<{ count: string }>("select count(*) from tasks where history like '%warehouse%'");
  await client.end();
  if (Number(rows[0]?.count) !== CONNECTIONS) throw new Error('The peer did not store the messages that it accepted.');
}

let messages = 0;

function sendMessage(client: number): LoadRequest {
  messages += 1;
  const message = {
    messageId: `message-${messages}`,
    contextId: `context-${client}`,
    role: 'ROLE_USER',
    parts: [{ text: makeTurnText() }],
  };
  const call = { jsonrpc: '2.0', id: messages, method: 'SendMessage', params: { message } };
  return { method: 'POST', path: '/', headers: { 'a2a-version': '1.0' }, body: JSON.stringify(call) };
}
