import { loadMission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { seriousIssues } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const SHOP = 'Shop agent (agent_a)';
const LEDGER = 'Ledger agent (agent_b)';

const confirmed = (page: Page, text: string) =>
  expect.poll(() => page.locator('.notice').getByRole('status').textContent()).toEqual(text);

test('an approval and an authorization say what happened and who acts next', async () => {
  const site = await openSite(openMemory());
  const plain = await loadMission('payment-capture');
  const certified = (await playAt(site, upTo(plain, calls('approveContract')))).sessionId;
  const ready = (await playAt(site, upTo(plain, calls('authorize', { stage: 'build' })))).sessionId;
  const { page, errors } = await openPage({ viewport: { width: 390, height: 844 } });
  await signIn(page, site.url);
  await openSession(page, site.url, certified, 'Contract');
  await page.getByRole('button', { name: 'Approve…' }).click();
  const hash = (await page.getByRole('dialog').locator('.full-hash').textContent()) ?? '';
  await page.getByRole('dialog').getByLabel('The first 8 characters of the hash').fill(hash.trim());
  await page.getByRole('dialog').getByRole('button', { name: 'Approve r_2' }).click();
  await confirmed(
    page,
    `r_2 is approved. Its manifest m_1 is frozen, with 8 artifacts that the agents now read and confirm. Caveats that stay open: f_3: Watch the wait on the advisory lock during the first day with keys: it should stay below 50 ms. Next: ${SHOP}: confirm its artifacts. ${LEDGER}: confirm its artifacts.`,
  );
  expect(await seriousIssues(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

  await page.goto(`${site.url}/owner/sessions/${ready}/verify#authorize-build`);
  await page.locator('#authorize-build > button').click();
  await page.getByRole('button', { name: 'Yes, authorize the build' }).click();
  await confirmed(
    page,
    `The build is authorized. Next: ${SHOP}: build, then declare the commit that runs on its side. ${LEDGER}: build, then declare the commit that runs on its side.`,
  );
  expect(errors).toEqual([]);
});

/** Whether the confirmation covers nothing: the paragraph that `MARK_LOWEST` has marked ends above it. */
const IS_FREE = `(() => {
  const bar = document.querySelector('.notice').getBoundingClientRect();
  const { bottom } = document.querySelector('[data-lowest]').getBoundingClientRect();
  return bottom <= bar.top + 1;
})()`;
const MARK_LOWEST = `(() => {
  const isVisible = (element) => element.getBoundingClientRect().bottom <= innerHeight;
  [...document.querySelectorAll('main p')].filter(isVisible).at(-1).dataset.lowest = '';
})()`;

test('an answer is confirmed in the inbox for some seconds, without covering what was visible on a phone', async () => {
  const site = await openSite(openMemory());
  const plain = await loadMission('payment-capture');
  await playAt(site, upTo(plain, calls('answerQuestion')));
  for (let count = 0; count < 5; count += 1) await playAt(site, upTo(plain, calls('approveContract')));
  const { page } = await openPage({ viewport: { width: 390, height: 844 } });
  await signIn(page, site.url);
  await page.getByRole('button', { name: 'Answer…' }).click();
  await page.getByLabel(/^Your answer to/).fill('Yes, for 15 minutes.');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await confirmed(
    page,
    `Your answer to q_4 goes to ${SHOP} and is final: Yes, for 15 minutes. Next: ${LEDGER}: post its turn.`,
  );
  // A confirmation below the pointer stays, and the button of the dialog was there.
  await page.mouse.move(0, 0);
  await expect.poll(() => page.locator('.notice').textContent(), { timeout: 25_000 }).toBe('');

  await page.evaluate(MARK_LOWEST);
  await page.getByRole('button', { name: 'Request changes…' }).first().click();
  await page.getByRole('dialog').getByLabel('Reason').fill('Say when a key expires.');
  await page.getByRole('dialog').getByRole('button', { name: 'Send it back' }).click();
  await page.getByText('The contract is returned to its author with your reason.').waitFor();
  expect(await page.evaluate(IS_FREE)).toBe(true);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => page.locator('.notice').textContent()).toBe('');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
});
