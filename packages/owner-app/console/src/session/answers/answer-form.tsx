import { useEffect, useRef } from 'preact/hooks';
import { type DraftPlace, sendDraft, textDraft } from '../../api/drafts.ts';
import type { Act } from '../../state/live-session.ts';
import { bound, Field } from '../../ui/controls/field.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { Failure } from '../../ui/requests/failure.tsx';
import { useAction } from '../../ui/requests/use-action.ts';

interface AnswerFormProps {
  /** The place of the draft answer. Its member `record` is the id of the question. */
  readonly place: DraftPlace;
  /** Whether the field has the focus at first. */
  readonly isFocused?: boolean;
  /** Calls an operation of the session. */
  readonly act: Act;
}

/** The form for the owner's answer to an agent's question. Shown with the owner's task and in the list of questions. */
export function AnswerForm({ place, isFocused = false, act }: AnswerFormProps) {
  const text = textDraft(place);
  const action = useAction();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isFocused) form.current?.querySelector('textarea')?.focus();
  }, [isFocused]);
  const answer = () => act('answerQuestion', { question_id: place.record, text: text.value });
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(() => sendDraft(place, answer));
      }}
    >
      <Field
        label={`Your answer to ${place.record}`}
        hint="Both agents can read your answer. You cannot change it later."
        rows={3}
        required
        {...bound(text)}
      />
      <Failure error={action.error} />
      <WriteButton type="submit" class="primary" disabled={action.isBusy || text.value.trim() === ''}>
        Answer
      </WriteButton>
    </form>
  );
}
