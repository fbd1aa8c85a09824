import { useEffect, useRef } from 'preact/hooks';
import { hasSignedIn, isSignedIn, limitedUntil } from './api/client.ts';
import { Nowhere } from './pages/not-found.tsx';
import { SessionPage } from './pages/session-page.tsx';
import { followInbox, inboxError, readInbox } from './state/inbox.ts';
import { keepFocus } from './state/keep-focus.ts';
import { hasRole } from './state/me.ts';
import { route } from './state/route.ts';
import { Brand, TopBar } from './top-bar.tsx';
import { Notice } from './ui/controls/notice.tsx';
import { FailedPage } from './ui/requests/failure.tsx';
import { lazy } from './ui/requests/lazy.tsx';

/** The code of a page is loaded when the page is shown for the first time. */
const InboxPage = lazy(async () => (await import('./pages/inbox-page.tsx')).InboxPage);
const SessionsPage = lazy(async () => (await import('./pages/sessions-page.tsx')).SessionsPage);
const PeoplePage = lazy(async () => (await import('./pages/people-page.tsx')).PeoplePage);
const AuditPage = lazy(async () => (await import('./pages/audit-page.tsx')).AuditPage);
const FindPage = lazy(async () => (await import('./pages/find-page.tsx')).FindPage);
const GroupPage = lazy(async () => (await import('./pages/group-page.tsx')).GroupPage);
const SignIn = lazy(async () => (await import('./pages/sign-in.tsx')).SignIn);
const SignInAgain = lazy(async () => (await import('./pages/sign-in.tsx')).SignInAgain);
const NewSession = lazy(async () => (await import('./pages/new-session.tsx')).NewSession);

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
  const error = inboxError.value;
  return (
    <>
      <header class="top-bar">
        <Brand />
      </header>
      <Limited />
      <main>
        {error ? (
          <FailedPage title="Parley could not be loaded" error={error} onRetry={readInbox} />
        ) : (
          <p class="waiting">Loading…</p>
        )}
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
  switch (here.page) {
    case 'inbox':
      return <InboxPage />;
    case 'sessions':
      return <SessionsPage />;
    case 'new':
      return <NewSession />;
    case 'audit':
      return <AuditPage />;
    case 'find':
      return <FindPage />;
    case 'group':
      return <GroupPage />;
    case 'people':
      return <PeoplePage />;
    case 'session':
      return <SessionPage key={here.sessionId} sessionId={here.sessionId} tab={here.tab} record={here.opened} />;
    default:
      return <Nowhere />;
  }
}
