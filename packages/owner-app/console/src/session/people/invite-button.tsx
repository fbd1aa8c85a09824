import { effect, signal, useSignal } from '@preact/signals';
import { inviteAgainQuestion } from '../../../../src/text/agent.ts';
import { isSignedIn } from '../../api/client.ts';
import type { Invitation } from '../../api/types.ts';
import { me } from '../../state/me.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { dayAndTime } from '../../ui/text/shown.tsx';
import { InvitationDialog } from './invitation-dialog.tsx';

interface Made {
  readonly invitation: Invitation;
  readonly sessionId: string;
  /** The id of the person who made the code. */
  readonly by: string | undefined;
}

/**
 * The latest invitation of each role that this page has made. The server keeps only the hash of a code, so no other page can show the
 * code. A reload or a sign-out forgets them.
 */
const made = signal<readonly Made[]>([]);

effect(() => {
  if (isSignedIn.value === false) made.value = [];
});

interface InviteButtonProps {
  readonly sessionId: string;
  readonly role: string;
  /** The name of the agent, as questions contain it. */
  readonly name: string;
  /** Whether the labels of the buttons contain the name. */
  readonly isNamed?: boolean;
  /** Whether the agent has had a code or a token before. */
  readonly wasInvited?: boolean;
  /** Time until which the agent's unused code is valid, as ISO 8601. Undefined if the agent has no valid code. */
  readonly codeUntil: string | undefined;
  /** Whether the agent has a valid token. */
  readonly hasToken: boolean;
  /** Whether the button is the main button of its place. */
  readonly isPrimary: boolean;
  readonly invite: () => Promise<Invitation>;
}

/**
 * Invites an agent. If this page has made the agent's unused code, first offers to show that code again. A new code ends the
 * unused one, so the button then asks for confirmation.
 */
export function InviteButton(props: InviteButtonProps) {
  const { sessionId, role, name, isNamed = false, wasInvited = false, codeUntil, hasToken, isPrimary, invite } = props;
  const shown = useSignal<Invitation | null>(null);
  const kept = made.value.find(
    (one) =>
      one.sessionId === sessionId &&
      one.by === me.value?.id &&
      one.invitation.role === role &&
      one.invitation.expires_at === codeUntil,
  );
  const question = inviteAgainQuestion(name, {
    codeUntil: codeUntil && dayAndTime(codeUntil),
    isShownHere: kept !== undefined,
    hasToken,
  });
  const isAgain = wasInvited || question !== null;
  const named = isNamed ? ` ${name}` : '';
  return (
    <>
      {kept && (
        <WriteButton
          needs="operator"
          class={isPrimary ? 'primary' : undefined}
          onClick={() => {
            shown.value = kept.invitation;
          }}
        >
          {isNamed ? `Show the code for ${name} again` : 'Show the code again'}
        </WriteButton>
      )}
      <ConfirmButton
        label={`Invite${named}${isAgain ? ' again' : ''}${question === null ? '' : '…'}`}
        question={question}
        yes={`Yes, invite${isNamed ? named : ' it'} again`}
        isPrimary={isPrimary && !isAgain}
        onConfirm={async () => {
          const invitation = await invite();
          const others = made.peek().filter((one) => one.sessionId !== sessionId || one.invitation.role !== role);
          made.value = [...others, { invitation, sessionId, by: me.peek()?.id }];
          shown.value = invitation;
        }}
      />
      {shown.value && (
        <InvitationDialog
          invitation={shown.value}
          onClose={() => {
            shown.value = null;
          }}
        />
      )}
    </>
  );
}
