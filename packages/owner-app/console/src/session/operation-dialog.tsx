import type { SessionInput } from '@parley/core/client';
import type { ComponentChildren, ComponentProps } from 'preact';
import { isPlaceholder } from '../../../src/text/inbox.ts';
import { draftAt, sendDraft, textDraft } from '../api/drafts.ts';
import type { LiveSession } from '../state/live-session.ts';
import { DialogButton } from '../ui/controls/buttons.tsx';
import { FormDialog } from '../ui/controls/dialog.tsx';
import { bound, Field } from '../ui/controls/form.tsx';
import { type Seen, useSeen } from '../ui/requests.tsx';
import { FindingWords } from './held-finding.tsx';
import type { DialogOperation } from './owner-buttons.ts';
import { OWNER_DIALOGS } from './owner-dialogs.ts';

interface ReasonDialogProps {
  /** The session to which the call and the typed reason belong. Left out for a call that is about all sessions. */
  readonly live?: LiveSession;
  readonly title: string;
  /** A sentence that describes what the call will do. */
  readonly explanation: string;
  /** What the call is about, shown below the explanation. */
  readonly about?: ComponentChildren;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  /** Whether the field for the reason has one line, so that Enter confirms. */
  readonly isOneLine?: boolean;
  /** The text that the agents read if the owner gives no reason. */
  readonly fallback?: string;
  /** Whether the owner must give a reason. Default: true if there is no `fallback`. */
  readonly isRequired?: boolean;
  /** @param seen the latest event that the page had shown when the dialog opened */
  readonly onConfirm: (reason: string, seen: Seen | undefined) => Promise<unknown>;
  readonly onClose: () => void;
}

/** A dialog that asks for a reason, which the agents can read. */
export function ReasonDialog({ live, explanation, about, fallback, onConfirm, ...dialog }: ReasonDialogProps) {
  const { title, isOneLine = false, isRequired = !fallback } = dialog;
  const place = { sessionId: live?.sessionId ?? 'all', record: title, form: 'reason' };
  const seen = useSeen(live);
  const reason = draftAt(place).trim();
  return (
    <FormDialog
      {...dialog}
      of={live?.view.value?.title}
      isFilled={!isRequired || reason !== ''}
      onSend={() => sendDraft(place, () => onConfirm(draftAt(place).trim() || fallback || '', seen))}
    >
      <p>{explanation}</p>
      {about}
      <Field
        label={isRequired ? 'Reason' : 'Reason (optional)'}
        hint={fallback && `If you give no reason, the agents read: ${fallback}`}
        rows={isOneLine ? 0 : 3}
        required={isRequired}
        {...bound(textDraft(place))}
      />
    </FormDialog>
  );
}

interface OperationDialogProps {
  readonly live: LiveSession;
  readonly operation: DialogOperation;
  /** The known members of the input. The dialog asks for the others. */
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
  /** The finding that the dialog shows, because the call is about a hold on the finding. */
  readonly findingId?: string | undefined;
  readonly onClose: () => void;
}

/** A dialog for an operation whose input is texts. Its words and its fields are those of the definition of the operation. */
export function OperationDialog({ live, operation, findingId, onClose, ...props }: OperationDialogProps) {
  const payload = Object.fromEntries(Object.entries(props.payload ?? {}).filter(([, value]) => !isPlaceholder(value)));
  const { explanation, confirm, fields, isGrounded, ...named } = OWNER_DIALOGS[operation];
  const title = named.title.replace(/\{(\w+)\}/g, (_, member: string) => String(payload[member]));
  const seen = useSeen(live);
  const asked = fields
    .filter(({ name }) => !(name in payload))
    .map((field) => ({ ...field, place: { sessionId: live.sessionId, record: title, form: field.name } }));
  const textsOf = () =>
    asked.flatMap(({ name, place }) => (draftAt(place).trim() === '' ? [] : [[name, draftAt(place).trim()] as const]));
  const act = () => {
    const input = { ...payload, ...Object.fromEntries(textsOf()), ...(isGrounded && seen) };
    return live.act(operation, input as SessionInput<DialogOperation>);
  };
  return (
    <FormDialog
      title={title}
      of={live.view.value?.title}
      confirm={confirm}
      isFilled={asked.every(({ isRequired, place }) => !isRequired || draftAt(place).trim() !== '')}
      onSend={asked.reduce(
        (send: () => Promise<unknown>, { place }) =>
          () =>
            sendDraft(place, send),
        act,
      )}
      onClose={onClose}
    >
      <p>{explanation}</p>
      {findingId && <FindingWords sessionId={live.sessionId} findingId={findingId} />}
      {asked.map(({ name, isRequired, rows, place }) => (
        <Field
          key={name}
          label={labelOf(name, isRequired)}
          rows={rows}
          required={isRequired}
          {...bound(textDraft(place))}
        />
      ))}
    </FormDialog>
  );
}

type OperationButtonProps = Omit<OperationDialogProps, 'onClose'> &
  Omit<ComponentProps<typeof DialogButton>, 'children'>;

/** A button that opens the dialog of an operation. */
export const OperationButton = ({ live, operation, payload, findingId, ...button }: OperationButtonProps) => (
  <DialogButton {...button}>
    {(onClose) => <OperationDialog {...{ live, operation, payload, findingId, onClose }} />}
  </DialogButton>
);

/** The name of a member as the label of its field: `New title (optional)`. */
function labelOf(name: string, isRequired: boolean): string {
  const words = name.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${isRequired ? '' : ' (optional)'}`;
}
