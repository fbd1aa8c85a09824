import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { seriousIssues } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { calls, loadModerated, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

test('more than three tasks have an outline beside the inbox, with a link to each card', async () => {
  const site = await openSite(openMemory());
  const asking = upTo(await loadMission('payment-capture'), calls('answerQuestion'));
  await playAt(site, upTo(await loadModerated(), calls('respondRecommendation')));
  await playAt(site, asking);
  const { page, errors } = await openPage({ viewport: { width: 1440, height: 600 } });
  await signIn(page, site.url);
  const outline = page.getByRole('navigation', { name: 'Outline of the inbox' });
  await page.getByRole('button', { name: 'Answer…' }).first().waitFor();
  expect(await outline.count()).toBe(0);

  for (let count = 0; count < 2; count += 1) await playAt(site, asking);
  await outline.locator('p').getByText('4 stop their session, 1 does not').waitFor();
  const links = outline.getByRole('link');
  await expect.poll(() => page.title()).toBe(`(${await links.count()}) Parley`);
  expect(await links.first().textContent()).toMatch(/^blocks Approve r_3 Idempotent payment capture, \d+ s ago$/);
  await links.last().click();
  const target = (await links.last().getAttribute('href'))?.slice(1) ?? '';
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(target);
  const card = (await page.locator(`[id="${target}"] .task`).textContent()) ?? '';
  expect(await links.last().textContent()).toContain(card);
  expect(await seriousIssues(page)).toEqual([]);

  await page.getByRole('button', { name: 'Answer…' }).nth(1).click();
  await page.getByRole('textbox', { name: /^Your answer to/ }).waitFor();
  const answered = await page.evaluate("document.activeElement.closest('li').id");
  await expect.poll(() => outline.locator('[aria-current="location"]').getAttribute('href')).toBe(`#${answered}`);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => links.count()).toBe(0);
  await outline.getByRole('button', { name: /stop their session/ }).click();
  await links.first().click();
  await expect.poll(() => links.count()).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(errors).toEqual([]);
});
