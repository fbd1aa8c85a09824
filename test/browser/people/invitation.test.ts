import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { goToTab, openSession, signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

test('a code that the browser does not let copy is marked, ready for the keyboard', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const { page, errors } = await openPage();
  // Browsers offer no clipboard on a page without https, except on localhost.
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'People');
  await page.getByRole('button', { name: 'Invite Agent A' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitation for Agent A (agent_a)' });
  const prompt = dialog.locator('.copyable').filter({ hasText: 'Paste this to the agent' }).locator('code');
  await expect
    .poll(() => prompt.textContent())
    .toMatch(
      /^You are a builder .+\n(?:.+\n)*Without that tool: POST http\S+\/invitations\/redeem with the body \{"code":"pinv_\w+"\}\.\n/,
    );
  await dialog.getByRole('button', { name: 'Copy: Code' }).click();
  await dialog.getByText('Press Ctrl+C').waitFor();
  await expect.poll(() => page.evaluate('getSelection().toString()')).toMatch(/^pinv_\w+$/);
  expect(errors).toEqual([]);
});

test('the dialog has a line for each client, and a link for editors, without the code', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'People');
  await page.getByRole('button', { name: 'Invite Agent A' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitation for' });
  const line = dialog.locator('.copyable').filter({ hasText: "Run this in the agent's repository" }).locator('code');
  await expect
    .poll(() => line.textContent())
    .toMatch(
      /^claude mcp add parley -- node \S+\/packages\/owner-app\/bin\/parley\.js mcp --url http:\/\/127\.0\.0\.1:\d+$/,
    );
  expect(await dialog.getByRole('link', { name: /^Add it to/ }).count()).toBe(0);
  await dialog.getByLabel('Client of the agent').selectOption('Cursor');
  await expect.poll(() => line.textContent()).toMatch(/^cursor --add-mcp '\{"name":"parley","command":"node",/);
  const link = await dialog.getByRole('link', { name: 'Add it to Cursor' }).getAttribute('href');
  expect(link).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=parley&config=[\w%]+$/);
  expect(atob(new URL(link ?? '').searchParams.get('config') ?? '')).not.toContain('pinv_');
  expect(errors).toEqual([]);
});

test('"Invite" makes a code on each tab, and the dialog begins with the code', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('answerQuestion')));
  await site.owner.revoke(sessionId, { role: 'agent_b' });
  const { page, errors } = await openPage({ viewport: { width: 1280, height: 500 } });
  await signIn(page, site.url);
  for (const tab of ['Transcript', 'People'] as const) {
    await openSession(page, site.url, sessionId, tab);
    const waits = page.getByRole('region', { name: 'Absent agents' });
    // The tab has no text for an agent without access, because the agent cannot go on.
    expect(await waits.getByText('What to tell the agent').count()).toBe(0);
    if (tab === 'Transcript') await waits.getByRole('button', { name: 'Invite', exact: true }).click();
    else {
      await waits.getByRole('button', { name: 'Invite again…' }).click();
      await waits
        .getByText(/^Invite Ledger agent \(agent_b\) again\? Its code, .+ ends at once\. Only the page that made/)
        .waitFor();
      await expect.poll(() => page.locator('dialog').count()).toBe(0);
      await waits.getByRole('button', { name: 'Yes, invite it again' }).click();
    }
    const dialog = page.getByRole('dialog', { name: 'Invitation for' });
    await expect.poll(() => dialog.locator('.copyable code').first().textContent()).toMatch(/^pinv_\w+$/);
    await expect.poll(() => dialog.evaluate('document.querySelector("dialog").scrollTop')).toBe(0);
    await dialog.getByRole('button', { name: 'I have passed the code on' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await waits.getByText('was revoked: pass its invitation code on.').waitFor();
  }
  expect(errors).toEqual([]);
});

test('the dialog with a code closes only after a confirmation', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'People');
  await page.getByRole('button', { name: 'Invite Agent A' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitation for Agent A (agent_a)' });
  await dialog.waitFor();
  const warning = dialog.getByText('Have you passed it on?');
  expect(await warning.count()).toBe(0);
  // The browser closes a dialog at the second Escape, even if the page has cancelled the first one.
  for (const _press of [1, 2, 3]) await page.keyboard.press('Escape');
  await warning.waitFor();
  await page.mouse.click(5, 5);
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  expect(await dialog.isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'Close without the code' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Invite Agent A (agent_a) again…');
  expect(errors).toEqual([]);
});

test('the page that made a code shows it again, until the code is replaced or the page is reloaded', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('answerQuestion')));
  await site.owner.revoke(sessionId, { role: 'agent_b' });
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  const dialog = page.getByRole('dialog', { name: 'Invitation for' });
  const codeIn = async (): Promise<string> => {
    const code = (await dialog.getByText(/^pinv_\w+$/).textContent()) ?? '';
    await dialog.getByRole('button', { name: 'I have passed the code on' }).click();
    await dialog.waitFor({ state: 'hidden' });
    return code;
  };
  const waits = page.getByRole('region', { name: 'Absent agents' });
  await waits.getByRole('button', { name: 'Invite', exact: true }).click();
  const code = await codeIn();

  await waits.getByRole('button', { name: 'Show the code again' }).click();
  expect(await codeIn()).toBe(code);
  await goToTab(page, 'People');
  await page.getByRole('button', { name: 'Show the code for Ledger agent (agent_b) again' }).click();
  expect(await codeIn()).toBe(code);

  await waits.getByRole('button', { name: 'Invite again…' }).click();
  await waits.getByText(/^Invite Ledger agent \(agent_b\) again\? Its code, .+ ends at once\.$/).waitFor();
  await waits.getByRole('button', { name: 'Yes, invite it again' }).click();
  const next = await codeIn();
  expect(next).not.toBe(code);
  await waits.getByRole('button', { name: 'Show the code again' }).click();
  expect(await codeIn()).toBe(next);

  await page.reload();
  await waits.getByRole('button', { name: 'Invite again…' }).waitFor();
  expect(await page.getByRole('button', { name: /^Show the code/ }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('on a phone, the page of a session says once that an agent has not joined', async () => {
  const site = await openSite(openMemory());
  const { session_id: id } = await site.owner.createSession((await loadMission('payment-capture')).session);
  await site.parley.redeem({ code: (await site.owner.invite(id, { role: 'agent_a' })).code });
  const { page } = await openPage();
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/sessions/${id}/contract`);
  const said = async () =>
    String(await page.evaluate('document.querySelector("main").innerText')).match(/[^\n]*(never|not) joined[^\n]*/g);
  await page.getByRole('heading', { name: 'Before the start' }).waitFor();
  expect(await said()).toEqual(['Ledger agent (agent_b) has not joined: invite it, then start the session.']);

  await site.owner.start(id);
  await page.locator('summary', { hasText: 'Absent agents' }).waitFor();
  expect(await said()).toEqual(['Absent agents: Ledger agent (agent_b): never joined']);
});
