import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { SessionEvent } from '../catalog.ts';
import { subjectMember } from './subject.ts';

/**
 * Members of an event's data that the feed leaves out, by kind of event. The comment above each group names the tool
 * with which the moderator reads these members.
 */
const OMITTED: Readonly<Partial<Record<SessionEvent['kind'], readonly string[]>>> = {
  // `read_messages` shows these members.
  'evidence.posted': ['evidence'],
  'preflight.submitted': ['mappings'],
  'contract.approved': ['manifest', 'questions'],
  'receipt.confirmed': ['manifest_id', 'sha256'],
  'readiness.submitted': ['revision_id', 'answers'],
  'readiness.checked': ['report'],
  'revision.created': ['bytes', 'validator_version'],
  // `verify_board` with `scenario_id` shows these members.
  'evidence.submitted': ['kind', 'claim', 'summary', 'assertions', 'request_id', 'commit'],
  'attempt.started': ['commits'],
  'handshake.declared': [
    ...['service', 'version', 'branch', 'address', 'capabilities', 'interfaces', 'clock', 'skew_ms', 'previous_commit'],
    ...['dependencies_healthy', 'fixture_version'],
  ],
  'defect.opened': ['commits'],
  'defect.reopened': ['commits'],
  'deployment.authorized': ['commits'],
  'activation.authorized': ['commits'],
  // `pending_actions` of a waiting call and of `get_moderator_status` shows these members.
  'action.opened': ['text', 'payload', 'tool', 'obligation', 'due_to'],
  'action.fulfilled': ['due_to'],
  // `get_moderator_findings` with `finding_id` shows these members.
  'finding.raised': ['evidence'],
};

/** Members that the feed leaves out of the moderator's own events, because the moderator sent them. */
const OWN_TEXTS = [
  'text',
  'reason',
  'summary',
  'dimensions',
  'evidence',
  'moderated',
  'targets',
  'resolution_criteria',
];

/** Members that the feed leaves out of events inside a turn, because the event of the turn contains them. */
const TEXTS_OF_TURN = ['text', 'answer', 'position', 'evidence', 'reason'];

const omitted: Readonly<Record<string, readonly string[]>> = OMITTED;

/**
 * Kinds of events that a call with `brief` counts instead of showing, because they contain no text for the moderator.
 * The comment above each group names the tool that shows what these events changed.
 */
const COUNTED: ReadonlySet<string> = new Set([
  // `list_decisions` shows what this event changed.
  'decision.accepted',
  // `read_messages` shows what these events changed.
  'evidence.posted',
  'preflight.submitted',
  'receipt.confirmed',
  'intervention.acknowledged',
  // `verify_board` shows what these events changed.
  'attempt.started',
  'evidence.submitted',
  // `pending_actions` shows what these events changed.
  'action.acknowledged',
  'action.completed',
  'action.fulfilled',
]);

/**
 * Whether a call with `brief` counts this event instead of showing it. The moderator's own events are counted too, and
 * the events inside a turn, whose content the event of the turn contains.
 */
export const isCountedInBrief = ({ kind, actor, data }: LoggedEvent): boolean =>
  COUNTED.has(kind) || actor === 'moderator' || Object(data).in_turn === true;

/**
 * Names of the members of an event's data that the feed leaves out. They include the member with the id of the record
 * that the event is about, because the event's `subject` in the feed contains that id.
 */
export const omittedInFeed = (event: LoggedEvent): ReadonlySet<string> =>
  new Set([
    ...(omitted[event.kind] ?? []),
    ...(event.actor === 'moderator' ? OWN_TEXTS : []),
    ...(Object(event.data).in_turn === true ? TEXTS_OF_TURN : []),
    subjectMember(event) ?? '',
  ]);
