import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { inboxLabel } from '../../src/text/inbox.ts';
import { visibleLine } from '../../src/text/visible.ts';
import { hasRole, hasSignedIn, isSignedIn, limitedUntil, me, signOut } from './api/client.ts';
import { SessionPage } from './pages/session-page.tsx';
import { route, toAudit, toInbox, toPeople, toTable } from './state/route.ts';
import {
  followInbox,
  inbox,
  inboxError,
  isComplete,
  readInbox,
  sessions,
  useSessions,
  waiting,
  waitingCount,
} from './state/sessions.ts';
import { setting } from './state/setting.ts';
import { lastStop } from './state/stopping.ts';
import { nextTheme, theme } from './state/theme.ts';
import { DialogButton } from './ui/controls/buttons.tsx';
import { Notice } from './ui/controls/notice.tsx';
import { lazy, UnreadPage, useCall } from './ui/requests.tsx';
import { Link } from './ui/text/linked-text.tsx';

function Nowhere() {
  return (
    <section class="empty">
      <h1>There is no such page</h1>
      <p>
        <Link to={toInbox()}>Back to your inbox</Link>
      </p>
    </section>
  );
}

/** The element that had the focus last, and its ancestors. */
let last: readonly Element[] = [];
/** The element that had the focus before the focus moved into the latest dialog. Kept after the dialog is closed. */
let opener: Element | undefined;

/**
 * Moves the focus when the focused element is removed, for example after a question was answered. Without this, users
 * of keyboards and screen readers would start at the beginning of the page again. Of the sections that contained the
 * element, the innermost that is still on the page gets the focus on its heading, or, in the transcript, on its list of
 * messages. If no section is left, the content of the page gets the focus. If the element was in a dialog, the element
 * that had the focus before the dialog gets it again. The browser does not do this for a button that was disabled while
 * its call was in progress.
 *
 * @param root the element in which removals are watched
 */
function keepFocus(root: HTMLElement): () => void {
  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    const dialog = target.closest('dialog');
    if (dialog && !last.includes(dialog)) opener = last[0];
    last = chainFrom(target);
  };
  const observer = new MutationObserver(() => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    if (isLost && last[0] && !last[0].isConnected) focusNear(last);
  });
  root.addEventListener('focusin', remember);
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    root.removeEventListener('focusin', remember);
  };
}

function chainFrom(element: Element): Element[] {
  const chain: Element[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) chain.push(at);
  return chain;
}

function focusNear(chain: readonly Element[]): void {
  last = [];
  if (opener instanceof HTMLElement && chain.some((element) => element.matches('dialog'))) {
    opener.focus();
    if (document.activeElement === opener) return;
  }
  const section = chain.find((element) => element.isConnected && element.matches('section, article, [role="feed"]'));
  const goal =
    section instanceof HTMLElement && section.role === 'feed'
      ? section
      : (section?.querySelector<HTMLElement>('h1, h2, h3') ?? document.getElementById('main'));
  if (!goal) return;
  if (goal.tabIndex < 0) goal.tabIndex = -1;
  goal.focus({ preventScroll: true });
}

const Palette = lazy(
  async () => (await import('./palette.tsx')).Palette,
  () => null,
);

/** Whether a key writes a character. */
const isCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  [...key].length === 1 && !ctrlKey && !metaKey && !altKey;

/**
 * The button that opens the palette. Ctrl+K and ⌘K open it too, unless a modal dialog is open. Characters that are
 * typed while the code of the palette is loading are inserted into its field.
 */
function PaletteOpener() {
  const isOpen = useSignal(false);
  const typed = useSignal('');
  const open = (): void => {
    typed.value = '';
    isOpen.value = true;
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (document.querySelector('dialog:modal')) return;
      if (isOpen.value && isCharacter(event)) {
        event.preventDefault();
        typed.value += event.key;
        return;
      }
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      if (!isOpen.value) open();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button type="button" class="quiet" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        Find… <kbd>Ctrl K</kbd>
      </button>
      {isOpen.value && <Palette typed={typed} onClose={setting(isOpen, false)} />}
    </>
  );
}

const LastStop = lazy(async () => (await import('./last-stop.tsx')).LastStop);
const StopDialog = lazy(async () => (await import('./stop-dialog.tsx')).StopDialog);

/**
 * The button that pauses all active sessions (*Stop all*). After a *Stop all*, a button that resumes these sessions and
 * a button that leaves them paused are shown too. *Stop all* is not shown while no session runs.
 */
function StopAll() {
  const { open, absent } = inbox.value;
  const isRunningInInbox = [...open, ...absent].some(({ status }) => status === 'ACTIVE');
  const isIdle = isComplete.value && !sessions.value?.some(({ status }) => status === 'ACTIVE');
  return (
    <>
      {lastStop.value && <LastStop stop={lastStop.value} />}
      {!isRunningInInbox && <ReadSessions />}
      <DialogButton class="danger" label="Stop all…" isOffered={isRunningInInbox || !isIdle}>
        {(onClose) => <StopDialog onClose={onClose} />}
      </DialogButton>
    </>
  );
}

/** Keeps the list of sessions up to date. It shows whether a session runs if the inbox has no running session. */
function ReadSessions() {
  useSessions();
  return null;
}

/** The logo and the name, which lead to the inbox. */
const Brand = () => (
  <Link class="brand" to={toInbox()}>
    <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="24" height="24" />
    Parley
  </Link>
);

/** The bar above every page: links to other pages, the palette, *Stop all*, the theme, the person and *Sign out*. */
function TopBar() {
  const count = waitingCount.value;
  const { page } = route.value;
  const { value: signedIn } = useCall('whoAmI', {}, 0);
  useEffect(() => {
    me.value = signedIn;
  }, [signedIn]);
  return (
    <header class="top-bar">
      <Brand />
      <nav class="row places" aria-label="Places">
        <Link class={count > 0 ? 'waiting-count some' : 'waiting-count'} to={toInbox()} current={page === 'inbox'}>
          {waiting.value === null ? 'Inbox' : inboxLabel(count, inbox.value)}
        </Link>
        <Link to={toTable()} current={page === 'sessions'}>
          Sessions
        </Link>
        <Link to={toAudit()} current={page === 'audit'}>
          Audit
        </Link>
      </nav>
      <span class="spring" />
      <PaletteOpener />
      <StopAll />
      <button type="button" class="quiet" onClick={nextTheme}>
        Theme: {theme.value}
      </button>
      {signedIn && (
        <Link to={toPeople()} current={page === 'people'}>
          {visibleLine(signedIn.name)} ({signedIn.role}){signedIn.account && `, ${visibleLine(signedIn.account.name)}`}
        </Link>
      )}
      <button type="button" class="quiet" onClick={() => void signOut()}>
        Sign out
      </button>
    </header>
  );
}

/** The code of a page is loaded when the page is shown for the first time. */
const PAGES = {
  inbox: lazy(async () => (await import('./pages/inbox-page.tsx')).InboxPage),
  sessions: lazy(async () => (await import('./pages/sessions-page.tsx')).SessionsPage),
  new: lazy(async () => (await import('./pages/new-session.tsx')).NewSession),
  people: lazy(async () => (await import('./pages/people-page.tsx')).PeoplePage),
  audit: lazy(async () => (await import('./pages/audit-page.tsx')).AuditPage),
  find: lazy(async () => (await import('./pages/find-page.tsx')).FindPage),
  group: lazy(async () => (await import('./pages/sessions-page.tsx')).GroupPage),
  'not found': Nowhere,
};
const SignIn = lazy(async () => (await import('./pages/sign-in.tsx')).SignIn);
const SignInAgain = lazy(async () => (await import('./pages/sign-in.tsx')).SignInAgain);

export function App() {
  useEffect(followInbox, []);
  const hasOpened = useRef(false);
  const signedIn = isSignedIn.value;
  if (signedIn) hasOpened.current = true;
  else if (!hasSignedIn()) hasOpened.current = false;
  const onDone = (): void => void readInbox();
  // The page of a session is shown before the sign-in is checked. If the sign-in has ended, the reads of the page are
  // refused.
  const isTrying = signedIn === null && hasSignedIn() && route.value.page === 'session';
  if (!hasOpened.current && signedIn === null && !isTrying) return <BeforeSignIn />;
  if (!hasOpened.current && !isTrying) return <SignIn onDone={onDone} />;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <TopBar />
      <Limited />
      <Main />
      <Notice />
      {signedIn === false && <SignInAgain onDone={onDone} />}
    </>
  );
}

/** Says that the server refuses more requests of this person in this minute, and when the page reads again. */
const Limited = () => (
  <p class="muted" role="status">
    {limitedUntil.value > 0 &&
      `Too many requests of yours in this minute. This page reads again at ${new Date(limitedUntil.value).toLocaleTimeString()}.`}
  </p>
);

/** Shown until the sign-in is checked. If the check fails, shows the error. */
function BeforeSignIn() {
  return (
    <>
      <header class="top-bar">
        <Brand />
      </header>
      <Limited />
      <main>
        <UnreadPage title="Parley could not be loaded" error={inboxError.value} onRetry={readInbox} />
      </main>
    </>
  );
}

/**
 * The current page. When another page replaces it, the focus moves to the new page, for users of keyboards and screen
 * readers.
 */
function Main() {
  const here = route.value;
  const page = here.page === 'session' ? here.sessionId : here.page;
  const place = useRef<HTMLElement>(null);
  const last = useRef(page);
  useEffect(() => {
    if (last.current !== page) place.current?.focus({ preventScroll: true });
    last.current = page;
  }, [page]);
  useEffect(() => (place.current ? keepFocus(place.current) : undefined), []);
  return (
    <main id="main" tabIndex={-1} ref={place}>
      {!hasRole('operator') && (
        <p class="muted">You are signed in as a viewer: you can read everything, and the service refuses changes.</p>
      )}
      <Page />
    </main>
  );
}

function Page() {
  const here = route.value;
  if (here.page === 'session')
    return <SessionPage key={here.sessionId} sessionId={here.sessionId} tab={here.tab} record={here.opened} />;
  const Shown = PAGES[here.page];
  return <Shown />;
}
