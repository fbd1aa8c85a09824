import { type DraftPlace, draftAt, sendDraft, textDraft } from '../../api/drafts.ts';
import type { Act } from '../../state/live-session.ts';
import { bound, Field } from '../../ui/controls/field.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { Failure } from '../../ui/requests/failure.tsx';
import { useAction } from '../../ui/requests/use-action.ts';

interface RespondFormProps {
  /** The place of the draft note. Its member `record` is the id of the recommendation. */
  readonly place: DraftPlace;
  /** Calls an operation of the session. */
  readonly act: Act;
}

/** Accepts or rejects a recommendation. Shown with the owner's task and in the list of recommendations. */
export function RespondForm({ place, act }: RespondFormProps) {
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
