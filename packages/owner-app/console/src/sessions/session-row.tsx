import { hindranceOf, IDLE_MEANING, presenceText } from '../../../src/text/agent.ts';
import { absentRoles, countToSettle, isHeldUp, lastWroteAt, moverTimes } from '../../../src/text/inbox.ts';
import { nextSteps, nobodyText, stepText } from '../../../src/text/next-steps.ts';
import { visibleLine } from '../../../src/text/visible.ts';
import type { Glance } from '../api/types.ts';
import { agentIn } from '../inbox/agents.ts';
import { clock } from '../state/clock.ts';
import { toSession } from '../state/route.ts';
import { Ago } from '../ui/text/ago.tsx';
import { Link } from '../ui/text/link.tsx';
import { Badge, SafeText } from '../ui/text/shown.tsx';
import { statusTone } from '../ui/text/wording.ts';

/** Maximum number of roles that a row names. */
const MAX_MOVERS = 2;

export function SessionRow({ session }: { readonly session: Glance }) {
  const { session_id, title, status, phase, fault } = session;
  const count = countToSettle(session);
  const absent = absentRoles(session).length;
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
      <td data-label="Since" class="since">
        <ul class="movers">
          {moverTimes(session)
            .slice(0, MAX_MOVERS)
            .map(({ role, since }) => (
              <li key={role}>{since === undefined ? '' : <Ago at={since} />}</li>
            ))}
        </ul>
      </td>
      <td data-label="Agents wrote">
        <Ago at={lastWroteAt(session)} />
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

/**
 * Shows the roles that must act next, each on at most two lines: the role, for an absent or idle agent a mark, and what
 * the role must do. The mark comes first, because the end of a long line is cut. The tooltip has the whole text.
 */
function Movers({ session }: { readonly session: Glance }) {
  const { agents, status } = session;
  const nameOf = (role: string): string => agentIn(session, role);
  const steps = nextSteps(session, nameOf, 1);
  if (steps.length === 0) return <>{nobodyText(status === 'ENDED' ? '' : status)}</>;
  const times = new Map(moverTimes(session).map(({ role, since }) => [role, since]));
  const reported = absentRoles(session);
  const more = steps.slice(MAX_MOVERS);
  return (
    <ul class="movers">
      {steps.slice(0, MAX_MOVERS).map(({ role, text }, index) => {
        const agent = agents.find((one) => one.role === role);
        const hindrance =
          status === 'ACTIVE' && agent ? hindranceOf(agent, clock.value, reported.includes(role)) : undefined;
        const presence = agent && hindrance ? presenceText(agent, clock.value) : '';
        const since = times.get(role);
        return (
          <li key={role} title={visibleLine([nameOf(role), presence, text].filter(Boolean).join(': '))}>
            {nameOf(role)}
            {hindrance && (
              <span
                class={isHeldUp(session, clock.value) ? 'absent' : 'muted'}
                title={hindrance === 'idle' ? IDLE_MEANING : undefined}
              >{` ${hindrance}`}</span>
            )}
            {since !== undefined && (
              <span class="narrow-since">
                {' '}
                <Ago at={since} />
              </span>
            )}
            {text !== '' && (
              <span class="step">
                {': '}
                <SafeText text={text} />
              </span>
            )}
            {index === MAX_MOVERS - 1 && more.length > 0 && <More steps={more} nameOf={nameOf} />}
          </li>
        );
      })}
    </ul>
  );
}

interface MoreProps {
  readonly steps: readonly { readonly role: string; readonly text: string }[];
  readonly nameOf: (role: string) => string;
}

/** The number of further roles that must act. The tooltip names them. */
const More = ({ steps, nameOf }: MoreProps) => (
  <span class="more" title={visibleLine(steps.map((step) => stepText(step, nameOf)).join('; '))}>
    {`+${steps.length} more`}
  </span>
);
