import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { openSession, signIn } from './support/console.ts';
import { calls, playAt, upTo } from './support/mission-cuts.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const BOOK = 'v-retries-book-once';
const SCRIPT = '<img src=x onerror=alert(1)>';

/** A picture of one pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A run on a declared commit, whose test has a name that is a script. */
const runOn = (commit: string) => ({
  ...{
    argv: ['npm', 'test', 'src/__tests__/*.ts'],
    exit_code: 0,
    duration_ms: 900,
    commit,
    dirty: false,
    output: `Tests: 1 passed ${SCRIPT}`,
  },
  report: {
    ...{ format: 'junit', sha256: 'd'.repeat(64), size: 900, passed: 1, failed: 0, skipped: 0 },
    tests: [{ name: SCRIPT, status: 'passed' }],
  },
});

test('a pass that a command recorded is told apart from passes that agents wrote, in the board, its evidence and the brief', async () => {
  const site = await openSite(openMemory());
  const mission = upTo(await loadMission('payment-capture'), calls('authorize', { stage: 'deployment' }));
  const { sessionId, agents } = await playAt(site, mission);
  const { handshakes } = Object(await agents.agent_a('verify_board', {}));
  const item = (by: 'agent_a' | 'agent_b') => ({
    ...{ kind: 'test_report', claim: 'npm test passed on every machine', summary: 'Run.', request_id: 'run-1' },
    run: runOn(handshakes[by].commit),
  });
  const { attempt } = await agents.agent_a('verify_start_attempt', { scenario_id: BOOK, evidence: [item('agent_a')] });
  const at = { scenario_id: BOOK, attempt };
  await agents.agent_a('verify_attach', { ...at, filename: 'page.html', content: btoa(`<b>${SCRIPT}</b>`) });
  await agents.agent_a('verify_attach', { ...at, filename: 'dot.png', content: DOT });
  await agents.agent_b('verify_attach', { ...at, filename: 'raw.bin', content: btoa('\0\u00ff') });
  await agents.agent_b('verify_verify', { scenario_id: BOOK, attempt, verdict: 'PASS', evidence: [item('agent_b')] });
  const { page, errors } = await openPage({ viewport: { width: 1_280, height: 1_000 } });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Verify');
  const heading = page.getByRole('heading', { name: BOOK });
  await heading.getByText('recorded: a run that the agent sent').waitFor();
  await expect.poll(() => page.getByRole('heading').getByText('claimed: written by the agents').count()).toBe(6);
  await page.getByText('Lowest evidence of a pass: claimed').waitFor();
  const shown = page.locator('details', { hasText: `Attempt ${attempt}: PASSED` }).first();
  await shown.locator('summary').first().click();
  await shown.locator('.evidence').getByText('recorded: a run that the agent sent').first().waitFor();
  const own = shown.locator('.evidence', { hasText: 'The agent says: npm test passed on every machine' }).first();
  const run = `npm test src/__tests__/*.ts: exit code 0, 1 passed, 0 failed, 0 skipped, on ${handshakes.agent_a.commit.slice(0, 12)}`;
  await own.getByText(run).waitFor();
  await shown.getByText('End of the output').first().click();
  await shown.getByText(SCRIPT).first().waitFor();
  const files = shown.getByRole('list', { name: 'Attached files' });
  const file = (name: string) => files.getByRole('listitem').filter({ hasText: name });
  await file('page.html').getByRole('button', { name: 'Show' }).click();
  await page.getByRole('dialog').getByText(`<b>${SCRIPT}</b>`).waitFor();
  await page.keyboard.press('Escape');
  await file('dot.png').getByRole('button', { name: 'Show' }).click();
  const picture = page.getByRole('dialog').getByRole('img', { name: 'dot.png' });
  await expect.poll(() => picture.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBe(1);
  await page.keyboard.press('Escape');
  expect(await file('raw.bin').getByRole('button', { name: 'Show' }).count()).toBe(0);
  const saving = page.waitForEvent('download');
  await file('raw.bin').getByRole('button', { name: 'Save' }).click();
  expect((await saving).suggestedFilename()).toBe('raw.bin');
  await page
    .locator('#authorize-deployment')
    .getByRole('button', { name: /Authorize the deployment/ })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'What each pass rests on' }).waitFor();
  await expect.poll(() => dialog.getByText('claimed: written by the agents').count()).toBe(6);
  await dialog.getByText('recorded: a run that the agent sent').waitFor();
  expect(errors).toEqual([]);
});

test('the owner binds a workflow of an agent, which the board then shows, and unbinds it', async () => {
  const site = await openSite(openMemory());
  const mission = upTo(await loadMission('payment-capture'), calls('authorize', { stage: 'deployment' }));
  const { sessionId } = await playAt(site, mission);
  const { page, errors } = await openPage({ viewport: { width: 1_280, height: 1_000 } });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Verify');
  const panel = page.getByRole('region', { name: 'Workflows' });
  await panel
    .getByRole('button', { name: /^Bind a workflow of/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`/owner/api/ci/${sessionId}`).waitFor();
  await dialog.getByLabel('Repository, such as acme/shop').fill('shop');
  await dialog.getByRole('button', { name: 'Bind the workflow' }).click();
  await dialog.getByText('Must be a repository such as acme/shop').waitFor();
  await dialog.getByLabel('Repository, such as acme/shop').fill('acme/shop');
  await dialog.getByRole('button', { name: 'Bind the workflow' }).click();
  await panel.getByText('.github/workflows/parley.yml of acme/shop, on refs/heads/main').waitFor();
  await panel.getByRole('button', { name: 'Unbind' }).click();
  await expect.poll(() => panel.getByText('no workflow reports').count()).toBe(2);
  expect(errors).toEqual([]);
});
