import { loadMission, runMission, type StepResult } from '@parley/missions';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { agentsAt } from './support/agents.ts';
import { openPage } from './support/browser.ts';
import { goToTab, message, signIn } from './support/console.ts';
import { ownerAtConsole } from './support/owner-at-console.ts';
import { openSite } from './support/site.ts';
import { DATABASES, openDatabase } from './support/storages.ts';

/** After a turn or a verdict, opens the tab that shows it, and waits until the tab shows it. */
async function lookAlong(page: Page, { part, step }: StepResult): Promise<void> {
  if (part === 'discussion' && step.call === 'post_turn') {
    await goToTab(page, 'Transcript');
    await message(page, String(step.input.summary).slice(0, 60)).waitFor();
  }
  if (step.call === 'verify_verify') {
    await goToTab(page, 'Verify');
    const scenario = page.locator('.scenarios > li').filter({ hasText: String(step.input.scenario_id) });
    await scenario
      .getByText(step.input.verdict === 'PASS' ? 'PASSED' : 'FAILED', { exact: true })
      .first()
      .waitFor();
  }
}

test.each(DATABASES)('the owner does everything of a session on its pages: $name', async (database) => {
  const connect = await openDatabase(database);
  const site = await openSite(await connect());
  const { page, errors } = await openPage({ viewport: { width: 1280, height: 900 } });
  await signIn(page, site.url);
  await page.evaluate('globalThis.isTheSamePage = true');
  const codes: string[] = [];
  const mission = await loadMission('payment-capture');
  const owner = ownerAtConsole(page, mission.mission, (operation, sessionId, input) =>
    site.owner.call(operation, sessionId, input),
  );
  const agents = agentsAt(site.url);
  const { sessionId } = await runMission(
    mission,
    {
      owner,
      async agents(invitation) {
        codes.push(invitation.code);
        expect(invitation.code).toMatch(/^pinv_\w{40,}$/);
        expect(await page.content()).not.toContain(invitation.code);
        return agents(invitation);
      },
    },
    (played) => lookAlong(page, played),
  );

  expect(new Set(codes).size).toBe(2);
  await goToTab(page, 'Log');
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await page.getByText('the chain is valid').waitFor();
  await expect.poll(() => page.evaluate('globalThis.isTheSamePage')).toBe(true);
  const { state, manifest } = await site.owner.view(sessionId);
  expect(state).toMatchObject({
    status: 'ENDED',
    phase: 'RELEASE',
    authorizations: { build_authorized: true, deployment_authorized: true, activation_authorized: true },
  });
  expect(manifest?.revision_id).toBe('r_2');
  expect({ errors, failures: site.failures }).toEqual({ errors: [], failures: [] });
});
