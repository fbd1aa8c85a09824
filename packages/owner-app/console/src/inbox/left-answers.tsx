import { leftPlacesOf } from '../api/drafts.ts';
import { isInboxComplete, waiting } from '../state/inbox.ts';
import { isComplete, sessions, useSessions } from '../state/overview.ts';
import { toSession } from '../state/route.ts';
import { LeftDraft } from '../ui/controls/left-draft.tsx';
import { Link } from '../ui/text/link.tsx';
import { SafeText } from '../ui/text/shown.tsx';

/** Lists answers that the owner has typed but not sent, to questions that no longer wait for an answer. */
export function LeftAnswers() {
  if (!isInboxComplete.value) return null;
  const open = new Set(
    (waiting.value ?? []).flatMap(({ session_id, waits }) => waits.map(({ record }) => `${session_id} ${record.id}`)),
  );
  const left = leftPlacesOf('answer').filter(({ sessionId, record }) => !open.has(`${sessionId} ${record}`));
  return left.length === 0 ? null : <Left places={left} />;
}

function Left({ places }: { readonly places: ReturnType<typeof leftPlacesOf> }) {
  useSessions();
  if (!isComplete.value) return null;
  const titles = new Map((sessions.value ?? []).map(({ session_id, title }) => [session_id, title]));
  const left = places.map((place) => ({ place, title: titles.get(place.sessionId) ?? 'an erased session' }));
  return (
    <>
      {left.map(({ place, title }) => (
        <LeftDraft key={`${place.sessionId} ${place.record}`} place={place}>
          <code>{place.record}</code> of{' '}
          <Link to={toSession(place.sessionId)}>
            <SafeText text={title} />
          </Link>{' '}
          was answered meanwhile, in another tab or on the command line, or its session has ended.
        </LeftDraft>
      ))}
    </>
  );
}
