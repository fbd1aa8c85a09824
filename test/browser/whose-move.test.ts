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
  [
    'answerQuestion',
    [
      'next: You: Answer q_4',
      'next: Ledger agent (agent_b): post its turn',
      'next: Shop agent (agent_a): say what it did about directive i_1',
    ],
  ],
  [
    'respond_finding',
    [
      'next: Ledger agent (agent_b): answer finding f_1',
      'next: Shop agent (agent_a): say what it did about directive i_1',
    ],
  ],
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
  await site.owner.start(sessionId);
  await site.owner.pause(sessionId, { reason: 'Lunch.' });
  await expect.poll(() => linesOn(page)).toEqual(['next: nobody, until you resume the session']);
});
