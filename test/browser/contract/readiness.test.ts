import { loadMission, type Step } from '@parley/missions';
import { expect, test } from 'vitest';
import { seriousIssues } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

/** Cuts the mission before the second `answer_readiness`: one of the two builders has reported. */
async function loadHalfReady() {
  const steps: Step[] = [];
  return upTo(await loadMission('payment-capture'), (step) => {
    if (step.call === 'answer_readiness') steps.push(step);
    return steps.length === 2;
  });
}

test.each([1280, 360])('the owner reads the answers of the first report at once, %i px wide', async (width) => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, await loadHalfReady());
  const { page, errors } = await openPage({ viewport: { width, height: 800 } });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Contract');
  const panel = page.getByRole('region', { name: 'Readiness reports' });
  await panel.getByText('no report yet').waitFor();
  expect(await page.evaluate("document.querySelector('.artifacts').scrollWidth <= innerWidth")).toBe(true);
  await panel.getByText('You provide if-book-entry and if-find-entry: where the contract leaves it').waitFor();
  const [report] = (await site.owner.view(sessionId)).readiness;
  expect(report?.answers).toHaveLength(2);
  for (const { answer } of report?.answers ?? []) await panel.getByText(answer, { exact: true }).waitFor();
  await expect.poll(() => panel.getByText('UNCHECKED').count()).toBe(2);
  expect(await seriousIssues(page)).toEqual([]);
  expect(errors).toEqual([]);
});
