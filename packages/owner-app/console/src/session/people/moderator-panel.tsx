import { useSignal } from '@preact/signals';
import { call } from '../../api/client.ts';
import type { SessionView } from '../../api/types.ts';
import { announce } from '../../state/announced.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { Tick } from '../../ui/controls/field.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { Failure } from '../../ui/requests/failure.tsx';
import { useAction } from '../../ui/requests/use-action.ts';
import { Badge } from '../../ui/text/shown.tsx';

interface ModeratorPanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
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
export function ModeratorPanel({ live, view }: ModeratorPanelProps) {
  const action = useAction();
  const { active, stopped, entitled, permissions, acked_cursor } = view.moderator;
  const hasGrant = view.access.some(
    ({ role, token, invitation }) => role === 'moderator' && ((token && !token.revoked) || invitation),
  );
  return (
    <section class="card stack" aria-labelledby="moderator-head">
      <h2 id="moderator-head">
        Moderator{' '}
        <Badge tone={active ? 'good' : stopped ? 'bad' : 'plain'}>
          {active ? 'active' : stopped ? 'stopped' : entitled ? 'not joined' : 'not allowed'}
        </Badge>
      </h2>
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
    </section>
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
          checked={chosen.value.includes(name)}
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
