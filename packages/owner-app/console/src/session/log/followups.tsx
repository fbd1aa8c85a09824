import type { RecordsAnswer } from '../../api/answers.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Failure, LazyMarkdown, Pending, type RecordOf, useCall } from '../../ui/requests.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { actorName, Badge, roleName, When } from '../../ui/text/shown.tsx';

type Followup = RecordOf<'followup'>;

/** What agents and owner noted for later, and the deviations of the passes that stand. */
export function Followups({ live }: { readonly live: LiveSession }) {
  const { value, error } = useCall('records', { session_id: live.sessionId, type: 'followup' }, live.version.value);
  const records = followupsIn(value);
  return (
    <>
      <Failure error={error} />
      {!value && !error && <Pending />}
      {value && records.length === 0 && <p class="muted">Nobody has noted anything for later.</p>}
      <ul class="plain findings quotes">
        {records.map((followup) => (
          <FollowupItem key={followup.followup_id} followup={followup} />
        ))}
      </ul>
      {value?.left_out && <p class="muted">{`${value.left_out.count} more: use parley followups.`}</p>}
    </>
  );
}

/** A record has the form of its type. */
const followupsIn = (value: RecordsAnswer | null): readonly Followup[] =>
  (value?.records ?? []) as readonly unknown[] as readonly Followup[];

export function FollowupItem({ followup }: { readonly followup: Followup }) {
  const { followup_id, kind, side, by, noted_at, text } = followup;
  return (
    <li class="record">
      <p class="record-head">
        <b>
          <IdLink id={followup_id} />
        </b>
        <Badge tone={kind === 'fault' ? 'warn' : 'plain'}>{kind}</Badge>
        <span class="muted">
          {`for ${roleName(side)}, noted by ${actorName(by)} `}
          <When at={noted_at} />
        </span>
      </p>
      <LazyMarkdown text={text} />
    </li>
  );
}
