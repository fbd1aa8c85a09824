import { loadMission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { seqsOf } from '../support/log.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite, type Site } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

interface Waiting {
  readonly site: Site;
  readonly page: Page;
  readonly sessionId: string;
  readonly revise: () => Promise<unknown>;
}

/** Opens a contract whose revision r_2 waits for approval. Types its hash into the dialog of the approval. */
async function openWaiting(): Promise<Waiting> {
  const site = await openSite(openMemory());
  const mission = upTo(await loadMission('payment-capture'), calls('approveContract'));
  const { sessionId, agents } = await playAt(site, mission);
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Contract');
  await page.getByRole('button', { name: 'Approve…' }).click();
  await typeHash(page);
  const { contract_author } = await agents.agent_a('read_session_state', {});
  const author = contract_author === 'agent_a' ? agents.agent_a : agents.agent_b;
  const ops = [{ op: 'replace', path: '/summary', value: 'Something else.' }];
  const revise = () => author('patch_contract', { expected_parent_id: 'r_2', reason: 'A change of mind.', ops });
  return { site, page, sessionId, revise };
}

async function typeHash(page: Page): Promise<void> {
  const hash = (await page.getByRole('dialog').locator('.full-hash').textContent()) ?? '';
  await page.getByLabel('The first 8 characters of the hash').fill(hash.trim().slice(0, 8));
}

const approve = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Approve r_2' });
const approvals = ({ site, sessionId }: Waiting): Promise<readonly number[]> =>
  seqsOf(site.owner, sessionId, 'contract.approved');

describe('approving a contract', () => {
  let waiting: Waiting;
  beforeEach(async () => {
    waiting = await openWaiting();
  });

  test('sends exactly the revision and the hash that stand on the screen', async () => {
    const { site, page, sessionId } = waiting;
    const shown = (await page.getByRole('dialog').locator('.full-hash').textContent()) ?? '';
    const sent = page.waitForRequest('**/approve-contract');
    await approve(page).click();
    expect((await sent).postDataJSON()).toEqual({
      revision_id: 'r_2',
      content_hash: shown.trim(),
      seen: expect.any(Number),
      seen_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    await page.locator('#authorize-build > button').waitFor();
    expect(await approvals(waiting)).toHaveLength(1);
    expect((await site.owner.view(sessionId)).manifest?.content_hash).toBe(shown.trim());
  });

  test('begins with what the owner should read, also on a telephone', async () => {
    const { page } = waiting;
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 390, height: 600 });
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('dialog').getByText('Your reading').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Approve r_2');
    await expect.poll(() => page.getByRole('dialog').evaluate((dialog) => dialog.scrollTop)).toBe(0);
  });

  test('shows the title of the session and what its button still needs, and a link in it leads to the record', async () => {
    const { page } = waiting;
    const dialog = page.getByRole('dialog', { name: 'Approve r_2' });
    await dialog.getByText('Idempotent payment capture', { exact: true }).waitFor();
    const need = dialog.getByText('Type the first 8 characters of the hash, at the end of this dialog.');
    expect(await need.count()).toBe(0);
    await page.getByLabel('The first 8 characters of the hash').fill('');
    await need.waitFor();
    await dialog.getByRole('link', { name: 'f_2', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.locator('.side-panel').getByText('finding f_2').waitFor();
  });

  test('cannot be done once another revision came in', async () => {
    const { page, revise } = waiting;
    await revise();
    await page.getByRole('dialog').getByText('r_3 was submitted meanwhile. Nothing was approved.').waitFor();
    await expect.poll(() => approve(page).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: /^r_3 [A-Z]/ }).waitFor();
    expect(await approvals(waiting)).toEqual([]);
  });

  test('is refused when another revision comes in after the click, and the screen shows that one', async () => {
    const { page, revise } = waiting;
    await page.route('**/approve-contract', async (route) => {
      await revise();
      await route.continue();
    });
    const answered = page.waitForResponse('**/approve-contract');
    await approve(page).click();
    expect((await answered).status()).toBe(409);
    await page.getByRole('dialog').getByText('r_3 was submitted meanwhile. Nothing was approved.').waitFor();
    await expect.poll(() => approve(page).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: /^r_3 [A-Z]/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Approve…' }).isDisabled()).toBe(true);
    expect(await approvals(waiting)).toEqual([]);
  });

  test('is refused also when the page hears nothing of the other revision', async () => {
    const { site, page, revise } = waiting;
    // Aborts every GET request of the page. Otherwise the page would load the new revision after it reconnects.
    let isCut = true;
    await page.route('**/owner/api/**', (route) =>
      isCut && route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    site.cut();
    await page.getByRole('status', { includeHidden: true }).filter({ hasText: 'connection lost' }).waitFor();
    await revise();
    const answered = page.waitForResponse('**/approve-contract');
    await approve(page).click();
    expect((await answered).status()).toBe(409);
    isCut = false;
    await page.getByRole('heading', { name: /^r_3 [A-Z]/, includeHidden: true }).waitFor();
    expect(await approvals(waiting)).toEqual([]);
  });
});

test('the page and the dialog show what the owner asked to change, and what the revision says to it', async () => {
  const site = await openSite(openMemory());
  const mission = await loadMission('payment-capture');
  const input = { reason: 'Say what support sees.', seen: { $: 'head.seq' } };
  const request = { by: 'owner', call: 'requestChanges', input } as const;
  const contract = [...mission.contract.slice(0, 2), request, ...mission.contract.slice(2)];
  const { sessionId } = await playAt(site, upTo({ ...mission, contract }, calls('approveContract')));
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.getByRole('link', { name: 'Read it' }).click();
  await page.waitForURL(`**/owner/sessions/${sessionId}/r_2#changes`);
  await openSession(page, site.url, sessionId, 'Contract');
  await page.getByRole('button', { name: 'Approve…' }).click();
  const asked = page.getByRole('dialog').locator('section').filter({ hasText: 'Your requests for changes' });
  await asked.getByText('Say what support sees.').waitFor();
  await asked.getByRole('link', { name: /^#\d+ to r_1$/ }).waitFor();
  await asked.getByText(/^r_2 (names|was submitted after) this request/).waitFor();
  const aside = page.getByRole('dialog').locator('section').filter({ hasText: 'Findings that ended without being' });
  await aside.getByText(/agent_b\) REJECT: ./).waitFor();
});
