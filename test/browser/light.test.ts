import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { agentsAt } from './support/agents.ts';
import { seriousIssues } from './support/axe.ts';
import { openPage } from './support/browser.ts';
import { signIn } from './support/console.ts';
import { agree, build } from './support/light-agents.ts';
import { ownerAtConsole } from './support/owner-at-console.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const SIZES = [
  { width: 1_440, height: 900 },
  { width: 390, height: 844 },
] as const;

/** Opens the task of the inbox, and looks at the card to which it leads: wide with the brief beside, narrow below. */
async function openDecision(page: Page, url: string, task: string) {
  await page.goto(`${url}/owner/`);
  await page.getByRole('link', { name: task }).click();
  const card = page.getByRole('region', { name: 'Waits for you' });
  const brief = card.getByRole('region', { name: 'What the decision rests on' });
  await brief.getByText('What happens then:').waitFor();
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport);
    const form = await card.locator('.decision > .stack').boundingBox();
    const box = await brief.boundingBox();
    const isBeside = Number(box?.x) >= Number(form?.x) + Number(form?.width);
    expect(isBeside).toBe(viewport.width > 400);
    if (!isBeside) expect(box?.y).toBeGreaterThanOrEqual(Number(form?.y) + Number(form?.height));
    expect(await seriousIssues(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  }
  // The tab below has no second button for the decision.
  expect(await page.getByRole('button', { name: /^(Approve|Release)/ }).count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Request changes…' }).count()).toBe(1);
  return { card, brief };
}

test('the owner of a light session creates it from a template, approves with the build, and releases', async () => {
  const site = await openSite(openMemory());
  const { page, errors } = await openPage({ viewport: SIZES[0] });
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/new`);
  await page.getByRole('button', { name: 'api-change', exact: true }).click();
  await page.getByText('has filled the form below: 3 requirements, 3 guardrails, 4 topics, 3 scenarios').waitFor();
  await expect.poll(() => page.getByLabel('Size of the change').inputValue()).toBe('light');
  for (const field of await page.locator('form input, form textarea').all()) {
    const value = await field.inputValue();
    if (value.includes('<')) await field.fill(value.replaceAll(/<[^>]+>/g, 'POST /refunds'));
  }
  await page.getByRole('button', { name: 'Create the session' }).click();
  await page.getByRole('heading', { name: 'API change: POST /refunds', level: 1 }).waitFor();
  await page.getByText('profile light').waitFor();
  const sessionId = new URL(page.url()).pathname.split('/').at(3) ?? '';
  const owner = ownerAtConsole(page, '', (operation, id, input) => site.owner.call(operation, id, input));
  const join = async (role: 'agent_a' | 'agent_b') => {
    const { code } = await owner.call('invite', sessionId, { role });
    return agentsAt(site.url)({ sessionId, role, code: String(code) });
  };
  const builders = { agent_a: await join('agent_a'), agent_b: await join('agent_b') };
  await owner.call('start', sessionId, {});

  await agree(builders);
  const approval = await openDecision(page, site.url, 'Approve r_1');
  // The six sections that a light contract has; the author left the others out.
  await approval.brief.getByText('0 of 6 sections read').waitFor();
  expect(await page.getByRole('heading', { name: 'Gates' }).count()).toBe(0);
  const { content_hash } = await site.owner.plan(sessionId);
  await approval.card.getByLabel('The first 8 characters of the hash').fill(String(content_hash).slice(0, 8));
  await approval.card.getByRole('checkbox', { name: 'Also authorize the build' }).check();
  await approval.card.getByRole('button', { name: 'Approve r_1' }).click();
  await page.getByText('This phase ends when every certification check passes, and you release').waitFor();
  expect(await page.getByText('Readiness reports').count()).toBe(0);

  await build(builders);
  const release = await openDecision(page, site.url, 'Release');
  await expect.poll(() => new URL(page.url()).hash).toBe('#authorize-release');
  // On what the passes rest stands before the hashes.
  const texts = String(await release.brief.textContent());
  expect(texts.indexOf('recorded: a run that the agent sent')).toBeLessThan(texts.indexOf(String(content_hash)));
  await page.getByText('1 recorded, 2 claimed').waitFor();
  await release.card.getByLabel('Note (optional)').fill('Thanks.');
  await release.card.getByRole('button', { name: 'Release…' }).click();
  await page.getByText('Release, which ends the session for good?').waitFor();
  await release.card.getByRole('button', { name: 'Yes, release' }).click();
  await page.getByRole('link', { name: 'Read the report' }).waitFor();
  await page.getByText('COMPLETED', { exact: true }).first().waitFor();

  const { state } = await site.owner.view(sessionId);
  expect(state).toMatchObject({
    status: 'ENDED',
    authorizations: { build_authorized: true, deployment_authorized: true, activation_authorized: true },
  });
  expect({ errors, failures: site.failures }).toEqual({ errors: [], failures: [] });
});
