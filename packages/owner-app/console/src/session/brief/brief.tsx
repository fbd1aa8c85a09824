import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { BriefAnswer, SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { sendMarks } from '../../state/pending-marks.ts';
import { Failure } from '../../ui/requests/failure.tsx';
import { useCall } from '../../ui/requests/use-read.ts';
import { LeftOut } from '../../ui/text/left-out.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { SafeText } from '../../ui/text/shown.tsx';
import { ApprovalLine } from './approval-line.tsx';
import { BriefContract } from './brief-contract.tsx';
import { BriefModerator } from './brief-moderator.tsx';
import { BriefVerify } from './brief-verify.tsx';
import { type Stage, WHAT_FOLLOWS } from './what-follows.ts';
import '../../styles/brief.css';

interface BriefProps {
  readonly live: LiveSession;
  readonly view: SessionView;
  readonly stage: Stage;
}

/**
 * Shows what the owner must consider before an approval or an authorization: hash and commits, changes since the last
 * reading, open points, advice of the moderator, and consequences.
 */
export function Brief({ live, view, stage }: BriefProps) {
  const isCurrent = useSignal(false);
  useEffect(() => {
    // Sends the marks of sections that were read just now, because the brief names the unread sections.
    void sendMarks().then(() => {
      isCurrent.value = true;
    });
  }, [isCurrent]);
  const asked = isCurrent.value ? { session_id: live.sessionId, stage } : null;
  const { value: brief, error } = useCall('brief', asked, view.head.seq);
  if (!brief) return error ? <Failure error={error} /> : <p class="waiting">Loading…</p>;
  return (
    <div class="brief">
      <Missing brief={brief} />
      <ApprovalLine approvals={brief.approvals} />
      {/* For an approval, the hash is not shown here, because the dialog shows it beside the field in which the owner
          types it. */}
      {stage !== 'approval' && <Bytes brief={brief} />}
      <Gates brief={brief} />
      <BriefVerify brief={brief} />
      <BriefContract view={view} brief={brief} />
      <BriefModerator brief={brief} />
      <LeftOut of={brief.left_out} />
      <p>
        <strong>What happens then:</strong> {WHAT_FOLLOWS[stage]}
      </p>
    </div>
  );
}

function Missing({ brief: { missing } }: { readonly brief: BriefAnswer }) {
  if (missing.length === 0) return null;
  return (
    <section class="failure">
      <h3>This step is not possible yet</h3>
      <ul>
        {missing.map((reason) => (
          <li key={reason}>
            <SafeText text={reason} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Gates({ brief: { gates } }: { readonly brief: BriefAnswer }) {
  if (gates.length === 0) return null;
  return (
    <section>
      <h3>Gates of this stage</h3>
      <p class="muted">Parley does not check these conditions.</p>
      <ul>
        {gates.map(({ id, title, condition }) => (
          <li key={id}>
            <IdLink id={id} /> <SafeText text={`${title}: ${condition}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Bytes({ brief }: { readonly brief: BriefAnswer }) {
  const { revision_id, content_hash, manifest_id, manifest_sha256 } = brief;
  return (
    <dl class="facts-list">
      <dt>Contract</dt>
      <dd>
        {revision_id ?? 'none yet'}
        {content_hash && (
          <>
            , hash <code>{content_hash}</code>
          </>
        )}
      </dd>
      {manifest_sha256 && (
        <>
          <dt>Manifest {manifest_id}</dt>
          <dd>
            <code>{manifest_sha256}</code>
          </dd>
        </>
      )}
    </dl>
  );
}
