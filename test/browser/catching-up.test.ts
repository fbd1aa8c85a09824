import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { message, openSession, signIn } from './support/console.ts';
import { seqsOf } from './support/log.ts';
import { openSite, type Site } from './support/site.ts';
import { DATABASES, openDatabase } from './support/storages.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

const direct = (site: Site, sessionId: string, text: string) =>
  site.owner.direct(sessionId, { targets: ['agent_a'], text });

test.each(DATABASES)(
  'a page that lost its server catches up with what another wrote meanwhile, without a reload: $name',
  async (database) => {
    const connect = await openDatabase(database);
    const first = await openSite(await connect());
    const { session_id: sessionId } = await first.owner.createSession(SESSION);
    await first.owner.start(sessionId);
    const { page } = await openPage({ viewport: { width: 1280, height: 4_000 } });
    await signIn(page, first.url);
    await openSession(page, first.url, sessionId);
    await page.evaluate('globalThis.isTheSamePage = true');
    await direct(first, sessionId, 'Before the crash.');
    await message(page, 'Before the crash.').waitFor();

    await first.die();
    const elsewhere = await openSite(await connect());
    for (let count = 1; count <= 8; count += 1) await direct(elsewhere, sessionId, `Meanwhile ${count}.`);
    await page.getByRole('status').filter({ hasText: 'connection lost' }).waitFor();
    const again = await openSite(await connect(), { port: Number(new URL(first.url).port) });
    await message(page, 'Meanwhile 8.').waitFor();
    await direct(database.name === 'PostgreSQL' ? elsewhere : again, sessionId, 'After the crash.');
    await message(page, 'After the crash.').waitFor();

    const links: string[] = await page.evaluate(
      "[...document.querySelectorAll('a[href^=\"#m-\"]')].map((link) => link.getAttribute('href'))",
    );
    const shown = links.map((href) => Number(href.slice(3)));
    expect(shown).toEqual([...new Set(shown)].toSorted((a, b) => a - b));
    const directives = await seqsOf(elsewhere.owner, sessionId, 'intervention.opened');
    expect(directives).toHaveLength(10);
    expect(shown.filter((seq) => directives.includes(seq))).toEqual(directives);
    await expect.poll(() => page.evaluate('globalThis.isTheSamePage')).toBe(true);
  },
);
