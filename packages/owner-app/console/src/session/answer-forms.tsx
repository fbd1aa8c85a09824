import { useEffect, useRef } from 'preact/hooks';
import { type DraftPlace, draftAt, sendDraft, textDraft } from '../api/drafts.ts';
import type { Act } from '../state/live-session.ts';
import { submitting } from '../state/setting.ts';
import { WriteButton } from '../ui/controls/buttons.tsx';
import { bound, Field } from '../ui/controls/form.tsx';
import { Failure, useAction } from '../ui/requests.tsx';

interface AnswerFormProps {
  /** The place of the draft. Its member `record` is the id of the question or recommendation. */
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
    <form ref={form} onSubmit={submitting(() => action.run(() => sendDraft(place, answer)))}>
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

/** Accepts or rejects a recommendation. Shown with the owner's task and in the list of recommendations. */
export function RespondForm({ place, act }: Pick<AnswerFormProps, 'place' | 'act'>) {
  const note = draftAt(place);
  const action = useAction();
  const respond = (decision: 'ACCEPT' | 'REJECT'): void => {
    const input = { recommendation_id: place.record, decision, ...(note.trim() === '' ? {} : { note }) };
    void action.run(() => sendDraft(place, () => act('respondRecommendation', input)));
  };
  return (
    <div class="stack">
      <Field
        label={`Note on ${place.record}`}
        hint="A note for the moderator (optional). Your answer only tells the moderator what you think. It changes nothing else."
        {...bound(textDraft(place))}
      />
      <Failure error={action.error} />
      <div class="buttons">
        <WriteButton class="primary" disabled={action.isBusy} onClick={() => respond('ACCEPT')}>
          Accept
        </WriteButton>
        <WriteButton disabled={action.isBusy} onClick={() => respond('REJECT')}>
          Reject
        </WriteButton>
      </div>
    </div>
  );
}
