import { useSignal } from '@preact/signals';
import { shellWord } from '../../../../src/text/shell-word.ts';
import { addressToPassOn, agentPrompt } from '../../../../src/text/tell-agent.ts';
import { readProgram } from '../../api/client.ts';
import type { Invitation, SessionView } from '../../api/types.ts';
import { Dialog } from '../../ui/controls/dialog.tsx';
import { Choice } from '../../ui/controls/field.tsx';
import { useCall, useRead } from '../../ui/requests/use-read.ts';
import { Copyable } from '../../ui/text/copyable.tsx';
import { roleName, When } from '../../ui/text/shown.tsx';

const CLIENTS = [
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex CLI'],
  ['cursor', 'Cursor'],
  ['vscode', 'VS Code'],
  ['curl', 'curl'],
] as const;

interface InvitationDialogProps {
  readonly sessionId: string;
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

/**
 * Shows an invitation code, and the command that redeems it. No later answer of the service contains the code, so only the
 * page that made it can open this dialog again, and the dialog closes only when the owner says that the code is passed
 * on, or confirms.
 */
export function InvitationDialog({ sessionId, invitation, onClose }: InvitationDialogProps) {
  const chosen = useSignal<string | null>(null);
  const isLeaving = useSignal(false);
  const { code, role, expires_at, base_url } = invitation;
  const { value: view } = useCall('view', { session_id: sessionId }, 0);
  const client = chosen.value ?? clientOf(view, role) ?? 'claude-code';
  const server = addressToPassOn(base_url, location.origin);
  const { value: program } = useRead('program', readProgram, 0);
  // Until the server has answered with the path of `parley.js`, the command contains the path of this file in a clone
  // of the repository. `npx parley` is not used: it could run another package of this name from the npm registry.
  const parley = `node ${shellWord(program?.path ?? 'packages/owner-app/bin/parley.js')}`;
  const connect = `${parley} connect --for ${client} --url ${server}`;
  const prompt = agentPrompt({ code, role, url: server });
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
        <Copyable label="Paste this text to the agent. The agent needs nothing else." text={prompt} />
        <Choice
          label="Or connect the client yourself"
          value={client}
          options={CLIENTS}
          onChange={(value) => {
            chosen.value = value;
          }}
        />
        <Copyable label="Run this in the agent's repository" text={connect} />
        <p class="muted">
          The command asks for the code. It contains the path of Parley on the machine of this service, so it works in
          every folder of that machine. On another machine, replace this path with the path of a Parley clone there.
        </p>
        <p class="muted">
          The token that the agent gets ends after 24 hours. To renew it, invite the agent again and connect again.
          Nothing of the session is lost.
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

/** The client with which the agent has joined. Undefined if the agent has not joined, or with an unknown client. */
function clientOf(view: SessionView | null, invited: string): string | undefined {
  const joinedWith = view?.access.find(({ role }) => role === invited)?.token?.client_type;
  return CLIENTS.find(([client]) => client === joinedWith)?.[0];
}
