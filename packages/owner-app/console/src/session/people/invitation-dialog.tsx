import { useSignal } from '@preact/signals';
import { addressToPassOn, joinAddress } from '../../../../src/text/joining.ts';
import { INSTALLED, wordsToJoin } from '../../../../src/text/program-words.ts';
import { readProgram } from '../../api/client.ts';
import type { Invitation } from '../../api/types.ts';
import { JoinWays } from '../../join/join-ways.tsx';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { useRead } from '../../ui/requests/use-read.ts';
import { Copyable } from '../../ui/text/copyable.tsx';
import { roleName, When } from '../../ui/text/shown.tsx';

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
    <Dialog
      title={`Invitation for ${roleName(role)}`}
      onClose={onClose}
      onDismiss={() => {
        isLeaving.value = true;
      }}
      isRead
    >
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
