import type { SessionView } from '../../api/types.ts';
import { clock } from '../../state/clock.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { goToElement, useFragment } from '../../ui/controls/go-to-element.ts';
import { Badge, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { PresenceText } from '../presence.tsx';
import { InviteButton } from './invite-button.tsx';

type Access = SessionView['access'][number];

interface AccessPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

/** The token and the open invitation of each role. */
export function AccessPanel({ live, view }: AccessPanelProps) {
  useFragment(true, /^access-head$/, goToElement);
  const isEnded = view.state.status === 'ENDED';
  return (
    <section class="card" aria-labelledby="access-head">
      <h2 id="access-head">Access</h2>
      <p class="muted">
        {isEnded
          ? 'The session has ended: no agent can write. An agent can read the session until its token expires or you revoke its access.'
          : 'An invitation is a code that works once. The agent exchanges it for a token that lasts 24 hours. To renew the token, invite the agent again. Nothing of the session is lost. When the agent joins with the new code, its earlier token becomes invalid.'}
      </p>
      <ul class="access">
        {view.access.map((access) => (
          <RoleAccess
            key={access.role}
            live={live}
            access={access}
            agent={view.agents.find(({ role }) => role === access.role)}
            view={view}
            isEnded={isEnded}
            isAdmitted={access.role !== 'moderator' || view.moderator.entitled}
          />
        ))}
      </ul>
    </section>
  );
}

interface RoleAccessProps {
  readonly live: LiveSession;
  readonly access: Access;
  readonly agent: SessionView['agents'][number] | undefined;
  readonly view: SessionView;
  readonly isEnded: boolean;
  readonly isAdmitted: boolean;
}

function RoleAccess({ live, access, agent, view, isEnded, isAdmitted }: RoleAccessProps) {
  const { role, token, invitation } = access;
  const hasAccess = (token && !token.revoked) || invitation;
  const canCall = token !== null && !token.revoked && !isOver(token);
  return (
    <li>
      <p>
        <Role of={role} /> {agent && <SafeText text={`${agent.service} in ${agent.repository}`} />}
      </p>
      <TokenState token={token} />
      {agent && canCall && !isEnded && <PresenceText view={view} agent={{ ...agent, code_expires_at: null }} />}
      {invitation && (
        <p class="muted">
          Invitation code <code>{invitation.code_prefix}…</code>, valid until{' '}
          <When at={invitation.expires_at} withDate />. If you invite {roleName(role)} again, this code stops working.
        </p>
      )}
      <div class="buttons">
        {!isEnded && !isAdmitted && (
          <p class="muted">Moderators are not allowed. To invite a moderator, allow moderators below.</p>
        )}
        {!isEnded && isAdmitted && (
          <InviteButton
            sessionId={live.sessionId}
            role={role}
            name={roleName(role)}
            isNamed
            wasInvited={Boolean(hasAccess)}
            codeUntil={invitation && !isOver(invitation) ? invitation.expires_at : undefined}
            hasToken={canCall}
            isPrimary
            invite={() => live.act('invite', { role })}
          />
        )}
        {hasAccess && (
          <ConfirmButton
            label="Revoke…"
            question={`Revoke the access of ${roleName(role)}? Its token and its open invitation become invalid at once.`}
            yes={`Revoke the access of ${roleName(role)} now`}
            isDangerous
            onConfirm={() => live.act('revoke', { role })}
          />
        )}
      </div>
    </li>
  );
}

const isOver = ({ expires_at }: { readonly expires_at: string }): boolean => Date.parse(expires_at) <= clock.value;

function TokenState({ token }: { readonly token: Access['token'] }) {
  if (!token) return <p class="muted">Has not joined yet.</p>;
  const { token_prefix, client_type, issued_at, expires_at, revoked, scopes, permissions } = token;
  const rights = scopes.length > 0 ? `${scopes.length} scopes` : permissions.join(', ');
  return (
    <p class="facts">
      <Badge tone={revoked || isOver(token) ? 'bad' : 'good'}>
        {revoked ? 'revoked' : isOver(token) ? 'expired' : 'joined'}
      </Badge>
      <code>{token_prefix}…</code>
      {client_type && <SafeText text={client_type} />}
      <span>
        since <When at={issued_at} withDate />
      </span>
      {!revoked && (
        <span>
          until <When at={expires_at} withDate />
        </span>
      )}
      <span>{rights === '' ? 'may only read' : rights}</span>
    </p>
  );
}
