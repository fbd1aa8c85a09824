import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { signedHeaders } from '../../src/server/notify/post.ts';
import { newFolder } from '../new-folder.ts';
import { SECRET } from './running-notifier.ts';

/** Runs the receiver program of docs/notifications.md in a separate process. */
async function startDocumented() {
  const document = await readFile(new URL('../../../../docs/notifications.md', import.meta.url), 'utf8');
  const [, program = ''] = /^```js\n(.*?)^```$/ms.exec(document) ?? [];
  const file = join(await newFolder(), 'receiver.mjs');
  await writeFile(file, program);
  const child = spawn(process.execPath, [file], {
    env: { PORT: '0', PARLEY_WEBHOOK_SECRET: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  while (!said.includes('\n')) await once(child.stdout, 'data');
  const [, port] = /^listening on (\d+)\n/.exec(said) ?? [];
  return { url: `http://127.0.0.1:${port}/`, said: () => said.split('\n').slice(1, -1) };
}

test('the receiver in the documentation accepts signed and recent notices, and reports each once', async () => {
  const { url, said } = await startDocumented();
  const body = JSON.stringify({ text: 'r_1 is certified.' });
  const send = async (secrets: readonly string[], { ageMs = 0, sent = body, id = 'n_1' } = {}): Promise<number> => {
    const headers = signedHeaders(secrets, { id, body }, Date.now() - ageMs);
    return (await fetch(url, { method: 'POST', headers, body: sent })).status;
  };
  const other = `whsec_${'A'.repeat(32)}`;
  expect(await send([SECRET])).toBe(204);
  expect(await send([other, SECRET])).toBe(204);
  expect(await send([SECRET], { id: 'n_2' })).toBe(204);
  expect(await send([other])).toBe(401);
  expect(await send([SECRET], { ageMs: 301_000 })).toBe(401);
  expect(await send([SECRET], { sent: JSON.stringify({ text: 'r_2 is certified.' }) })).toBe(401);
  expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
  await expect.poll(() => said()).toEqual(['r_1 is certified.', 'r_1 is certified.']);
});
