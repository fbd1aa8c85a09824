import { isAbsent, presenceText } from '../../../src/text/agent.ts';
import { countToSettle, foldedAbsences, whoseMove } from '../../../src/text/inbox.ts';
import type { Glance } from '../api/types.ts';
import { agentIn } from '../inbox/agents.ts';
import { clock } from '../state/clock.ts';
import { toSession } from '../state/route.ts';
import { Link } from '../ui/controls/link.tsx';
import { Ago } from '../ui/text/ago.tsx';
import { Badge, SafeText } from '../ui/text/shown.tsx';
import { statusTone } from '../ui/text/wording.ts';
import { sinceOf } from './filter.ts';

export function SessionRow({ session }: { readonly session: Glance }) {
  const { session_id, title, status, phase, updated_at, fault } = session;
  const count = countToSettle(session);
  const absent = foldedAbsences(session).length;
  return (
    <tr class="session-item">
      <th scope="row">
        <Link to={toSession(session_id)}>
          <SafeText text={title} />
        </Link>
      </th>
      <td data-label="Phase">
        <span class="phase">{phase}</span> {status !== 'ACTIVE' && <Badge tone={statusTone(status)}>{status}</Badge>}
      </td>
      <td data-label="Move">{fault?.text ?? <Movers session={session} />}</td>
      <td data-label="Since">{whoseMove(session).length > 0 && <Ago at={sinceOf(session)} />}</td>
      <td data-label="Last event">
        <Ago at={updated_at} />
      </td>
      <td data-label="Waits">
        {count > 0 && <Badge tone="warn">{`${count} for you`}</Badge>}
        {count === 0 && status === 'ACTIVE' && absent > 0 && (
          <Badge>{absent === 1 ? 'absent agent' : `${absent} absent agents`}</Badge>
        )}
      </td>
    </tr>
  );
}

/** Shows the roles that must act next. For an absent agent, also shows why it is absent. */
function Movers({ session }: { readonly session: Glance }) {
  const { agents, status } = session;
  const movers = whoseMove(session);
  if (movers.length === 0) return <>nobody</>;
  return (
    <>
      {movers.map((role, index) => {
        const agent = agents.find((one) => one.role === role);
        return (
          <span key={role} class="mover">
            {agentIn(session, role)}
            {status === 'ACTIVE' && agent && isAbsent(agent, clock.value) && (
              <span class="absent">{` ${presenceText(agent, clock.value)}`}</span>
            )}
            {index < movers.length - 1 && ', '}
          </span>
        );
      })}
    </>
  );
}
