import { expect, test } from 'vitest';
import { openRelay } from '../../packages/owner-app/test/relay.ts';
import { openPage } from './support/browser.ts';
import { message, openSession, signIn } from './support/console.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

/** A session in the console, through a relay before the service. The time of the page moves only with its clock. */
async function openThroughRelay() {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  await site.owner.start(sessionId);
  const relay = await openRelay(site.url);
  const { page } = await openPage({ viewport: { width: 1280, height: 2_000 } });
  await page.clock.install({ time: new Date() });
  // The clock of the page moves no limit of the browser itself.
  await page.addInitScript(`AbortSignal.timeout = (ms) => {
    const limit = new AbortController();
    setTimeout(() => limit.abort(new DOMException('The limit is over.', 'TimeoutError')), ms);
    return limit.signal;
  }`);
  await signIn(page, relay.url);
  await openSession(page, relay.url, sessionId);
  return { site, sessionId, relay, page };
}

const DIRECTIVE = { targets: ['agent_a'] as ['agent_a'], text: 'Name the unit of each amount.' };

test('the page of a session behind a relay that goes silent says so after 45 seconds, and shows what came meanwhile', async () => {
  const { site, sessionId, relay, page } = await openThroughRelay();
  const status = (text: RegExp) => page.getByRole('status').filter({ hasText: text });
  relay.freeze(/GET \S*\/events/);
  await site.owner.direct(sessionId, DIRECTIVE);
  await page.clock.runFor(30_000);
  expect(await status(/^live$/).count()).toBe(1);
  await page.clock.runFor(15_500);
  await status(/connection lost, trying again/).waitFor();
  await page.clock.runFor(2_000);
  await status(/^live$/).waitFor();
  await page.clock.runFor(1_000);
  await message(page, DIRECTIVE.text).waitFor();
});

test('a button behind a relay that goes silent says after 30 seconds that its outcome is unknown', async () => {
  const { site, sessionId, relay, page } = await openThroughRelay();
  relay.freezeLater(/POST \S*\/pause/);
  await page.getByRole('button', { name: 'Pause…' }).click();
  const pausing = page.getByRole('dialog', { name: 'Pause the session' });
  await pausing.getByRole('textbox').fill('Lunch.');
  await pausing.getByRole('button', { name: 'Pause' }).click();
  await expect.poll(() => relay.carries(/POST \S*\/pause/)).toBe(true);
  await page.clock.runFor(31_000);
  await pausing.getByText('The server does not answer.').waitFor();
  await pausing.getByText('check whether the change was made before you press it again').waitFor();
  expect((await site.owner.view(sessionId)).state.status).toBe('ACTIVE');
});
