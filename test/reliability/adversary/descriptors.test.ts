import { mkdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { newName, seat, startTarget, until } from './support/target.ts';

const OPEN_FILES = 256;
/** Maximum number of connections: `OPEN_FILES` minus the 192 files that Parley keeps for other uses. */
const MOST_CONNECTIONS = 64;

test('connections beyond the limit of open files are closed, and the service goes on', async () => {
  const folder = newName('descriptors');
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const target = await startTarget({ folder, openFiles: OPEN_FILES });
  const { id, tokens } = await seat(target);
  const { hostname, port } = new URL(target.url);
  let open = 0;
  const sockets = Array.from({ length: 600 }, (): Socket => {
    open += 1;
    const socket = connect(Number(port), hostname);
    return socket
      .on('error', () => undefined)
      .on('close', () => {
        open -= 1;
      });
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  expect(await until(() => open <= MOST_CONNECTIONS)).toBe(true);
  // Closes one connection, so that the agent can connect.
  sockets.find((socket) => !socket.closed && socket.readyState === 'open')?.destroy();
  const turn = { request_id: 'turn-1', summary: 'Still here.' };
  const isServed = async () =>
    (await target.agent(tokens.agent_a ?? '', `/agent/sessions/${id}/turns`, turn)).status === 200;
  expect(await until(isServed)).toBe(true);
  expect(target.process.exitCode).toBeNull();
});
