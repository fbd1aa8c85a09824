import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { seriousIssues } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { calls, loadModerated, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const sessionOf = (title: string) => ({
  title,
  objective: 'Something is built.',
  requirements: [{ requirement_id: 'req-1', text: 'It works.' }],
});

test('what waits in an old session is in the inbox and in the title, however many came since', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('answerQuestion')));
  const { title } = await site.owner.view(sessionId);
  for (let count = 1; count <= 120; count += 1) await site.owner.createSession(sessionOf(`Newer ${count}`));
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.getByRole('link', { name: title }).waitFor();
  await expect.poll(() => page.title()).toBe('(1) Parley');

  await page.getByRole('button', { name: 'Answer…' }).click();
  await page.getByLabel(/^Your answer to/).fill('Yes.');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await page.getByRole('banner').getByText('Nothing waits for you').waitFor();
  await expect.poll(() => page.title()).toBe('Parley');
});

test('a narrow table is sorted by a field, with the order in the address', async () => {
  const site = await openSite(openMemory());
  for (const title of ['Beta', 'Gamma', 'Alpha']) await site.owner.createSession(sessionOf(title));
  const { page } = await openPage({ viewport: { width: 390, height: 844 } });
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/sessions`);
  const firstRow = await page.getByRole('row', { name: 'Alpha' }).boundingBox();
  expect(firstRow?.y).toBeLessThan(500);
  await page.getByRole('button', { name: 'Filter and sort' }).click();
  await page.getByLabel('Sorted by').selectOption({ label: 'Title, A to Z' });
  await page.waitForURL(/\?sort=title&order=up$/);
  const titles = () => page.locator('tbody th').allTextContents();
  await expect.poll(titles).toEqual(['Alpha', 'Beta', 'Gamma']);
  await page.getByLabel('Sorted by').selectOption({ label: 'Title, Z to A' });
  await expect.poll(titles).toEqual(['Gamma', 'Beta', 'Alpha']);
  expect(await seriousIssues(page)).toEqual([]);
});

test.each([
  [1280, 60],
  [390, 160],
])('the table says what each role has to do, %i px wide, a role at most %i px high', async (width, height) => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('answerQuestion')));
  await site.owner.assignAction(sessionId, { target: 'agent_b', text: `Look at ${'x'.repeat(150)}.` });
  await site.owner.assignAction(sessionId, { target: 'agent_a', text: 'Look around.' });
  await site.owner.createSession(sessionOf('A draft'));
  const { page, errors } = await openPage({ viewport: { width, height: 844 } });
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/sessions`);
  const lines = page.getByRole('cell').locator('.movers li[title]');
  await expect.poll(() => lines.count()).toBe(2);
  const titles = (await page.locator('.movers [title]').all()).map((one) => one.getAttribute('title'));
  const shown = (await Promise.all(titles)).join('; ');
  for (const step of [
    'You: Answer q_4',
    'Shop agent (agent_a): act_4: Look around.',
    `(agent_b): act_3: Look at ${'x'.repeat(150)}.`,
  ])
    expect(shown).toContain(step);
  await page.getByText('+1 more').waitFor();
  const heights = (await lines.all()).map(async (one) => (await one.boundingBox())?.height ?? 0);
  expect(Math.max(...(await Promise.all(heights)))).toBeLessThan(height);
  await page.getByRole('row', { name: 'A draft' }).getByText('nobody').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await seriousIssues(page)).toEqual([]);
  expect(errors).toEqual([]);
});

test('the filter "You" finds the sessions that the header counts', async () => {
  const site = await openSite(openMemory());
  const mission = upTo(await loadModerated(), calls('respondRecommendation'));
  const { sessionId } = await playAt(site, mission);
  const { title } = await site.owner.view(sessionId);
  await site.owner.createSession(sessionOf('A draft'));
  const { session_id: absent } = await site.owner.createSession(sessionOf('Nobody joined'));
  await site.owner.start(absent);
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.getByRole('banner').getByText('2 wait for you').waitFor();
  await page.getByText('1 session stops until an invited agent joins').waitFor();
  await page.getByRole('link', { name: 'Nobody joined' }).waitFor();
  await page.goto(`${site.url}/owner/sessions?mover=owner`);
  await page.getByText('1 of 3 sessions').waitFor();
  await page.getByRole('row', { name: title }).getByText(/^You/).first().waitFor();

  await openSession(page, site.url, absent);
  await page
    .getByRole('region', { name: 'Absent agents' })
    .getByText(/^Check on/)
    .first()
    .waitFor();
  expect(await page.getByRole('heading', { name: 'Waits for you' }).count()).toBe(0);
  await expect.poll(() => page.title()).not.toMatch(/^\(/);
});

test('500 sessions are a table that is filtered and sorted, with the filter in the address', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('approveContract')));
  const { title } = await site.owner.view(sessionId);
  for (let count = 1; count < 500; count += 1) await site.owner.createSession(sessionOf(`Newer ${count}`));
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  await page.getByText('500 of 500 sessions').waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(101);

  await page.getByRole('button', { name: 'CONTRACT 1' }).click();
  await page.getByText('1 of 500 sessions').waitFor();
  expect(new URL(page.url()).search).toBe('?phase=CONTRACT');
  await page.reload();
  await page.getByText('1 of 500 sessions').waitFor();
  await page.getByRole('row', { name: title }).getByText('1 for you').waitFor();

  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByLabel('Words in the title').fill('newer 499');
  await page.getByText('1 of 500 sessions').waitFor();
  await page.getByLabel('Words in the title').fill('newer');
  await page.getByRole('button', { name: 'Title' }).click();
  await expect
    .poll(() => page.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort'))
    .toBe('ascending');
  await expect.poll(() => page.getByRole('row').nth(1).getByRole('link').textContent()).toBe('Newer 1');
  await page.getByRole('button', { name: 'Title' }).click();
  await expect
    .poll(() => page.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort'))
    .toBe('descending');
});

test('the inbox says how many sessions are idle, and leads to the table of these sessions', async () => {
  const site = await openSite(openMemory());
  for (const title of ['Refunds', 'Ports']) {
    const { session_id } = await site.owner.createSession(sessionOf(title));
    await site.owner.start(session_id);
  }
  await site.owner.createSession(sessionOf('A draft'));
  const { page } = await openPage();
  await page.route('**/api/overview*', async (route) => {
    const overview = await (await route.fetch()).json();
    const created_at = new Date(Date.now() - 7 * 3_600_000).toISOString();
    const sessions = overview.sessions.map((session: object) => ({ ...session, created_at }));
    await route.fulfill({ json: { ...overview, sessions } });
  });
  await signIn(page, site.url);
  await page
    .getByText('In 2 sessions, the agents have something to do but have written nothing for up to 7 h.')
    .waitFor();
  await page.getByRole('link', { name: 'List them' }).click();
  await page.getByText('2 of 3 sessions').waitFor();
});
