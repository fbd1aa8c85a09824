import '../../styles/contract.css';
import '../../styles/reading.css';
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { namedText } from '../../../../src/text/agent.ts';
import { recordPath } from '../../../../src/text/record-address.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { Blockers, Plan, SessionView } from '../../api/answers.ts';
import type { LiveSession, SessionProps } from '../../state/live-session.ts';
import { replaceAddress, route, showAs } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { goToElement, useFragment } from '../../ui/controls/browser.ts';
import { Pending, useCall } from '../../ui/requests.tsx';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge, Hash, Note, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { hasFewSteps } from '../brief/steps.ts';
import { OperationButton } from '../operation-dialog.tsx';
import { isEmptySection } from '../reading/contract-model.ts';
import { Outline, type OutlineEntry } from '../reading/outline.tsx';
import { useContract, useSections } from '../reading/revision-views.tsx';
import { useReadMarks } from '../reading/use-read-marks.ts';
import { Ids } from '../reading/values.tsx';
import { ApprovePanel } from './approve-panel.tsx';
import { FindingsPanel, isOpenFinding } from './findings-panel.tsx';
import { hasReadiness, ManifestPanel, ReadinessPanel } from './readiness-panel.tsx';
import { isWay, READER, RevisionReader, type Way } from './revision-reader.tsx';

/** Shows what the owner wanted decided and tested, and what of it is open. Without an agenda, shows nothing. */
export function AgendaPanel({ view: { agenda, agenda_open } }: { readonly view: SessionView }) {
  if (!agenda) return null;
  const { topics = [], scenarios = [] } = agenda_open ?? {};
  const open = topics.length + scenarios.length;
  return (
    <Card
      head="agenda-head"
      title="Agenda"
      note={<Badge tone={open > 0 ? 'warn' : 'good'}>{open > 0 ? `${open} open` : 'settled'}</Badge>}
    >
      <p class="muted">What you wanted decided and tested. It binds nobody.</p>
      <ul class="issues">
        {agenda.topics.map(({ topic, question }) => (
          <li key={topic}>
            <LinkedText in="b" text={topic} />{' '}
            {topics.includes(topic) ? <Badge tone="warn">not decided</Badge> : <Badge tone="good">decided</Badge>}
            <LinkedText in="p" class="muted" text={question} />
          </li>
        ))}
        {agenda.scenarios.map(({ id, title, given, when, then }) => (
          <li key={id}>
            <LinkedText in="b" text={`${id} ${title}`} />{' '}
            {scenarios.includes(id) ? (
              <Badge tone="warn">not in the contract</Badge>
            ) : (
              <Badge tone="good">in the contract</Badge>
            )}
            <LinkedText in="p" class="muted" text={`Given ${given}. When ${when}. Then ${then}`} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const TONES = { APPROVE: 'good', REQUEST_CHANGES: 'bad', COMMENT: 'plain' } as const;

/** The reviews. Each review is about exactly one revision, which is identified by its hash. */
export function ReviewsPanel({ live, view }: SessionProps) {
  const { reviews, moderator_reviews } = view;
  const valid = moderator_reviews.find(
    ({ outdated, verdict, override_reason }) => !outdated && verdict === 'REQUEST_CHANGES' && override_reason === null,
  );
  const canOverride = valid !== undefined && view.state.phase === 'CONTRACT';
  return (
    <Card head="reviews-head" title="Reviews">
      {reviews.length + moderator_reviews.length === 0 && <p class="muted">None yet.</p>}
      <ul class="reviews">
        {reviews.map((review) => (
          <Review key={review.by} review={review}>
            {review.caveats.length > 0 && (
              <ul class="bullets">
                {review.caveats.map((caveat) => (
                  <SafeText key={caveat} in="li" text={caveat} />
                ))}
              </ul>
            )}
          </Review>
        ))}
        {moderator_reviews.map((review) => (
          <Review key={review.revision_id} review={{ ...review, by: 'moderator' }}>
            <SafeText in="p" text={review.summary} />
            <ul class="bullets">
              {review.dimensions.map(({ name, score, note }) => (
                <li key={name}>
                  <SafeText text={name} />: {score} of 5 {note && <SafeText text={note} />}
                </li>
              ))}
            </ul>
            <Note label="Overridden by the owner:" text={review.override_reason} />
          </Review>
        ))}
      </ul>
      <OperationButton
        label="Override the moderator's review"
        needs="approver"
        isOffered={canOverride}
        live={live}
        operation="overrideReview"
        payload={{ role: 'moderator' }}
      />
    </Card>
  );
}

interface ReviewProps {
  readonly review: { readonly by: string } & Pick<
    SessionView['moderator_reviews'][number],
    'revision_id' | 'content_hash' | 'verdict' | 'outdated' | 'submitted_at'
  >;
  readonly children: ComponentChildren;
}

function Review({ review, children }: ReviewProps) {
  const { by, revision_id, content_hash, verdict, outdated, submitted_at } = review;
  return (
    <li class={outdated ? 'outdated quote' : undefined}>
      <p>
        <Role of={by} /> <Badge tone={TONES[verdict]}>{verdict}</Badge> {revision_id} <Hash value={content_hash} />{' '}
        {outdated && <Badge>outdated</Badge>} <When at={submitted_at} />
      </p>
      {children}
    </li>
  );
}

/**
 * Lists what blocks certification. Each blocker has the role that must act and, if this is the owner, what the owner can
 * do. The instructions for agents are left out, because they name tools that only agents call.
 */
export function BlockersPanel({ blockers: { blockers, left_out } }: { readonly blockers: Blockers }) {
  if (blockers.length === 0) return null;
  return (
    <Card head="blockers-head" title={`What blocks the approval (${blockers.length + (left_out?.count ?? 0)})`}>
      <ol class="blockers quotes">
        {blockers.map(({ code, record, responsible, message, resolution }) => (
          <li key={`${code} ${record.id} ${responsible} ${message}`}>
            <p>
              <Role of={responsible} isMine={responsible === 'owner'} />
            </p>
            <LinkedText in="p" text={namedText(message, roleName)} isOfService />
            {responsible === 'owner' && <LinkedText in="p" class="muted" text={resolution.text} isOfService />}
          </li>
        ))}
      </ol>
    </Card>
  );
}

type Preflight = NonNullable<SessionView['preflight']>;

/**
 * Shows whether the preflight exists and matches the contract. The contract's section of requirements shows the
 * mappings.
 */
export function PreflightPanel({ view }: { readonly view: SessionView }) {
  const { preflight, requirements } = view;
  const unmet = requirements.filter(
    ({ requirement_id }) => !preflight?.mappings.some((mapping) => mapping.requirement_id === requirement_id),
  );
  return (
    <Card head="preflight-head" title="Preflight" note={<PreflightState preflight={preflight} />}>
      {preflight ? (
        <p class="muted">
          Submitted on {preflight.revision_id}, <When at={preflight.submitted_at} />. It maps{' '}
          <a href="#section-requirements">
            {preflight.mappings.length} of {requirements.length} requirements
          </a>{' '}
          to the parts of the contract that meet them.
        </p>
      ) : (
        <p class="muted">
          There is no preflight yet. In the preflight, the Contract Author maps each requirement to the decisions,
          tasks, tests and gates that meet it.
        </p>
      )}
      {preflight && (unmet.length > 0 || preflight.faults.length > 0) && (
        <ul class="preflight quotes">
          {unmet.map(({ requirement_id }) => (
            <li key={requirement_id}>
              <p>
                <IdLink id={requirement_id} /> <Badge tone="bad">not mapped</Badge>
              </p>
            </li>
          ))}
          {preflight.faults.map(({ requirement_id, missing }) => (
            <li key={requirement_id}>
              <p>
                <IdLink id={requirement_id} /> <Badge tone="bad">not in the contract:</Badge> <Ids ids={missing} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function PreflightState({ preflight }: { readonly preflight: Preflight | null }) {
  if (!preflight) return <Badge tone="warn">not submitted</Badge>;
  return preflight.complete ? <Badge tone="good">complete</Badge> : <Badge tone="bad">no longer matches</Badge>;
}

type Issue = Plan['validation_errors'][number];

export function ValidationPanel({ plan }: { readonly plan: Plan }) {
  const {
    validation_errors: errors,
    validation_warnings: warnings,
    error_count,
    warning_count,
    validator_version,
  } = plan;
  return (
    <Card
      head="validation-head"
      title="Validation"
      note={
        <Badge tone={error_count > 0 ? 'bad' : warning_count > 0 ? 'warn' : 'good'}>
          {error_count === 0 && warning_count === 0
            ? 'nothing found'
            : `errors: ${error_count}, warnings: ${warning_count}`}
        </Badge>
      }
    >
      <p class="muted">Validator {validator_version}</p>
      <ul class="issues">
        {[...errors, ...warnings].map((issue, index) => (
          <IssueItem
            key={`${issue.code} ${issue.pointer} ${issue.message}`}
            issue={issue}
            tone={index < errors.length ? 'bad' : 'warn'}
          />
        ))}
      </ul>
    </Card>
  );
}

function IssueItem({ issue, tone }: { readonly issue: Issue; readonly tone: 'bad' | 'warn' }) {
  return (
    <li>
      <Badge tone={tone}>{tone === 'bad' ? 'error' : 'warning'}</Badge> <code>{issue.code}</code>{' '}
      <code class="muted">{visible(issue.pointer)}</code>
      <SafeText in="p" text={issue.message} />
      <SafeText in="p" class="muted" text={issue.hint} />
    </li>
  );
}

/** The tab with the contract, its blockers, findings and reviews, and its approval. */
export function ContractTab({ live }: { readonly live: LiveSession }) {
  const version = live.version.value;
  const { value: plan, error } = useCall('plan', { session_id: live.sessionId, format: 'structured' }, version);
  const { value: blockers } = useCall('blockers', { session_id: live.sessionId }, version);
  const view = live.view.value;
  if (!view || !plan || !blockers) return <Pending error={error} />;
  if (plan.revision_id === null)
    return (
      <div class="stack">
        <p class="empty">
          There is no contract revision yet. The Contract Author writes the first revision after the election.
        </p>
        <AgendaPanel view={view} />
        <BlockersPanel blockers={blockers} />
        <FindingsPanel live={live} view={view} />
      </div>
    );
  return <Reading live={live} view={view} plan={plan} blockers={blockers} latest={plan.revision_id} />;
}

/** Matches the ids of the elements for sections and parts of the contract, and the id of `RevisionReader`'s element. */
const FRAGMENT = /^(?:(?:section|part)-[\w.-]+|changes)$/;

interface ReadingProps extends SessionProps {
  readonly plan: Plan;
  readonly blockers: Blockers;
  readonly latest: string;
}

/** Shows a revision with its outline: the revision in the address, otherwise the latest revision. */
function Reading({ live, view, plan, blockers, latest }: ReadingProps) {
  const asked = revisionInAddress();
  const revisionId = asked.revisionId ?? latest;
  const read = useContract(live.sessionId, plan, revisionId);
  const sections = useSections(view, read.contract);
  const marks = useReadMarks(live, { revisionId, isLatest: revisionId === latest, sections });
  // A light contract is stored with the sections that its author left out. The brief names one if it was not empty before.
  const shown = hasFewSteps(view)
    ? sections.filter((section) => marks.isRead(section) === false || !isEmptySection(section, read.contract))
    : sections;
  const way = useSignal<Way | null>(asked.show ?? (asked.against === null ? null : 'changes'));
  const choose = (name: Way): void => {
    way.value = name;
    showAs(name);
  };
  const goTo = (id: string): void => {
    // Selects the default view of `RevisionReader`: the changes since the last reading, if there are any.
    if (id === READER) way.value = null;
    if (goToElement(id)) return;
    // The view of the changes contains only changed sections. If this view lacks the section, the whole contract is
    // shown before the page scrolls.
    choose('read');
    requestAnimationFrame(() => requestAnimationFrame(() => goToElement(id)));
  };
  useFragment(sections.length > 0 && marks.isKnown, FRAGMENT, goTo);
  const open = view.findings.filter(isOpenFinding).length;
  const entries: OutlineEntry[] = [
    { id: 'section-approval', title: 'Approval', parts: [] },
    ...(view.manifest
      ? [
          { id: 'section-manifest', title: 'Manifest', parts: [] },
          ...(hasReadiness(view) ? [{ id: 'section-reports', title: 'Readiness reports', parts: [] }] : []),
        ]
      : []),
    ...shown.map(({ id, title, members, parts }) => ({
      id: `section-${id}`,
      title,
      note: parts.length > 0 ? String(parts.length) : undefined,
      parts,
      isRead: marks.isRead({ id, title, members, parts }),
    })),
    { id: 'section-checks', title: 'Preflight and validation', parts: [] },
    { id: 'section-reviews', title: 'Reviews', parts: [] },
    { id: 'section-findings', title: 'Findings', note: open > 0 ? `${open} open` : undefined, parts: [] },
  ];
  return (
    <div class="reading-box">
      <div class="stack reading-grid">
        <Outline label="Outline of the contract" entries={entries} goTo={goTo} />
        <div class="stack">
          <Around id="section-approval">
            <ApprovePanel
              live={live}
              view={view}
              plan={plan}
              blockers={blockers}
              isRead={marks.brief !== null && marks.unread.length === 0}
            />
            <BlockersPanel blockers={blockers} />
          </Around>
          {view.manifest && (
            <>
              <Around id="section-manifest">
                <ManifestPanel live={live} view={view} />
              </Around>
              <Around id="section-reports">
                <ReadinessPanel live={live} view={view} />
              </Around>
            </>
          )}
          <RevisionReader
            live={live}
            view={view}
            plan={plan}
            revisionId={revisionId}
            against={asked.against}
            read={read}
            sections={shown}
            marks={marks}
            way={way.value}
            onWay={choose}
            onChoose={(id) => replaceAddress(recordPath(live.sessionId, id))}
          />
          <Around id="section-checks">
            <AgendaPanel view={view} />
            <PreflightPanel view={view} />
            <ValidationPanel plan={plan} />
          </Around>
          <Around id="section-reviews">
            <ReviewsPanel live={live} view={view} />
          </Around>
          <Around id="section-findings">
            <FindingsPanel live={live} view={view} shown={{ revisionId, contract: read.contract }} />
          </Around>
        </div>
      </div>
    </div>
  );
}

/** A part of the page to which the outline can link. */
const Around = ({ id, children }: { readonly id: string; readonly children: ComponentChildren }) => (
  <div id={id} class="stack">
    {children}
  </div>
);

interface Asked {
  readonly revisionId: string | null;
  /** The id of the revision with which the revision is compared. */
  readonly against: string | null;
  readonly show: Way | null;
}

/** Reads from the address which revision is shown, and how. */
function revisionInAddress(): Asked {
  const here = route.value;
  if (here.page !== 'session') return { revisionId: null, against: null, show: null };
  const show = isWay(here.show) ? here.show : null;
  if (!here.record?.startsWith('r_')) return { revisionId: null, against: null, show };
  return { revisionId: here.record, against: here.against, show };
}
