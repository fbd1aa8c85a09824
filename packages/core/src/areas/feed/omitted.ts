import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { SessionEvent } from '../catalog.ts';
import { subjectMember } from './subject.ts';

/** Members that the feed leaves out because another read of the moderator has them. */
const OMITTED: Readonly<Partial<Record<SessionEvent['kind'], readonly string[]>>> = {
  // read_messages
  'evidence.posted': ['evidence'],
  'preflight.submitted': ['mappings'],
  'contract.approved': ['manifest', 'questions'],
  'receipt.confirmed': ['manifest_id', 'sha256'],
  'readiness.submitted': ['revision_id', 'answers'],
  'readiness.checked': ['report'],
  'revision.created': ['bytes', 'validator_version'],
  // verify_board with scenario_id
  'evidence.submitted': ['kind', 'claim', 'summary', 'assertions', 'request_id', 'commit'],
  'attempt.started': ['commits'],
  'handshake.declared': [
    ...['service', 'version', 'branch', 'capabilities', 'interfaces', 'clock', 'skew_ms', 'previous_commit'],
    ...['dependencies_healthy', 'fixture_version'],
  ],
  'defect.opened': ['commits'],
  'defect.reopened': ['commits'],
  'deployment.authorized': ['commits'],
  'activation.authorized': ['commits'],
  // pending_actions of the waiting calls and of get_moderator_status
  'action.opened': ['text', 'payload', 'tool', 'obligation', 'due_to'],
  'action.fulfilled': ['due_to'],
  // get_moderator_findings with finding_id
  'finding.raised': ['evidence'],
};

/** Texts of the moderator's own events: the moderator wrote them. */
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

/** Texts of a question, an answer or a decision in a turn. The event of the turn has them too. */
const TEXTS_OF_TURN = ['text', 'answer', 'position', 'evidence', 'reason'];

const omitted: Readonly<Record<string, readonly string[]>> = OMITTED;

/** Members of an event's data that its record in the feed leaves out, also the id, which the record's subject has. */
export const omittedInFeed = (event: LoggedEvent): ReadonlySet<string> =>
  new Set([
    ...(omitted[event.kind] ?? []),
    ...(event.actor === 'moderator' ? OWN_TEXTS : []),
    ...(Object(event.data).in_turn === true ? TEXTS_OF_TURN : []),
    subjectMember(event) ?? '',
  ]);
