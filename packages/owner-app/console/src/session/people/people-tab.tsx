import '../../styles/people.css';
import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/answers.ts';
import { call } from '../../api/client.ts';
import { notePlace } from '../../api/drafts.ts';
import { announce } from '../../state/announced.ts';
import type { LiveSession, SessionProps } from '../../state/live-session.ts';
import { Card } from '../../ui/card.tsx';
import { goToElement, useFragment } from '../../ui/controls/browser.ts';
import { ConfirmButton, WriteButton } from '../../ui/controls/buttons.tsx';
import { Tick } from '../../ui/controls/form.tsx';
import { Failure, useAction } from '../../ui/requests.tsx';
import { LeftDraft } from '../../ui/text/copyable.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Badge, clock, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { PresenceText } from '../agents.tsx';
import { RespondForm } from '../answer-forms.tsx';
import { FindingWords } from '../held-finding.tsx';
import { OperationButton } from '../operation-dialog.tsx';
import { RecordText } from '../record-text.tsx';
import { InviteButton } from './invite-button.tsx';
import { MergeGate } from './merge-gate.tsx';

/** Lists the owner's next steps: invite each agent, and start the session. Rendered only while the session is DRAFT. */
export function NextSteps({ view }: { readonly view: SessionView }) {
  if (view.state.status !== 'DRAFT') return null;
  return (
    <Card head="next-head" title="Next steps">
      <ol class="bullets next-steps">
        {view.access.map(({ role, token, invitation }) => (
          <li key={role}>
            {role === 'moderator'
              ? 'If you want a third agent that observes the session and can stop an approval, invite the '
              : 'Invite '}
            {roleName(role)}{' '}
            <Badge tone={token ? 'good' : 'plain'}>{token ? 'joined' : invitation ? 'invited' : 'not invited'}</Badge>
          </li>
        ))}
        <li>
          Start the session with the button above. Agents can join later, but no agent can write before the start.
        </li>
      </ol>
    </Card>
  );
}

type Access = SessionView['access'][number];

/** The token and the open invitation of each role. */
export function AccessPanel({ live, view }: SessionProps) {
  useFragment(true, /^access-head$/, goToElement);
  const isEnded = view.state.status === 'ENDED';
  return (
    <Card head="access-head" title="Access">
      <p class="muted">
        {isEnded
          ? 'The session has ended: no agent can write. An agent can read the session until its token expires or you revoke its access.'
          : 'An invitation is a code that works once. The agent exchanges it for a token that lasts 24 hours. To renew the token, invite the agent again. Nothing of the session is lost. When the agent joins with the new code, its earlier token becomes invalid.'}
      </p>
      <ul class="access quotes">
        {view.access.map((access) => (
          <RoleAccess key={access.role} live={live} view={view} access={access} isEnded={isEnded} />
        ))}
      </ul>
    </Card>
  );
}

interface RoleAccessProps extends SessionProps {
  readonly access: Access;
  readonly isEnded: boolean;
}

function RoleAccess({ live, access: { role, token, invitation }, view, isEnded }: RoleAccessProps) {
  const agent = view.agents.find((one) => one.role === role);
  const isAdmitted = role !== 'moderator' || view.moderator.entitled;
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

/** The moderator's holds: active holds, and ended holds with the way in which they ended. */
export function HoldsPanel({ live, view }: SessionProps) {
  if (view.holds.length === 0) return null;
  return (
    <Card head="holds-head" title="Holds">
      <ul class="access quotes">
        {view.holds.toReversed().map((hold) => (
          <HoldItem key={hold.hold_id} live={live} view={view} hold={hold} />
        ))}
      </ul>
    </Card>
  );
}

const ENDINGS = {
  MODERATOR: 'the moderator released the hold',
  OWNER: 'the owner released the hold',
  FINDING_CLOSED: 'the held finding was closed',
} as const;

interface HoldItemProps extends SessionProps {
  readonly hold: SessionView['holds'][number];
}

export function HoldItem({ live, view, hold }: HoldItemProps) {
  const { hold_id, finding_id, status, reason, opened_by, opened_at, released } = hold;
  return (
    <li>
      <p>
        <strong>{hold_id}</strong> on <IdLink id={finding_id} />{' '}
        <Badge tone={status === 'ACTIVE' ? 'bad' : 'plain'}>{status}</Badge> <Role of={opened_by} />{' '}
        <When at={opened_at} />
      </p>
      <SafeText in="p" text={reason} />
      {status === 'ACTIVE' && (
        <>
          <FindingWords sessionId={live.sessionId} version={live.version.value} findingId={finding_id} />
          <p class="muted">The hold stops the approval of the contract and every authorization.</p>
        </>
      )}
      {released && (
        <p class="muted">
          {ENDINGS[released.cause]} <When at={released.released_at} />
          {released.reason !== null && (
            <>
              {': '}
              <SafeText text={released.reason} />
            </>
          )}
        </p>
      )}
      <div class="buttons">
        <OperationButton
          label={`Release hold ${hold_id}`}
          needs="approver"
          isOffered={!released && view.state.status !== 'ENDED'}
          live={live}
          operation="releaseHold"
          payload={{ hold_id }}
          findingId={finding_id}
        />
      </div>
    </li>
  );
}

const PERMISSIONS = [
  ['ask', 'ask the builders questions'],
  ['find', 'raise findings'],
  ['hold', 'stop the approval and the authorizations with a hold'],
  ['review', 'review contract revisions'],
  ['recommend', 'give you recommendations'],
] as const;
type Permission = (typeof PERMISSIONS)[number][0];

/**
 * The moderator's permissions, the button that stops the moderator, and whether the owner allows moderators. Not shown
 * after the end of the session.
 */
export function ModeratorPanel({ live, view }: SessionProps) {
  const action = useAction();
  const { active, stopped, entitled, permissions, acked_cursor } = view.moderator;
  const hasGrant = view.access.some(
    ({ role, token, invitation }) => role === 'moderator' && ((token && !token.revoked) || invitation),
  );
  return (
    <Card
      class="card stack"
      head="moderator-head"
      title="Moderator"
      note={
        <Badge tone={active ? 'good' : stopped ? 'bad' : 'plain'}>
          {active ? 'active' : stopped ? 'stopped' : entitled ? 'not joined' : 'not allowed'}
        </Badge>
      }
    >
      <p class="muted">
        The moderator watches, asks and may stop the approval and the authorizations. It never writes the contract and
        never approves.
        {hasGrant &&
          (acked_cursor === 0 ? ' It has read no event yet.' : ` It has read the events up to #${acked_cursor}.`)}
      </p>
      {hasGrant && <Grants key={permissions.join()} live={live} permissions={permissions} />}
      <Failure error={action.error} />
      <div class="buttons">
        {stopped ? (
          <WriteButton
            class="primary"
            disabled={action.isBusy}
            onClick={() => void action.run(() => live.act('restoreModerator'))}
          >
            Restore the moderator
          </WriteButton>
        ) : (
          hasGrant && (
            <ConfirmButton
              label="Stop the moderator"
              question="Stop the moderator? It can neither read nor write until you restore it."
              isDangerous
              onConfirm={() => live.act('stopModerator')}
            />
          )
        )}
        <ConfirmButton
          key={String(entitled)}
          label={entitled ? 'Forbid moderators' : 'Allow moderators'}
          question="The change applies to all your sessions, present and future."
          onConfirm={async () => {
            await call('setModeratorEntitlement', { entitled: !entitled });
            announce(entitled ? 'Moderators are forbidden in all your sessions.' : 'Moderators are allowed.');
          }}
        />
      </div>
    </Card>
  );
}

function Grants({ live, permissions }: { readonly live: LiveSession; readonly permissions: readonly Permission[] }) {
  const chosen = useSignal(permissions);
  const action = useAction();
  const isChanged =
    chosen.value.length !== permissions.length || chosen.value.some((name) => !permissions.includes(name));
  return (
    <fieldset class="grants">
      <legend>The moderator may</legend>
      {PERMISSIONS.map(([name, title]) => (
        <Tick
          key={name}
          value={chosen.value.includes(name)}
          onChange={(checked) => {
            chosen.value = checked ? [...chosen.value, name] : chosen.value.filter((other) => other !== name);
          }}
        >
          {title}
        </Tick>
      ))}
      <Failure error={action.error} />
      {isChanged && (
        <WriteButton
          class="primary"
          disabled={action.isBusy}
          onClick={() => void action.run(() => live.act('grantModerator', { permissions: [...chosen.value] }))}
        >
          Save the permissions
        </WriteButton>
      )}
    </fieldset>
  );
}

/** The moderator's recommendations to the owner. The builders do not see them. */
export function RecommendationsPanel({ live, view }: SessionProps) {
  if (view.recommendations.length === 0) return null;
  return (
    <Card head="recommendations-head" title="Recommendations">
      <p class="muted">
        The builders do not see these recommendations. Your answer tells the moderator what you think; it does nothing
        else.
      </p>
      <ul class="access quotes">
        {view.recommendations.toReversed().map((recommendation) => (
          <RecommendationItem
            key={recommendation.recommendation_id}
            live={live}
            view={view}
            recommendation={recommendation}
          />
        ))}
      </ul>
    </Card>
  );
}

interface RecommendationItemProps extends SessionProps {
  readonly recommendation: SessionView['recommendations'][number];
}

/** A recommendation with the owner's answer, or with the fields for the answer if the owner has not answered yet. */
export function RecommendationItem({ live, view, recommendation }: RecommendationItemProps) {
  const { recommendation_id, recommendation: advice, text, targets, made_at, answer } = recommendation;
  const place = notePlace(view.session_id, recommendation_id);
  return (
    <li>
      <p>
        <strong>{recommendation_id}</strong> <Badge tone="live">{advice}</Badge>{' '}
        <span class="muted">about {targets.map(roleName).join(' and ')}</span> <When at={made_at} />
      </p>
      <RecordText view={view} type="recommendation" id={recommendation_id} record={{ text }} />
      {answer ? (
        <>
          <p class="muted">
            The owner answered {answer.decision}
            {answer.note && (
              <>
                : “<SafeText text={answer.note} />”
              </>
            )}
          </p>
          <LeftDraft place={place}>
            The recommendation was answered meanwhile, in another tab, on the command line or by another person.
          </LeftDraft>
        </>
      ) : (
        <RespondForm place={place} act={(operation, input) => live.act(operation, input)} />
      )}
    </li>
  );
}

/** The tab about the participants: invitations, tokens, and the moderator's permissions. */
export function PeopleTab({ live }: { readonly live: LiveSession }) {
  const view = live.view.value;
  if (!view) return null;
  return (
    <div class="stack people-tab">
      <NextSteps view={view} />
      <AccessPanel live={live} view={view} />
      {view.state.status !== 'ENDED' && <ModeratorPanel live={live} view={view} />}
      <HoldsPanel live={live} view={view} />
      <RecommendationsPanel live={live} view={view} />
      <MergeGate live={live} />
    </div>
  );
}
