import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Invitation } from '../../api/types.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Choice } from '../../ui/field.tsx';
import { roleName, When } from '../../ui/shown.tsx';

const CLIENTS = [
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex CLI'],
  ['cursor', 'Cursor'],
  ['vscode', 'VS Code'],
  ['curl', 'curl'],
] as const;

interface InvitationDialogProps {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

/** Shows an invitation code, which no later answer contains, and the command with which a client redeems it. */
export function InvitationDialog({ invitation, onClose }: InvitationDialogProps) {
  const client = useSignal<string>('claude-code');
  const { code, role, expires_at } = invitation;
  const server = location.origin;
  const connect = `parley connect ${code} --for ${client.value} --url ${server}`;
  const redeem = `curl -s ${server}/api/public/agent/invitations/redeem -H 'Content-Type: application/json' -d '{"code":"${code}"}'`;
  return (
    <Dialog title={`Invitation for ${roleName(role)}`} onClose={onClose}>
      <div class="stack">
        <p>
          This code is shown once. It works once, until <When at={expires_at} />. Give it to {roleName(role)} alone.
        </p>
        <Copyable label="Code" text={code} />
        <Choice
          label="Connect"
          value={client.value}
          options={CLIENTS}
          onChange={(value) => {
            client.value = value;
          }}
        />
        <Copyable label="In the agent's repository" text={connect} />
        <Copyable label="Or by hand" text={redeem} />
        <p class="muted">
          The token that comes back ends after 24 hours. To renew it, invite again and connect again; transcript,
          decisions and contract are kept.
        </p>
        <div class="buttons">
          <button type="button" class="primary" onClick={onClose}>
            I have passed it on
          </button>
        </div>
      </div>
    </Dialog>
  );
}

const COPYING = { untouched: 'Copy', copied: 'Copied', marked: 'Press Ctrl+C' } as const;

function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  const state = useSignal<keyof typeof COPYING>('untouched');
  const place = useRef<HTMLElement>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      state.value = 'copied';
    } catch {
      // There is no clipboard on a plain http page, except on localhost. So the text is only selected.
      if (place.current) getSelection()?.selectAllChildren(place.current);
      state.value = 'marked';
    }
  };
  return (
    <div class="copyable">
      <span class="label">{label}</span>
      <code ref={place}>{text}</code>
      <button type="button" onClick={() => void copy()} aria-label={`Copy: ${label}`}>
        {COPYING[state.value]}
      </button>
    </div>
  );
}
