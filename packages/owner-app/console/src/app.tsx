import { useEffect, useRef } from 'preact/hooks';
import { isSignedIn, signOut } from './api/client.ts';
import { NewSession } from './pages/new-session.tsx';
import { Nowhere } from './pages/not-found.tsx';
import { SessionPage } from './pages/session-page.tsx';
import { SessionsPage } from './pages/sessions-page.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { followOverview, overviewError, readOverview, sessions, waiting } from './state/overview.ts';
import { route, toSessions } from './state/route.ts';
import { nextTheme, theme } from './state/theme.ts';
import { Failure } from './ui/failure.tsx';
import { Link } from './ui/link.tsx';

export function App() {
  useEffect(followOverview, []);
  if (isSignedIn.value === null)
    return overviewError.value ? <Failure error={overviewError.value} /> : <p class="waiting">Loading…</p>;
  if (!isSignedIn.value) return <SignIn onDone={() => void readOverview()} />;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <TopBar />
      <Main />
    </>
  );
}

/**
 * The page shown now. When another page replaces it, the focus moves to the new page, for users of keyboards and screen
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
  return (
    <main id="main" tabIndex={-1} ref={place}>
      <Page />
    </main>
  );
}

function Page() {
  const here = route.value;
  switch (here.page) {
    case 'sessions':
      return <SessionsPage />;
    case 'new':
      return <NewSession />;
    case 'session':
      return <SessionPage key={here.sessionId} sessionId={here.sessionId} tab={here.tab} />;
    default:
      return <Nowhere />;
  }
}

const THEME_NAMES = { auto: 'as the system', light: 'light', dark: 'dark' } as const;

function TopBar() {
  const count = waiting.value.length;
  return (
    <header class="top-bar">
      <Link class="brand" to={toSessions()}>
        <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="24" height="24" />
        Parley
      </Link>
      <Link class={count > 0 ? 'waiting-count some' : 'waiting-count'} to={toSessions()}>
        {sessions.value === null
          ? 'Sessions'
          : count === 0
            ? 'Nothing waits for you'
            : `${count} ${count === 1 ? 'waits' : 'wait'} for you`}
      </Link>
      <span class="spring" />
      <button type="button" class="quiet" onClick={nextTheme}>
        Theme: {THEME_NAMES[theme.value]}
      </button>
      <button type="button" class="quiet" onClick={() => void signOut()}>
        Sign out
      </button>
    </header>
  );
}
