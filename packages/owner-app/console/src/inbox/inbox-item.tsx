import type { Glance, OwnerWait } from '../api/types.ts';
import { Link } from '../ui/controls/link.tsx';
import { Ago } from '../ui/text/ago.tsx';
import { Badge, SafeText } from '../ui/text/shown.tsx';
import { WaitText } from '../ui/text/wait-text.tsx';
import { addressOf, taskOf } from '../ui/text/wording.ts';
import { agentIn } from './agents.ts';
import { InPlace } from './in-place.tsx';

/** Maximum number of characters of an agent's text in the inbox. */
const SAID_CHARS = 200;

interface InboxItemProps {
  readonly session: Glance;
  readonly wait: OwnerWait;
}

/** One task of the owner: its description, who asked, since when, the beginning of the agent's words, and buttons. */
export function InboxItem({ session, wait }: InboxItemProps) {
  const { blocking, text, said, from, since } = wait;
  const address = addressOf(session.session_id, wait);
  const nameOf = (role: string): string => agentIn(session, role);
  return (
    <li class="inbox-item">
      <p class="facts">
        <Badge tone={blocking ? 'warn' : 'plain'}>{blocking ? 'blocks' : 'for you'}</Badge>
        <Link class="task" to={address}>
          {taskOf(wait, nameOf)}
        </Link>
        {from && <span>{nameOf(from)}</span>}
        <Ago at={since} />
      </p>
      {said ? (
        <p class="inbox-said">
          <SafeText text={said.length > SAID_CHARS ? `${said.slice(0, SAID_CHARS)}…` : said} />
        </p>
      ) : (
        <p class="muted">
          <WaitText text={text} nameOf={nameOf} />
        </p>
      )}
      <InPlace session={session} wait={wait} address={address} />
    </li>
  );
}
