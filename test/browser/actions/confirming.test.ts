import { loadMission } from '@parley/missions';
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { seqsOf } from '../support/log.ts';
import { calls, loadModerated, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

test('a double click on Revoke… asks, and revokes nothing before another click', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  await site.parley.redeem({ code: (await site.owner.invite(sessionId, { role: 'agent_a' })).code });
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'People');
  await page.getByRole('button', { name: 'Revoke…' }).first().dblclick();
  const sure = page.getByRole('button', { name: /^Revoke the access of Agent A/ });
  await sure.waitFor();
  // The button ignores clicks for a moment after it appears. This click comes within that time.
  await sure.dispatchEvent('click', { detail: 1 });
  expect(await seqsOf(site.owner, sessionId, 'access.revoked')).toEqual([]);
  await sure.click();
  await page.getByText('revoked', { exact: true }).waitFor();
  expect(await seqsOf(site.owner, sessionId, 'access.revoked')).toHaveLength(1);
});

test('the title and the buttons of a dialog stay visible, and a required reason must be given', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  await site.owner.start(sessionId);
  const { page } = await openPage({ viewport: { width: 1024, height: 500 } });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  await page.getByRole('button', { name: 'Ask or direct…' }).click();
  const asking = page.getByRole('dialog', { name: 'Ask or direct the agents' });
  const later = asking.getByRole('button', { name: 'Not now' });
  expect(await bottomOf(later)).toBeLessThan(500);
  await asking.getByRole('checkbox').last().focus();
  expect((await asking.getByRole('heading').boundingBox())?.y).toBeGreaterThan(0);
  expect(await bottomOf(asking.getByRole('checkbox').last())).toBeLessThan((await later.boundingBox())?.y ?? 0);
  await later.click();

  await page.getByRole('button', { name: 'Pause…' }).click();
  const pausing = page.getByRole('dialog', { name: 'Pause the session' });
  const pause = pausing.getByRole('button', { name: 'Pause' });
  expect(await pause.isDisabled()).toBe(true);
  await pausing.getByLabel('Reason').fill('Wait for the audit.');
  await pause.click();
  await pausing.waitFor({ state: 'hidden' });
  const resume = page.getByRole('button', { name: 'Resume' });
  await resume.waitFor();
  expect(await resume.count()).toBe(1);
});

/** The lower edge of an element, in pixels from the upper edge of the window. */
async function bottomOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return box ? box.y + box.height : Number.POSITIVE_INFINITY;
}

describe('an authorization', () => {
  test('of the build names the manifest and what follows, and is given by a second button', async () => {
    const site = await openSite(openMemory());
    const mission = upTo(await loadMission('payment-capture'), calls('authorize', { stage: 'build' }));
    const { sessionId } = await playAt(site, mission);
    const { manifest } = await site.owner.view(sessionId);
    const { page } = await openPage();
    await signIn(page, site.url);
    await openSession(page, site.url, sessionId, 'Contract');
    await page.locator('#authorize-build > button').dblclick();
    const dialog = page.getByRole('dialog', { name: 'Authorize the build' });
    await dialog.getByText(manifest?.manifest_sha256 ?? 'no manifest').waitFor();
    await dialog.getByText('Both agents are told to write code').waitFor();
    expect(await seqsOf(site.owner, sessionId, 'build.authorized')).toEqual([]);
    await dialog.getByRole('button', { name: 'Yes, authorize the build' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await seqsOf(site.owner, sessionId, 'build.authorized')).toHaveLength(1);
  });

  test('of the deployment names both commits and the advice of the moderator', async () => {
    const site = await openSite(openMemory());
    const mission = upTo(await loadModerated(), calls('authorize', { stage: 'deployment' }));
    const { sessionId } = await playAt(site, mission);
    const { handshakes } = await site.owner.board(sessionId, {});
    const advice = (await site.owner.view(sessionId)).recommendations.at(-1)?.text ?? 'no advice';
    const { page } = await openPage();
    await signIn(page, site.url);
    await openSession(page, site.url, sessionId, 'Verify');
    await page.locator('#authorize-deployment > button').click();
    const dialog = page.getByRole('dialog', { name: 'Authorize the deployment' });
    await dialog.getByText(handshakes.agent_a?.commit ?? 'no commit').waitFor();
    await dialog.getByText(handshakes.agent_b?.commit ?? 'no commit').waitFor();
    await dialog.getByText(advice).waitFor();
    await page.keyboard.press('Escape');
    expect(await seqsOf(site.owner, sessionId, 'deployment.authorized')).toEqual([]);
  });

  test('is refused if a service declares another version while its dialog is open, and shows what changed', async () => {
    const site = await openSite(openMemory());
    const mission = upTo(await loadModerated(), calls('authorize', { stage: 'deployment' }));
    const { sessionId, agents } = await playAt(site, mission);
    const { page } = await openPage();
    await signIn(page, site.url);
    await openSession(page, site.url, sessionId, 'Verify');
    const button = page.locator('#authorize-deployment > button');
    await button.click();
    const dialog = page.getByRole('dialog', { name: 'Authorize the deployment' });
    await dialog.getByText('What happens then:').waitFor();
    await dialog.getByLabel('Note (optional)').fill('The switch is off.');
    const { service, commit, environment, fixture_version } =
      (await site.owner.board(sessionId, {})).handshakes.agent_b ?? {};
    const declared = { service, commit, environment, fixture_version, ready: true, dependencies_healthy: true };
    await agents.agent_b('verify_handshake', { ...declared, version: '9.9.9' });
    await dialog.getByRole('button', { name: 'Yes, authorize the deployment' }).click();
    await dialog.getByText('Nothing was decided. Look again at what changed').waitFor();
    await dialog.getByText(`handshake agent_b (now commit ${commit}`).waitFor();
    expect(await seqsOf(site.owner, sessionId, 'deployment.authorized')).toEqual([]);

    await dialog.getByRole('button', { name: 'Look again' }).click();
    await button.click();
    expect(await dialog.getByLabel('Note (optional)').inputValue()).toBe('The switch is off.');
    await dialog.getByRole('button', { name: 'Yes, authorize the deployment' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await seqsOf(site.owner, sessionId, 'deployment.authorized')).toHaveLength(1);
  });
});
