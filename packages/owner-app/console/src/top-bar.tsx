import { useEffect } from 'preact/hooks';
import { inboxLabel } from '../../src/text/stopped-sessions.ts';
import { visibleLine } from '../../src/text/visible.ts';
import { signOut } from './api/client.ts';
import { PaletteOpener } from './palette/opener.tsx';
import { inbox, waiting, waitingCount } from './state/inbox.ts';
import { me } from './state/me.ts';
import { route, toAudit, toInbox, toPeople, toTable } from './state/route.ts';
import { nextTheme, theme } from './state/theme.ts';
import { StopAll } from './stop-all.tsx';
import { useCall } from './ui/requests/use-read.ts';
import { Link } from './ui/text/link.tsx';

const THEME_NAMES = { auto: 'auto', light: 'light', dark: 'dark' } as const;

/** The logo and the name, which lead to the inbox. */
export const Brand = () => (
  <Link class="brand" to={toInbox()}>
    <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="24" height="24" />
    Parley
  </Link>
);

/** The bar above every page: links to other pages, the palette, *Stop all*, the theme, the person and *Sign out*. */
export function TopBar() {
  const count = waitingCount.value;
  const { page } = route.value;
  const { value: signedIn } = useCall('whoAmI', {}, 0);
  useEffect(() => {
    me.value = signedIn;
  }, [signedIn]);
  return (
    <header class="top-bar">
      <Brand />
      <nav class="places" aria-label="Places">
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
        Theme: {THEME_NAMES[theme.value]}
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
