import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { openSession, signIn } from './support/console.ts';
import { openSite, type Site } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

interface SecondServer {
  readonly url: string;
  readonly heard: readonly IncomingHttpHeaders[];
}

/** Starts another server on the same host, as an agent might do during development. */
async function openSecondServer(): Promise<SecondServer> {
  const heard: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers);
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>My app</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, heard };
}

async function openBoth() {
  const [site, other] = [await openSite(openMemory()), await openSecondServer()];
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  const foreign = await page.context().newPage();
  await foreign.goto(`${other.url}/owner/`);
  return { site, other, sessionId, page, foreign };
}

const CALLS = (sessionId: string) =>
  [
    ['GET', 'overview'],
    ['GET', 'inbox'],
    ['GET', 'sessions'],
    ['GET', `sessions/${sessionId}`],
    ['GET', `sessions/${sessionId}/events`],
    ['GET', `sessions/${sessionId}/log`],
    ['POST', 'sessions'],
    ['POST', `sessions/${sessionId}/start`],
    ['POST', `sessions/${sessionId}/approve-contract`],
    ['DELETE', `sessions/${sessionId}`],
  ] as const;

const untouched = async ({ owner }: Site, sessionId: string): Promise<void> => {
  expect((await owner.view(sessionId)).head.seq).toBe(1);
  expect((await owner.listSessions()).sessions).toHaveLength(1);
};

test('a server on another port gets the cookie of the console, and opens nothing with it', async () => {
  const { site, other, sessionId, page } = await openBoth();
  const [cookie = ''] = other.heard.flatMap(({ cookie: sent = '' }) => (sent === '' ? [] : [sent]));
  expect(cookie).toMatch(/^parley_owner=/);
  expect(other.heard.filter((headers) => 'parley-page-key' in headers)).toEqual([]);
  const replays = CALLS(sessionId).map(async ([method, path]) => {
    const headers = { cookie, origin: site.url, 'sec-fetch-site': 'same-origin', 'parley-page-key': cookie.slice(-43) };
    const body = method === 'POST' ? '{}' : null;
    return (await fetch(`${site.url}/owner/api/${path}`, { method, headers, body })).status;
  });
  expect(new Set(await Promise.all(replays))).toEqual(new Set([401]));
  await fetch(`${site.url}/owner/api/sign-out`, { method: 'POST', headers: { cookie }, body: '{}' });
  await untouched(site, sessionId);

  await page.reload();
  await page
    .getByRole('status')
    .filter({ hasText: /^live$/ })
    .waitFor();
});

test('a page on another port reads nothing and does nothing in the name of the owner', async () => {
  const { site, sessionId, page, foreign } = await openBoth();
  const answers: unknown = await foreign.evaluate(
    async ({ url, calls }) => {
      const outcomes: string[] = [];
      const note = async (what: string, asking: Promise<{ status: number; type: string }>) => {
        const outcome = await asking.then(
          ({ status, type }) => `${type} ${status}`,
          () => 'refused by the browser',
        );
        outcomes.push(`${what}: ${outcome}`);
      };
      for (const [method, path] of calls) {
        const init = { method, credentials: 'include', ...(method === 'POST' ? { body: '{}' } : {}) } as const;
        await note('cors', fetch(`${url}/owner/api/${path}`, init));
        await note('key', fetch(`${url}/owner/api/${path}`, { ...init, headers: { 'Parley-Page-Key': 'x' } }));
        if (method !== 'DELETE') await note('no-cors', fetch(`${url}/owner/api/${path}`, { ...init, mode: 'no-cors' }));
      }
      const signOut = { method: 'POST', credentials: 'include', mode: 'no-cors' } as const;
      await note('no-cors', fetch(`${url}/owner/api/sign-out`, signOut));
      return [...new Set(outcomes)].toSorted();
    },
    { url: site.url, calls: CALLS(sessionId) },
  );
  expect(answers).toEqual(['cors: refused by the browser', 'key: refused by the browser', 'no-cors: opaque 0']);
  await untouched(site, sessionId);

  await page.reload();
  await page
    .getByRole('status')
    .filter({ hasText: /^live$/ })
    .waitFor();
});

test('a page on another port cannot look into the console, in a frame or in a window', async () => {
  const { site, foreign } = await openBoth();
  await foreign.evaluate(`new Promise((loaded) => {
    const frame = document.createElement('iframe');
    frame.src = '${site.url}/owner/';
    frame.addEventListener('load', loaded);
    document.body.append(frame);
  }).then(() => undefined)`);
  expect(foreign.frames().map((frame) => frame.url())).toEqual([foreign.url(), 'chrome-error://chromewebdata/']);
  const opened = foreign.context().waitForEvent('page');
  await foreign.evaluate(`globalThis.other = open('${site.url}/owner/'), undefined`);
  await (await opened).getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await expect.poll(() => foreign.evaluate('other.closed')).toBe(true);
});

test('a page on another port neither redeems a code nor uses up the redemptions of this address', async () => {
  const [site, other] = [await openSite(openMemory(), { redeemPerAddress: 1 }), await openSecondServer()];
  const { page } = await openPage();
  await page.goto(other.url);
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const { code } = await site.owner.invite(sessionId, { role: 'agent_a' });
  const redemption = { url: `${site.url}/api/public/agent/invitations/redeem`, body: JSON.stringify({ code }) };
  const statuses: unknown = await page.evaluate(async ({ url, body }) => {
    const redeeming = Array.from({ length: 15 }, () => fetch(url, { method: 'POST', body }));
    return (await Promise.all(redeeming)).map(({ status }) => status);
  }, redemption);
  expect(statuses).toEqual(Array.from({ length: 15 }, () => 403));
  const redeemed = await fetch(redemption.url, { method: 'POST', body: redemption.body });
  expect(redeemed.status).toBe(200);
});
