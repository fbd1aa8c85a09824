import type { Json, OwnerApi } from '@parley/missions';
import type { Page } from 'playwright-core';
import { goToTab } from './console.ts';
import { createFromFile } from './new-session.ts';

/** Reads in process. Tests compare the answer with the page. */
type Read = (operation: string, sessionId: string, input: Json) => Promise<Json>;

/** An owner that makes its writes in the pages of the console. */
export function ownerAtConsole(page: Page, mission: string, read: Read): OwnerApi {
  return {
    createSession: (session) => createFromFile(page, mission, session),
    async call(operation, sessionId, input) {
      const act = ACTS[operation];
      if (!act) return read(operation, sessionId, input);
      await untilShown(page, await read('view', sessionId, {}));
      return act(page, input);
    },
  };
}

/**
 * Waits until the page has shown the newest event. A decision is bound to the newest event that the page has shown, and
 * the script acts sooner after an agent's write than the page reads it: the decision would be refused.
 */
async function untilShown(page: Page, view: Json): Promise<void> {
  const { seq } = view.head as { readonly seq: number };
  await goToTab(page, 'Log');
  await page.getByText(new RegExp(`^${seq} events\\.`)).waitFor();
}

/** Matches the end of a button's label, because a label for an agent begins with a display name. */
const endOf = (role: unknown): RegExp =>
  new RegExp(`${role === 'moderator' ? 'Moderator' : `\\(${String(role)}\\)`}( again)?…?$`);
const textOf = (input: Json, member: string): string => String(input[member]);

const ACTS: Readonly<Record<string, (page: Page, input: Json) => Promise<Json>>> = {
  async invite(page, { role }) {
    await goToTab(page, 'People');
    await page
      .getByRole('button', { name: /^Invite/ })
      .and(page.getByRole('button', { name: endOf(role) }))
      .click();
    const dialog = page.getByRole('dialog', { name: endOf(role) });
    const code = await dialog.getByText(/^pinv_/).textContent();
    await dialog.getByRole('button', { name: 'I have passed the code on' }).click();
    await dialog.waitFor({ state: 'hidden' });
    return { code };
  },

  async start(page) {
    const card = page.getByRole('region', { name: 'Before the start' });
    // Until the page knows that both agents have joined, the button asks for a confirmation.
    await card.getByText('Both agents have joined').waitFor();
    await card.getByRole('button', { name: 'Start' }).click();
    await page.getByText('ACTIVE', { exact: true }).waitFor();
    return {};
  },

  ask: (page, input) => say(page, input, 'QUESTION'),
  direct: (page, input) => say(page, input, 'DIRECTIVE'),

  async answerQuestion(page, input) {
    await goToTab(page, 'Transcript');
    await page.getByLabel(`Your answer to ${textOf(input, 'question_id')}`).fill(textOf(input, 'text'));
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByLabel(`Your answer to ${textOf(input, 'question_id')}`).waitFor({ state: 'hidden' });
    return {};
  },

  async approveContract(page, input) {
    await goToTab(page, 'Contract');
    await page.getByRole('button', { name: 'Approve…' }).click();
    const dialog = page.getByRole('dialog', { name: `Approve ${textOf(input, 'revision_id')}` });
    await dialog.getByText(textOf(input, 'content_hash')).waitFor();
    await dialog.getByLabel('The first 8 characters of the hash').fill(textOf(input, 'content_hash').slice(0, 8));
    await dialog.getByRole('button', { name: `Approve ${textOf(input, 'revision_id')}` }).click();
    await page.getByRole('heading', { name: /^Manifest / }).waitFor();
    return {};
  },

  async authorize(page, { stage }) {
    await goToTab(page, stage === 'build' ? 'Contract' : 'Verify');
    const button = page.locator(`#authorize-${String(stage)} > button`);
    await button.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes, authorize' }).click();
    await button.waitFor({ state: 'hidden' });
    return {};
  },

  async reassignDefect(page, { defect_id, role, reason }) {
    await goToTab(page, 'Verify');
    const defect = page.getByRole('listitem').filter({ hasText: String(defect_id) });
    await defect
      .getByRole('button', { name: /^Assign it to/ })
      .and(defect.getByRole('button', { name: endOf(role) }))
      .click();
    const dialog = page.getByRole('dialog', { name: `Assign ${textOf({ defect_id }, 'defect_id')} to` });
    await dialog.getByLabel('Reason (optional)').fill(String(reason ?? ''));
    await dialog.getByRole('button', { name: 'Assign the defect' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await defect.getByText(new RegExp(`assigned to .*${String(role)}`)).waitFor();
    return {};
  },

  async end(page, { end_reason, note }) {
    await goToTab(page, 'Transcript');
    await page.getByRole('region', { name: 'What you can do' }).getByRole('button', { name: 'End…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Outcome').selectOption(String(end_reason));
    await dialog.getByLabel('Note').fill(String(note ?? ''));
    await dialog.getByRole('button', { name: 'End…' }).click();
    await dialog.getByRole('button', { name: 'Yes, end it for good' }).click();
    await page.getByText('ENDED', { exact: true }).waitFor();
    return {};
  },
};

async function say(page: Page, { targets, text, priority, blocking }: Json, type: string): Promise<Json> {
  await goToTab(page, 'Transcript');
  await page.getByRole('button', { name: 'Ask or direct…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What').selectOption(type);
  for (const [index, role] of ['agent_a', 'agent_b'].entries())
    await dialog.getByRole('group', { name: 'To' }).getByRole('checkbox').nth(index).setChecked(isAmong(targets, role));
  await dialog.getByLabel('Text').fill(String(text));
  if (priority !== undefined) await dialog.getByLabel('Priority').selectOption(String(priority));
  if (blocking !== undefined) await dialog.getByLabel('cannot be certified').setChecked(blocking === true);
  await dialog.getByRole('button', { name: type === 'QUESTION' ? 'Ask' : 'Direct', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  return {};
}

const isAmong = (targets: unknown, role: string): boolean => Array.isArray(targets) && targets.includes(role);
