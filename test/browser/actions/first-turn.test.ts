import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

test('the owner lets the other builder begin until a turn is posted', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession({
    title: 'Cursor pagination',
    objective: 'The catalogue lists ten million products without offsets.',
    requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
    agents: {
      agent_a: { name: 'Web agent', repository: 'acme/web', service: 'web' },
      agent_b: { name: 'Catalogue agent', repository: 'acme/catalogue', service: 'catalogue' },
    },
  });
  const { code } = await site.owner.invite(sessionId, { role: 'agent_b' });
  const { token } = await site.parley.redeem({ code });
  await site.owner.start(sessionId, {});
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  await page.getByRole('button', { name: 'Let Catalogue agent begin…' }).click();
  await page.getByText('Web agent has the first turn and has not posted it. Let Catalogue agent begin?').waitFor();
  await page.getByRole('button', { name: 'Yes, let Catalogue agent begin' }).click();
  await page.getByText('Catalogue agent (agent_b) begins now.').waitFor();
  await page.getByRole('button', { name: 'Let Web agent begin…' }).waitFor();

  await site.parley.agent(token).call('post_turn', { summary: 'The catalogue has no index for this.' });
  await page.getByRole('button', { name: /begin…$/ }).waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
});
