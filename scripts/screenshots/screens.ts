import { ERROR_KINDS } from '@parley/core';
import type { Page } from 'playwright-core';
import { open, type Profiles, type Studio } from './studio.ts';

type Show = (studio: Studio, profiles: Profiles) => Promise<Page>;
type Act = (page: Page) => Promise<unknown>;
type SessionName = keyof Studio['sessions'];

const page =
  (path: string, act: Act = async () => {}): Show =>
  async ({ url }, { owner }) => {
    const shown = await open(owner, url, path);
    await act(shown);
    return shown;
  };

const session =
  (name: SessionName, tab = '', act: Act = async () => {}): Show =>
  async ({ url, sessions }, { owner }) => {
    const shown = await open(owner, url, `sessions/${sessions[name]}${tab === '' ? '' : `/${tab}`}`);
    await act(shown);
    return shown;
  };

const press =
  (name: string | RegExp): Act =>
  (shown) =>
    shown
      .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
      .first()
      .click();

const dialog =
  (name: string | RegExp): Act =>
  async (shown) => {
    await press(name)(shown);
    await shown.getByRole('dialog').waitFor();
    await shown.getByText('Loading…').filter({ visible: true }).first().waitFor({ state: 'hidden' });
  };

const inOrder =
  (...acts: readonly Act[]): Act =>
  async (shown) => {
    for (const act of acts) await act(shown);
  };

const scrollTo =
  (selector: string): Act =>
  (shown) =>
    shown.evaluate(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView()`);

const whole: Act = press('Whole contract');
/** Opens all folded parts of the page. */
const unfold: Act = (shown) =>
  shown.evaluate("for (const element of document.querySelectorAll('main details:not([open])')) element.open = true");

const signedOut =
  (act: Act): Show =>
  async ({ url }, { stranger }) => {
    const shown = await stranger.newPage();
    await shown.goto(`${url}/owner/`);
    await act(shown);
    return shown;
  };

/**
 * Opens the page of the session `name`, or the inbox if `name` is left out. `hold` keeps the calls of the page waiting
 * or makes them fail.
 */
const held =
  (hold: (shown: Page) => Act, name?: SessionName): Show =>
  async ({ url, sessions }, { owner }) => {
    const shown = await owner.newPage();
    await hold(shown)(shown);
    await shown.goto(`${url}/owner/${name ? `sessions/${sessions[name]}` : ''}`);
    await shown.waitForTimeout(700);
    return shown;
  };

const never =
  (glob: string) =>
  (shown: Page): Act =>
  () =>
    shown.route(glob, () => undefined);
const broken =
  (glob: string) =>
  (shown: Page): Act =>
  () =>
    shown.route(glob, (route) => route.fulfill({ status: 500, json: INTERNAL }));

const INTERNAL = {
  error: 'INTERNAL',
  message: 'The call failed.',
  hint: ERROR_KINDS.INTERNAL.hint,
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
};

const signInEnds: Act = async (shown) => {
  await shown.route('**/owner/api/**', (route) => route.fulfill({ status: 401, json: { error: 'UNAUTHORIZED' } }));
  await shown.getByLabel('Owner key').waitFor();
};

export const SCREENS = {
  inbox: page(''),
  'inbox-parked': page('', (shown) => shown.getByText('drafts and paused').click()),
  'inbox-absent': page('', (shown) => shown.getByText('with absent agents').click()),
  'inbox-answer': page('', press('Answer…')),
  'inbox-empty': ({ emptyUrl }, { owner }) => open(owner, emptyUrl),
  table: page('sessions'),
  'table-filtered': page('sessions?phase=CONTRACT&mover=owner'),
  'table-nothing': page('sessions?words=nothing+like+this'),
  'table-empty': ({ emptyUrl }, { owner }) => open(owner, emptyUrl, 'sessions'),
  'people-of-service': page('people'),
  audit: page('audit'),
  'audit-filtered': page('audit?kind=session.started'),
  group: page('group?name=captures+at+the+counter'),
  'new-session-in-group': page(
    'new?group=Captures+at+the+counter',
    inOrder(press('Show its sessions'), scrollTo('#group-head')),
  ),
  'new-session': page('new'),
  'new-session-refused': page('new', press('Create the session')),
  'new-session-template': page('new', inOrder(press('api-change'), scrollTo('.scenarios'))),
  'new-session-template-refused': page('new', inOrder(press('api-change'), press('Create the session'))),
  nowhere: async ({ url }, { owner }) => {
    const shown = await owner.newPage();
    await shown.goto(`${url}/owner/sessions/nothing/nonsense`);
    await shown.getByRole('heading', { level: 1 }).waitFor();
    return shown;
  },
  gone: async ({ url }, { owner }) => {
    const shown = await owner.newPage();
    await shown.goto(`${url}/owner/sessions/AAAAAAAAAAAAAAAAAAAAAA`);
    await shown.waitForTimeout(700);
    return shown;
  },
  'sign-in': signedOut((shown) => shown.getByLabel('Owner key').waitFor()),
  'sign-in-refused': signedOut(async (shown) => {
    await shown.getByLabel('Owner key').fill('pok_wrong');
    await shown.getByRole('button', { name: 'Sign in' }).click();
    await shown.getByRole('alert').waitFor();
  }),
  'sign-in-again': session('planning', '', signInEnds),
  'loading-inbox': held(never('**/api/inbox*')),
  'loading-session': held(never('**/api/sessions/**'), 'planning'),
  'failed-inbox': held(broken('**/api/inbox*')),
  'failed-session': held(broken('**/api/sessions/**'), 'planning'),
  palette: page('', async (shown) => {
    await shown.keyboard.press('Control+k');
    await shown.getByRole('combobox').fill('capture');
    await shown.waitForTimeout(600);
  }),
  'palette-nothing': page('', async (shown) => {
    await shown.keyboard.press('Control+k');
    await shown.getByRole('combobox').fill('zebra crossing');
    await shown.waitForTimeout(600);
  }),
  find: page('find?words=capture', (shown) => shown.locator('mark').first().waitFor()),
  'stop-all': page('', dialog(/^Stop all/)),

  'draft-transcript': session('draft'),
  'draft-people': session('draft', 'people'),
  'draft-contract': session('draft', 'contract'),
  'draft-verify': session('draft', 'verify'),
  'alone-transcript': session('alone'),
  'alone-people': session('alone', 'people'),
  transcript: session('planning'),
  'transcript-top': session('planning', '', (shown) => shown.evaluate('scrollTo(0, 0)')),
  'transcript-decision': session('planning', 'd_2'),
  'transcript-question': session('planning', 'q_1'),
  people: session('planning', 'people'),
  'people-access': session('planning', 'people', scrollTo('.people-tab')),
  log: session('planning', 'log'),
  'log-verified': session('planning', 'log', press('Verify the log')),
  'contract-none': session('planning', 'contract'),
  'ask-dialog': session('planning', '', dialog('Ask or direct…')),
  'assign-dialog': session('planning', '', dialog('Assign…')),
  'rounds-dialog': session('planning', '', dialog('Add rounds…')),
  'pause-dialog': session('planning', '', dialog('Pause…')),
  'end-dialog': session('planning', '', dialog('End…')),
  'end-confirm': session('planning', '', async (shown) => {
    await dialog('End…')(shown);
    await shown.getByRole('dialog').getByRole('button', { name: 'End…' }).click();
  }),
  'invite-dialog': session('planning', 'people', dialog(/^Invite/)),
  'revoke-confirm': session('planning', 'people', press('Revoke…')),
  'erase-dialog': session('planning', 'log', dialog('Erase this session…')),

  'contract-changes': session('approval', 'contract'),
  contract: session('approval', 'contract', whole),
  'contract-decisions': session('approval', 'contract', inOrder(whole, scrollTo('#section-decisions'))),
  'contract-interfaces': session('approval', 'contract', inOrder(whole, scrollTo('#section-interfaces'))),
  'contract-models': session('approval', 'contract', inOrder(whole, scrollTo('#section-models'))),
  'contract-tasks': session('approval', 'contract', inOrder(whole, scrollTo('#section-tasks'))),
  'contract-tests': session('approval', 'contract', inOrder(whole, scrollTo('#section-tests'))),
  'contract-gates': session('approval', 'contract', inOrder(whole, scrollTo('#section-gates'))),
  'contract-rollout': session('approval', 'contract', inOrder(whole, scrollTo('#section-rollout'))),
  'contract-artifacts': session('approval', 'contract', inOrder(whole, unfold, scrollTo('#section-artifacts'))),
  'contract-panel': session(
    'approval',
    'contract',
    inOrder(whole, scrollTo('#part-shop-send-key'), (shown) =>
      shown.locator('#part-shop-send-key').getByRole('link').nth(1).click(),
    ),
  ),
  'contract-preflight': session('approval', 'contract', inOrder(whole, scrollTo('#preflight-head'))),
  'approve-dialog': session('approval', 'contract', dialog('Approve…')),
  'approve-dialog-end': session('approval', 'contract', async (shown) => {
    await dialog('Approve…')(shown);
    await shown.getByRole('dialog').evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight));
  }),
  'changes-dialog': session('approval', 'contract', dialog('Request changes…')),
  'approval-transcript': session('approval'),
  'approval-transcript-top': session('approval', '', (shown) => shown.evaluate('scrollTo(0, 0)')),
  'superseded-decision': session('approval', 'd_6'),
  'contract-blocked': session('blocked', 'contract'),
  'contract-finding': session('blocked', 'f_1'),
  'recommended-transcript': session('recommended'),
  'recommended-people': session('recommended', 'people'),
  'recommended-contract': session('recommended', 'contract'),
  'readiness-contract': session('readiness', 'contract'),
  'authorize-build': session('readiness', 'contract', dialog('Authorize the build…')),
  'readiness-verify': session('readiness', 'verify'),
  'verify-failed': session('verifying', 'verify'),
  'verify-defect': session('verifying', 'def_1'),
  'verify-running': session('running', 'verify'),
  'verify-passed': session('deployment', 'verify'),
  'verify-unfolded': session('deployment', 'verify', unfold),
  'authorize-deployment': session('deployment', 'verify', dialog('Authorize the deployment…')),
  'refuse-deployment': session('deployment', 'verify', dialog('Refuse the deployment…')),
  'refuse-activation': session('release', 'verify', dialog('Refuse the activation…')),
  'verify-stale': session('stale', 'verify'),
  'carry-dialog': session('stale', 'verify', dialog('Carry the pass over…')),
  'directed-absent': session('alone', '', async (shown) => {
    await dialog('Ask or direct…')(shown);
    const saying = shown.getByRole('dialog');
    await saying.getByLabel('What').selectOption('DIRECTIVE');
    for (const box of await saying.getByRole('checkbox').all()) await box.check();
    await saying.getByLabel('Text').fill('Name the unit of each amount.');
    await saying.locator('button[type=submit]').click();
    await saying.waitFor({ state: 'hidden' });
  }),
  'ended-transcript': session('ended'),
  'ended-people': session('ended', 'people'),
  'ended-verify': session('ended', 'verify'),
  'ended-log': session('ended', 'log'),
  'paused-transcript': session('paused'),
  'revoked-people': session('revoked', 'people'),
} satisfies Readonly<Record<string, Show>>;
