import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/types.ts';
import { formDraft } from '../../state/form-draft.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { AssignDialog } from './assign.tsx';
import { ComposeDialog } from './compose.tsx';
import { EndDialog } from './end.tsx';
import { nameIn } from './names.ts';
import { RoundsDialog } from './rounds.tsx';
import { EMPTY_DRAFT, isBeforeFirstTurn, isOutOfRounds } from './rules.ts';

interface BarProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

type Open = 'say' | 'assign' | 'rounds' | 'pause' | 'end' | null;

/** The buttons for operations that the owner can call at any time. The task above the tabs resumes a paused session. */
export function InterventionsBar({ live, view }: BarProps) {
  const open = useSignal<Open>(null);
  const { status, round_limit } = view.state;
  if (status === 'ENDED') return null;
  const button = (value: Open, label: string, className?: string) => (
    <WriteButton
      class={className}
      onClick={() => {
        open.value = value;
      }}
    >
      {label}
    </WriteButton>
  );
  return (
    <section class="bar" aria-label="What you can do">
      {isOutOfRounds(view.state) && (
        <p class="short-of-rounds">{`All ${round_limit} rounds are used, so no agent can post a turn. To let them post more turns, add rounds.`}</p>
      )}
      <div class="buttons">
        {button('say', 'Ask or direct…')}
        {button('assign', 'Assign…')}
        {button('rounds', 'Add rounds…')}
        {isBeforeFirstTurn(view.state) && <OtherBegins live={live} view={view} />}
        {status === 'ACTIVE' && button('pause', 'Pause…')}
        {button('end', 'End…', 'danger')}
      </div>
      <OpenDialog
        live={live}
        view={view}
        open={open.value}
        onClose={() => {
          open.value = null;
        }}
      />
    </section>
  );
}

/** Lets the builder begin that does not have the first turn. */
function OtherBegins({ live, view }: BarProps) {
  const other = view.agents.find(({ role }) => role !== view.first_turn);
  if (!other) return null;
  const name = nameIn(view, other.role);
  return (
    <ConfirmButton
      label={`Let ${name} begin…`}
      question={`${nameIn(view, view.first_turn)} has the first turn and has not posted it. Let ${name} begin?`}
      yes={`Yes, let ${name} begin`}
      onConfirm={() => live.act('start', { first_turn: other.role })}
    />
  );
}

interface OpenDialogProps extends BarProps {
  readonly open: Open;
  readonly onClose: () => void;
}

function OpenDialog({ live, view, open, onClose }: OpenDialogProps) {
  const draft = formDraft({ sessionId: live.sessionId, record: 'session', form: 'say' }, EMPTY_DRAFT);
  switch (open) {
    case 'say':
      return <ComposeDialog live={live} view={view} draft={draft} onClose={onClose} />;
    case 'assign':
      return <AssignDialog live={live} view={view} onClose={onClose} />;
    case 'rounds':
      return <RoundsDialog live={live} view={view} onClose={onClose} />;
    case 'pause':
      return (
        <ReasonDialog
          sessionId={live.sessionId}
          title="Pause the session"
          explanation="Agents can still read, acknowledge and answer. Everything else waits until you resume. The agents can read the reason."
          confirm="Pause"
          onConfirm={(reason) => live.act('pause', { reason })}
          onClose={onClose}
        />
      );
    case 'end':
      return <EndDialog live={live} view={view} onClose={onClose} />;
    default:
      return null;
  }
}
