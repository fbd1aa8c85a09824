import { PERSON_ROLES, type PersonRole } from '@parley/core';
import { loadMission, type Mission, type Step } from '@parley/missions';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, type Tab } from '../support/console.ts';
import { calls, loadModerated, playAt, upTo } from '../support/mission-cuts.ts';
import { OWNER_KEY, openSite, type Site } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

async function addPerson({ url }: Site, role: PersonRole): Promise<string> {
  const response = await fetch(`${url}/owner/api/people`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OWNER_KEY}` },
    body: JSON.stringify({ name: `The ${role}`, role }),
  });
  return Object(await response.json()).key;
}

/** Signs a new person in. `writes` collects the paths of all requests of the page other than GET. */
async function signInAs(site: Site, role: PersonRole): Promise<{ readonly page: Page; readonly writes: string[] }> {
  const { page } = await openPage();
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(new URL(request.url()).pathname);
  });
  await page.goto(`${site.url}/owner/`);
  await page.getByLabel('Owner key').fill(await addPerson(site, role));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: `The ${role} (${role})` }).waitFor();
  return { page, writes };
}

/**
 * Maps the label of each visible button outside the messages to whether a button with that label is enabled. Replaces
 * a section's name in a label by “…” or leaves it out, because the page marks sections as read, and only unread sections
 * have a button.
 */
const BUTTONS = `(() => {
  const found = {};
  for (const button of document.querySelectorAll('button')) {
    if (!button.checkVisibility() || button.closest('[role=feed]')) continue;
    const label = (button.getAttribute('aria-label') ?? button.textContent).replace(/\\s+/g, ' ').replace(/“.*”/, '“…”').replace(/^(Next unread section): .*/, '$1').trim();
    found[label] = (found[label] ?? false) || !button.disabled;
  }
  return found;
})()`;

/** Labels of buttons by the lowest role that may press them. Buttons under `nobody` are disabled for every role. */
type Buttons = Readonly<Partial<Record<PersonRole | 'nobody', readonly string[]>>>;

const EVERYWHERE: Buttons = { viewer: ['Find… Ctrl K', 'Theme: auto', 'Sign out'], operator: ['Stop all…'] };

const READING: Buttons = {
  viewer: ['Changes', 'Whole contract', 'Side by side', 'Text diff', 'JSON', 'Next unread section'],
  operator: ['Mark “…” read'],
};
const ARTIFACTS: Buttons = {
  viewer: [
    'shared-contract.json',
    'contract.md',
    'handshake.json',
    'verification-plan.json',
    'handoff-agent-a.md',
    'handoff-agent-b.md',
    'entries.openapi.yaml',
    'capture-fixtures.json',
  ],
};
const ACCESS: Buttons = {
  operator: [
    'Invite Shop agent (agent_a) again…',
    'Invite Ledger agent (agent_b) again…',
    'Invite Moderator again…',
    'Revoke…',
    'Stop the moderator',
    'Forbid moderators',
    'Link a repository…',
  ],
};

type Scene = 'draft' | 'asking' | 'certified' | 'ready' | 'held' | 'advised' | 'defective';

const IN_SESSIONS: readonly (readonly [Scene, Tab, ...Buttons[]])[] = [
  [
    'draft',
    'Transcript',
    {
      operator: [
        'Start',
        'Ask or direct…',
        'Assign…',
        'Add rounds…',
        'End…',
        'Appoint Field app agent (agent_a)',
        'Appoint Sync server agent (agent_b)',
      ],
    },
  ],
  [
    'draft',
    'People',
    {
      operator: [
        'Start',
        'Invite Field app agent (agent_a)',
        'Invite Sync server agent (agent_b)',
        'Invite Moderator',
        'Forbid moderators',
        'Link a repository…',
      ],
    },
  ],
  [
    'draft',
    'Log',
    {
      viewer: [
        'Save the report',
        'Save it as Markdown',
        'Verify the log',
        'Export as JSON lines',
        'Export as Markdown',
      ],
      operator: ['Start'],
      approver: ['Erase this session…'],
    },
  ],
  [
    'asking',
    'Transcript',
    {
      viewer: ['Earlier messages'],
      operator: [
        'Ask or direct…',
        'Assign…',
        'Add rounds…',
        'Pause…',
        'End…',
        'Withdraw',
        'Appoint Shop agent (agent_a)',
        'Appoint Ledger agent (agent_b)',
      ],
      // The button is disabled until a text is typed.
      nobody: ['Answer'],
    },
  ],
  [
    'certified',
    'Contract',
    READING,
    {
      operator: ['Request changes…'],
      approver: ['Approve…', 'Override f_3'],
    },
  ],
  [
    'ready',
    'Contract',
    READING,
    ARTIFACTS,
    { operator: ['Request changes…'], approver: ['Authorize the build…', 'Override f_3'] },
  ],
  [
    'held',
    'Contract',
    READING,
    {
      operator: ['Request changes…'],
      approver: ['Release the hold…', 'Release hold h_1', 'Override f_1', 'Override f_2', 'Override f_3'],
      nobody: ['Approve…'],
    },
  ],
  ['held', 'People', ACCESS, { approver: ['Release the hold…', 'Release hold h_1'] }],
  [
    'advised',
    'People',
    ACCESS,
    { operator: ['Accept or reject…', 'Accept', 'Reject', 'Request changes…'], approver: ['Approve…'] },
  ],
  [
    'defective',
    'Verify',
    {
      operator: ['Assign it to Connector agent (agent_b)…', 'Waive def_1…'],
      approver: ['Bind a workflow of Platform agent (agent_a)…', 'Bind a workflow of Connector agent (agent_b)…'],
      nobody: ['Authorize the deployment…'],
    },
  ],
];

const ELSEWHERE: readonly (readonly [path: string, ...Buttons[]])[] = [
  [
    '',
    {
      operator: ['Answer…', 'Accept or reject…', 'Request changes…'],
      approver: ['Approve…', 'Authorize the build…', 'Release the hold…'],
    },
  ],
  [
    'new',
    {
      viewer: [
        'Start from a mission file…',
        ...['api-change', 'event', 'db-migration', 'frontend-backend', 'library-upgrade'],
        ...['Add a requirement', 'Add a guardrail', 'Add a topic', 'Add a scenario'],
      ],
      operator: ['Create the session'],
      nobody: ['Move req-1 up', 'Move req-1 down', 'Remove req-1', 'Show its sessions'],
    },
  ],
];

/** Maps the labels of all buttons to whether `role` finds them enabled. */
const expectedFor = (role: PersonRole, parts: readonly Buttons[]): Record<string, boolean> =>
  Object.fromEntries(
    [EVERYWHERE, ...parts].flatMap((buttons) =>
      [...PERSON_ROLES, 'nobody' as const].flatMap((needed) =>
        (buttons[needed] ?? []).map((label) => [
          label,
          needed !== 'nobody' && PERSON_ROLES.indexOf(role) >= PERSON_ROLES.indexOf(needed),
        ]),
      ),
    ),
  );

async function playScenes(site: Site): Promise<Readonly<Record<Scene, string>>> {
  const at = async (mission: Mission, isNext: (step: Step) => boolean): Promise<string> =>
    (await playAt(site, upTo(mission, isNext))).sessionId;
  const offlineSync = await loadMission('offline-sync');
  const payment = await loadMission('payment-capture');
  const moderated = await loadModerated();
  return {
    draft: (await site.owner.createSession(offlineSync.session)).session_id,
    asking: await at(payment, calls('answerQuestion')),
    certified: await at(payment, calls('approveContract')),
    ready: await at(payment, calls('authorize')),
    held: await at(moderated, calls('submit_contract_review')),
    advised: await at(moderated, calls('respondRecommendation')),
    defective: await at(await loadMission('signed-webhooks'), calls('waiveDefect')),
  };
}

test('each role finds enabled exactly the buttons of its calls', async () => {
  const site = await openSite(openMemory());
  const scenes = await playScenes(site);
  for (const role of PERSON_ROLES) {
    const { page, writes } = await signInAs(site, role);
    for (const [path, ...parts] of ELSEWHERE) {
      await page.goto(`${site.url}/owner/${path}`);
      await expect
        .poll(() => page.evaluate(BUTTONS), { message: `${role}, ${path}` })
        .toEqual(expectedFor(role, parts));
    }
    for (const [scene, tab, ...parts] of IN_SESSIONS) {
      await openSession(page, site.url, scenes[scene], tab);
      const expected = expectedFor(role, parts);
      await expect.poll(() => page.evaluate(BUTTONS), { message: `${role}, ${scene}, ${tab}` }).toEqual(expected);
    }
    // The page of a contract sends a request that marks the shown sections as read. The service refuses this request to
    // a viewer, so the page of a viewer does not send it.
    if (role === 'viewer') expect(writes).toEqual(['/owner/api/sign-in']);
  }
  expect(site.failures).toEqual([]);
});

test('a disabled button says which role it needs', async () => {
  const site = await openSite(openMemory());
  const { session_id } = await site.owner.createSession((await loadMission('offline-sync')).session);
  const { page } = await signInAs(site, 'viewer');
  await openSession(page, site.url, session_id, 'Log');
  const titleOf = (name: string) => page.getByRole('button', { name }).getAttribute('title');
  // The page asks who reads it, and learns the role after it has drawn the buttons.
  await expect.poll(() => titleOf('Start')).toBe('You need the role operator.');
  await expect.poll(() => titleOf('Erase this session…')).toBe('You need the role approver.');
});
