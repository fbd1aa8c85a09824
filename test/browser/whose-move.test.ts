import { loadMission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { openSession, signIn } from './support/console.ts';
import { calls, playAt, upTo } from './support/mission-cuts.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const linesOn = (page: Page) =>
  page.getByRole('list', { name: 'Who has to act' }).getByRole('listitem').allTextContents();

test.each([
  ['answerQuestion', ['next: You: Answer q_4', 'next: Ledger agent (agent_b): post its turn']],
  ['respond_finding', ['next: Ledger agent (agent_b): answer finding f_1']],
  [
    'verify_start_attempt',
    [
      'next: Shop agent (agent_a): run scenario v-retries-book-once',
      'next: Ledger agent (agent_b): run scenario v-reused-key-refused',
    ],
  ],
])('the page of a session says who has to do what, before the call %s', async (call, expected) => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls(call)));
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  expect(await linesOn(page)).toEqual(expected);
  expect(await page.locator('.session-page > .page-head').textContent()).not.toContain('next:');
});

test('nobody has a step in a draft or paused session', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession((await loadMission('payment-capture')).session);
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  await expect.poll(() => linesOn(page)).toEqual(['next: nobody, until you start the session']);
  await page
    .getByRole('region', { name: 'Before the start' })
    .getByText(/^Created \d+ s ago$/)
    .waitFor();
  await site.owner.start(sessionId);
  await site.owner.pause(sessionId, { reason: 'Lunch.' });
  await expect.poll(() => linesOn(page)).toEqual(['next: nobody, until you resume the session']);
  const pause = page.getByRole('region', { name: 'During the pause' });
  await pause.getByText(/^Paused \d+ s ago$/).waitFor();
  await pause.getByText('Lunch.', { exact: true }).waitFor();
});

test('an idle agent that alone holds the session up is marked, with the text to tell it', async () => {
  const site = await openSite(openMemory());
  const mission = await loadMission('payment-capture');
  const { sessionId } = await playAt(site, upTo(mission, calls('respond_finding')));
  const { page } = await openPage();
  const hours = (count: number): string => new Date(Date.now() - count * 3_600_000).toISOString();
  const idle = { last_call_at: hours(0), wrote_at: hours(7), due_since: hours(7) };
  await page.route(`**/api/sessions/${sessionId}*`, async (route) => {
    const view = await (await route.fetch()).json();
    const agents = view.agents.map((agent: object) => ({ ...agent, ...idle }));
    await route.fulfill({ json: { ...view, agents } });
  });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  const marks = page.locator('.presence .absent[title^="This agent has something to do"]');
  await expect.poll(() => marks.first().textContent()).toMatch(/^idle \(last call .+\), wrote nothing for 7 h/);
  await page.getByRole('list', { name: 'Who has to act' }).getByText('What to tell the agent').first().click();
  await page.getByText('Call read_task first.').first().waitFor();
});
