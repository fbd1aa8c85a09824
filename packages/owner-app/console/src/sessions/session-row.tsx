import { idleText, isAbsent, presenceText } from '../../../src/text/agent.ts';
import { countToSettle, foldedAbsences, moveSince } from '../../../src/text/inbox.ts';
import { nextSteps } from '../../../src/text/next-steps.ts';
import type { Glance } from '../api/types.ts';
import { agentIn } from '../inbox/agents.ts';
import { clock } from '../state/clock.ts';
import { toSession } from '../state/route.ts';
import { Link } from '../ui/controls/link.tsx';
import { Ago } from '../ui/text/ago.tsx';
import { Badge, SafeText } from '../ui/text/shown.tsx';
import { statusTone } from '../ui/text/wording.ts';

export function SessionRow({ session }: { readonly session: Glance }) {
  const { session_id, title, status, phase, updated_at, fault } = session;
  const count = countToSettle(session);
  const absent = foldedAbsences(session).length;
  const since = moveSince(session);
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
      <td data-label="Since">{since && <Ago at={since} />}</td>
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

/** Shows the roles that must act next, and what each of them must do. For an absent agent, also why it is absent. */
function Movers({ session }: { readonly session: Glance }) {
  const { agents, status } = session;
  const steps = nextSteps(session, (role) => agentIn(session, role), 1);
  if (steps.length === 0) return <>nobody</>;
  return (
    <ul class="movers">
      {steps.map(({ role, text }) => {
        const agent = agents.find((one) => one.role === role);
        return (
          <li key={role}>
            {agentIn(session, role)}
            {status === 'ACTIVE' && agent && (isAbsent(agent, clock.value) || idleText(agent, clock.value) !== '') && (
              <span class="absent">{` ${presenceText(agent, clock.value)}`}</span>
            )}
            {text !== '' && (
              <span class="step">
                <SafeText text={text} />
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
