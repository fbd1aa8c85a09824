import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { SessionEvent } from '../catalog.ts';
import { subjectMember } from './subject.ts';

/**
 * Members that the feed leaves out, by kind of event. The comment above each kind names the tool by which the moderator can
 * read these members.
 */
const OMITTED: Readonly<Partial<Record<SessionEvent['kind'], readonly string[]>>> = {
  // read with read_messages
  'evidence.posted': ['evidence'],
  'preflight.submitted': ['mappings'],
  'contract.approved': ['manifest', 'questions'],
  'receipt.confirmed': ['manifest_id', 'sha256'],
  'readiness.submitted': ['revision_id', 'answers'],
  'readiness.checked': ['report'],
  'revision.created': ['bytes', 'validator_version'],
  // read with verify_board and scenario_id
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
  // read in pending_actions of a waiting call or of get_moderator_status
  'action.opened': ['text', 'payload', 'tool', 'obligation', 'due_to'],
  'action.fulfilled': ['due_to'],
  // read with get_moderator_findings and finding_id
  'finding.raised': ['evidence'],
};

/** Members with texts that the feed leaves out of the moderator's own events, because the moderator wrote these texts. */
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

/**
 * Members with texts that the feed leaves out of the events inside a turn, because the event of the turn contains these
 * texts.
 */
const TEXTS_OF_TURN = ['text', 'answer', 'position', 'evidence', 'reason'];

const omitted: Readonly<Record<string, readonly string[]>> = OMITTED;

/**
 * Kinds of events that the feed does not show, but only counts, if the call sets `brief`. They contain no text for the
 * moderator. The comment above each kind names the tool that shows what the event changed.
 */
const COUNTED: ReadonlySet<string> = new Set([
  // shown by list_decisions
  'decision.accepted',
  // shown by read_messages
  'evidence.posted',
  'preflight.submitted',
  'receipt.confirmed',
  'intervention.acknowledged',
  // shown by verify_board
  'attempt.started',
  'evidence.submitted',
  // shown in pending_actions
  'action.acknowledged',
  'action.completed',
  'action.fulfilled',
]);

/**
 * Whether the feed only counts this event if the call sets `brief`. True for a kind in COUNTED, for an event of the
 * moderator, and for an event inside a turn whose content the event of the turn contains.
 */
export const isCountedInBrief = ({ kind, actor, data }: LoggedEvent): boolean =>
  COUNTED.has(kind) || actor === 'moderator' || Object(data).in_turn === true;

/**
 * Names of the members of an event's data that the feed leaves out. One of them is the member with the id of the record,
 * because `subject` contains that id.
 */
export const omittedInFeed = (event: LoggedEvent): ReadonlySet<string> =>
  new Set([
    ...(omitted[event.kind] ?? []),
    ...(event.actor === 'moderator' ? OWN_TEXTS : []),
    ...(Object(event.data).in_turn === true ? TEXTS_OF_TURN : []),
    subjectMember(event) ?? '',
  ]);
