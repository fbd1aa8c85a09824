import { effect, signal, useSignal } from '@preact/signals';
import { inviteAgainQuestion } from '../../../../src/text/agent.ts';
import { addressToPassOn, INSTALLED, joinAddress, wordsToJoin } from '../../../../src/text/joining.ts';
import type { Invitation } from '../../api/answers.ts';
import { isSignedIn, me, readProgram } from '../../api/client.ts';
import { JoinWays } from '../../join/join-ways.tsx';
import { setting } from '../../state/setting.ts';
import { ConfirmButton, WriteButton } from '../../ui/controls/buttons.tsx';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { useRead } from '../../ui/requests.tsx';
import { Copyable } from '../../ui/text/copyable.tsx';
import { dayAndTime, roleName, When } from '../../ui/text/shown.tsx';

interface InvitationDialogProps {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

/**
 * Shows an invitation code, and how an agent joins with it. No later answer of the service contains the code, so only the
 * page that made it can open this dialog again, and the dialog closes only when the owner says that the code is passed
 * on, or confirms.
 */
export function InvitationDialog({ invitation, onClose }: InvitationDialogProps) {
  const isLeaving = useSignal(false);
  const { code, role, expires_at, base_url } = invitation;
  const url = addressToPassOn(base_url, location.origin);
  const { value: own } = useRead('program', readProgram, 0);
  const program = wordsToJoin(url, own?.words ?? INSTALLED);
  const invited = { code, role, url };
  return (
    <Dialog title={`Invitation for ${roleName(role)}`} onClose={onClose} onDismiss={setting(isLeaving, true)} isRead>
      <div class="stack">
        <p>
          This code works once, until <When at={expires_at} withDate />. Give it only to {roleName(role)}. Only this
          page can show it again, until you reload or close the page or sign out.
        </p>
        <p class="muted">
          An earlier code for {roleName(role)} that is not redeemed yet no longer works. If {roleName(role)} already has
          a token, this token works until {roleName(role)} redeems the new code.
        </p>
        <Copyable label="Code" text={code} />
        <Copyable
          label="Link to pass on. It opens a page with all that follows, without signing in."
          text={joinAddress(invited)}
        />
        <JoinWays invited={invited} program={program} />
        {program[0] === 'node' && (
          <p class="muted">
            The lines contain the path of Parley on the machine of this service, because its address is that of this
            machine alone.
          </p>
        )}
        <p class="muted">
          The token that the agent gets ends after 24 hours. To renew it, invite the agent again: it joins with the new
          code. Nothing of the session is lost.
        </p>
        <footer>
          {isLeaving.value && (
            <p role="alert">
              Only this page can show the code again, until you reload or close it. Have you passed it on?
            </p>
          )}
          <div class="buttons">
            <button type="button" class="primary" onClick={onClose}>
              I have passed the code on
            </button>
            {isLeaving.value && (
              <button type="button" onClick={onClose}>
                Close without the code
              </button>
            )}
          </div>
        </footer>
      </div>
    </Dialog>
  );
}

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
          onClick={setting(shown, kept.invitation)}
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
      {shown.value && <InvitationDialog invitation={shown.value} onClose={setting(shown, null)} />}
    </>
  );
}
