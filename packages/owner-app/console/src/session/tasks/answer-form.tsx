import { useEffect, useRef } from 'preact/hooks';
import { draftAt, keepDraft, sendDraft } from '../../api/drafts.ts';
import { Field } from '../../ui/controls/field.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { Failure } from '../../ui/requests/failure.tsx';
import { useAction } from '../../ui/requests/use-action.ts';

interface AnswerFormProps {
  readonly sessionId: string;
  readonly questionId: string;
  /** Calls an operation of the session. */
  readonly act: (operation: string, input: unknown) => Promise<unknown>;
}

/** The form for the answer to an agent's question. The field in the list of questions uses the same draft. */
export function AnswerForm({ sessionId, questionId, act }: AnswerFormProps) {
  const place = { sessionId, record: questionId, form: 'answer' };
  const text = draftAt(place);
  const action = useAction();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  const answer = () => act('answer-question', { question_id: questionId, text });
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void action.run(() => sendDraft(place, answer));
      }}
    >
      <Field
        label={`Your answer to ${questionId}`}
        hint="Both agents can read your answer. You cannot change it later."
        rows={3}
        required
        value={text}
        onInput={(value) => keepDraft(place, value)}
      />
      <Failure error={action.error} />
      <WriteButton type="submit" class="primary" disabled={action.isBusy || text.trim() === ''}>
        Send the answer
      </WriteButton>
    </form>
  );
}
