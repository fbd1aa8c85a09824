import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AS_OWNER, ask } from '../ask.ts';
import { runApp } from '../running-app.ts';

test("only the owner gets the command line that runs this server's command", async () => {
  const { url } = await runApp();
  const { status, json } = await ask(url, '/owner/api/program', { headers: AS_OWNER });
  expect(status).toBe(200);
  expect(json.words).toEqual(['node', expect.stringMatching(/\/packages\/owner-app\/bin\/parley\.js$/)]);
  expect(existsSync(json.words[1])).toBe(true);
  expect(await ask(url, '/owner/api/program')).toMatchObject({ status: 401, json: { error: 'UNAUTHORIZED' } });
  expect(await ask(url, '/owner/api/program', { headers: AS_OWNER, body: {} })).toMatchObject({ status: 405 });
});
