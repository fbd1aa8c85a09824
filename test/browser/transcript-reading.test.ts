import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { joinSession } from '../support/join-session.ts';
import { seriousIssues } from './support/axe.ts';
import { openPage } from './support/browser.ts';
import { openSession, signIn } from './support/console.ts';
import { openSite, type Site } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const LONG = 'The cursor is opaque, and it holds the last id and the direction. '.repeat(12);

interface Talk {
  readonly site: Site;
  readonly page: Page;
  readonly errors: readonly string[];
}

async function openTalk(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Talk> {
  const site = await openSite(openMemory());
  const { sessionId, tokens } = await joinSession(site, { withModerator: false });
  const agents = [site.parley.agent(tokens.agent_a), site.parley.agent(tokens.agent_b)];
  for (let turn = 0; turn < 40; turn += 1)
    await agents[turn % 2]?.call('post_turn', {
      summary: `Turn **${turn}** settles \`limit\`.\n\n${LONG}`,
      proposed_decisions: [{ topic: `Topic ${turn}`, position: `Position ${turn}. ${LONG}` }],
      questions: [{ to: 'agent', text: `Is ${turn} enough?`, blocking: false }],
      next_step: 'Yours.',
    });
  const { page, errors } = await openPage({ viewport: { width, height: 900 }, colorScheme });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  await page.getByText('Show the whole message').last().waitFor();
  return { site, page, errors };
}

const last = (page: Page) => page.locator('.message').last();
const topOf = (page: Page, selector: string): Promise<number> =>
  page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().top`);

test('a long turn is a digest of at most five lines, which unfolds where it stands', async () => {
  const { page, errors } = await openTalk(1_440);
  await expect
    .poll(() => last(page).locator('.digest dt').allTextContents())
    .toEqual(['says', 'proposes', 'asks', 'next']);
  await expect
    .poll(() => last(page).locator('.digest dd').allTextContents())
    .toEqual(['Turn **39** settles `limit`.', 'd_40 Topic 39', 'q_40 Is 39 enough?', 'Yours.']);

  const shown = page.locator('.message').filter({ has: page.locator('.digest') });
  const id = (await shown.nth(-2).getAttribute('id')) ?? '';
  const before = await topOf(page, `#${id}`);
  await page.locator(`#${id} .fold`).click();
  await page.locator(`#${id}`).getByRole('button', { name: 'Fold the message' }).waitFor();
  await expect.poll(async () => Math.abs((await topOf(page, `#${id}`)) - before)).toBeLessThan(6);
  await expect.poll(() => page.locator(`#${id} strong`).first().textContent()).toBe('38');
  await expect.poll(() => page.locator(`#${id} code`).first().textContent()).toBe('limit');
  await page.locator(`#${id}`).getByRole('button', { name: 'Fold the message' }).click();
  await page.locator(`#${id} .digest`).waitFor();
  await expect.poll(async () => Math.abs((await topOf(page, `#${id}`)) - before)).toBeLessThan(6);
  expect(errors).toEqual([]);
});

test('a text with the name of a character is shown with the character', async () => {
  const site = await openSite(openMemory());
  const { sessionId, tokens } = await joinSession(site, { withModerator: false });
  await site.parley
    .agent(tokens.agent_a)
    .call('post_turn', { summary: 'Escapes &lt;b&gt; &amp; &copy;.', next_step: 'Yours.' });
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  await page.locator('.message').getByText('Escapes <b> & ©.').waitFor();
  expect(errors).toEqual([]);
});

test('Markdown hides no words: addresses, titles, descriptions and definitions are text, and nothing is a link', async () => {
  const site = await openSite(openMemory());
  const { sessionId, tokens } = await joinSession(site, { withModerator: false });
  const summary = [
    'See [the guide](https://guide.example/a "Approve it"), ![a plan](https://img.example/p.png), <https://auto.example>,',
    '[ours][one] and a note[^n].\n\n[one]: https://one.example "Title"\n\n[^n]: A footnote.',
  ].join(' ');
  await site.parley.agent(tokens.agent_a).call('post_turn', { summary, next_step: 'Yours.' });
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  const shown = page.locator('.message .markdown').filter({ hasText: 'See the guide' });
  await expect
    .poll(() => shown.textContent())
    .toBe(
      'See the guide (https://guide.example/a "Approve it"), [image: a plan (https://img.example/p.png)], https://auto.example, ours [one] and a note[^n].[one]: https://one.example "Title"[^n]:A footnote.',
    );
  expect(await shown.locator('a, img').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a search shows the whole messages with the words marked', async () => {
  const { page } = await openTalk(1_440);
  await page.getByRole('searchbox', { name: 'Search the transcript' }).fill('Position 7.');
  await page.locator('mark', { hasText: 'Position' }).first().waitFor();
  await expect.poll(() => page.locator('.digest').count()).toBe(0);
});

test('the transcript takes the height of the window once the header is scrolled away, and keeps its end', async () => {
  const { page } = await openTalk(1_440);
  const bottomOf = (): Promise<number> =>
    page.evaluate('document.querySelector(".transcript-box").getBoundingClientRect().bottom');
  expect(await bottomOf()).toBeLessThanOrEqual(900);
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await expect
    .poll(() => page.evaluate('document.querySelector(".conversation").getBoundingClientRect().height'))
    .toBeGreaterThan(860);
  expect(await bottomOf()).toBeLessThanOrEqual(900);
  await last(page).getByText('q_40').waitFor();
});

test('a topic that got another position shows the words that differ, and a long position is folded', async () => {
  const site = await openSite(openMemory());
  const { sessionId, tokens } = await joinSession(site, { withModerator: false });
  const agent = site.parley.agent(tokens.agent_a);
  await agent.call('submit_decision', { topic: 'Limit', position: `At most 100 rows. ${LONG}` });
  await agent.call('submit_decision', { topic: 'Limit', position: `At most 250 rows. ${LONG}` });
  const { page } = await openPage({ viewport: { width: 1_440, height: 1_600 } });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  const decisions = page.getByRole('region', { name: /^Decisions/ });
  await decisions.getByText('What differs from d_1').click();
  await expect.poll(() => decisions.locator('del').textContent()).toContain('100');
  await expect.poll(() => decisions.locator('ins').textContent()).toContain('250');
  await decisions.getByRole('button', { name: 'Show all of d_2' }).click();
  await decisions.getByRole('button', { name: 'Fold d_2' }).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
});

test.each([
  [390, 'light'],
  [1_440, 'dark'],
] as const)('axe finds nothing serious, %i px wide, %s', async (width, theme) => {
  const { page } = await openTalk(width, theme);
  expect(await seriousIssues(page)).toEqual([]);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});
