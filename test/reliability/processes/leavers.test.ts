import { describe, expect, test } from 'vitest';
import { AS_OWNER, ask, createSession } from '../../../packages/owner-app/test/ask.ts';
import {
  type CompanyApp,
  copiedTicket,
  oidcOf,
  PUBLIC_URL,
  runCompanyApp,
} from '../../../packages/owner-app/test/company/company-app.ts';
import { addPerson } from '../../../packages/owner-app/test/people-app.ts';
import { DATABASES, openDatabase } from '../../browser/support/storages.ts';
import { openProvider } from '../../support/openid-provider.ts';
import { rounds } from './support/rounds.ts';

const ROUNDS = rounds(5, 50);
const ME = '/owner/api/me';

type Headers = Readonly<Record<string, string>>;

const statusOf = async ({ url }: CompanyApp, headers: Headers) => (await ask(url, ME, { headers })).status;

describe.each(DATABASES)('people who leave, at two processes on $name', (database) => {
  /** Two processes on one database. `start` starts another one. */
  async function open() {
    const connect = await openDatabase(database);
    const provider = await openProvider({ publicUrl: PUBLIC_URL });
    provider.accounts.set('ada', { name: 'Ada Lovelace', groups: ['parley-admins'] });
    // The clock stands still, so that all requests are in the same minute.
    const opened = Date.now();
    const options = { oidc: oidcOf(provider.issuer), now: () => opened };
    const start = async () => await runCompanyApp(options, await connect());
    return { one: await start(), two: await start(), start };
  }

  test(`a code that is redeemed while its maker is revoked gives no access that lasts, ${ROUNDS} times`, async () => {
    const { one, two } = await open();
    const session = await createSession(one.url);
    for (let round = 0; round < ROUNDS; round += 1) {
      const olga = await addPerson(one.url, `Olga ${round}`, 'operator');
      const invite = { headers: olga.headers, body: { role: 'agent_a' } };
      const { code } = (await ask(two.url, `/owner/api/sessions/${session}/invite`, invite)).json;
      const [revoked, redeemed] = await Promise.allSettled([
        ask(one.url, `/owner/api/people/${olga.id}/revoke`, { headers: AS_OWNER, body: { end_access: true } }),
        two.parley.redeem({ code }),
      ]);
      expect(revoked).toMatchObject({ status: 'fulfilled', value: { status: 200, json: { left: { failed: 0 } } } });
      if (redeemed.status === 'fulfilled') {
        const agent = two.parley.agent(redeemed.value.token);
        await expect(agent.call('read_task')).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
      }
      for (const { parley } of [one, two])
        await expect(parley.redeem({ code })).rejects.toMatchObject({ code: 'INVITATION_INVALID' });
      expect(await statusOf(two, olga.headers)).toBe(401);
    }
  });

  test('one of many copies of a ticket signs in at each process, and a revocation ends them all', async () => {
    const { one, two } = await open();
    const finishAt = await copiedTicket(one);
    const [atOne, atTwo] = await Promise.all(
      [one, two].map((app) => Promise.all(Array.from({ length: 10 }, () => finishAt(app)))),
    );
    const signedIn = [atOne, atTwo].map((all = []) => all.filter(({ status }) => status === 200));
    expect(signedIn.map(({ length }) => length)).toEqual([1, 1]);
    const pages = signedIn.flat().map(({ page }) => page);
    const ids = pages.map(async (headers) => (await ask(two.url, ME, { headers })).json.id);
    const [id, ...others] = new Set(await Promise.all(ids));
    expect(others).toEqual([]);
    await ask(one.url, `/owner/api/people/${id}/revoke`, { headers: AS_OWNER, body: {} });
    for (const page of pages) expect([await statusOf(one, page), await statusOf(two, page)]).toEqual([401, 401]);
  });

  test('many wrong keys lock out nobody with a key of a person, also at a process that has just started', async () => {
    const { one, two, start } = await open();
    const ada = await addPerson(one.url, 'Ada', 'viewer');
    for (const app of [one, two, await start()]) {
      const wrong = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          statusOf(app, { authorization: `Bearer pok_${String(index).padStart(43, 'w')}` }),
        ),
      );
      expect(wrong.toSorted()).toEqual([...Array(10).fill(401), 429, 429]);
      expect(await statusOf(app, ada.headers)).toBe(200);
    }
  });
});
