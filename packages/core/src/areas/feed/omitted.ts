import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { SessionEvent } from '../catalog.ts';
import { subjectMember } from './subject.ts';

/** Members that the feed leaves out because another read of the moderator has them. */
const OMITTED: Readonly<Partial<Record<SessionEvent['kind'], readonly string[]>>> = {
  // read_messages
  'evidence.posted': ['evidence'],
  'preflight.submitted': ['mappings'],
  'contract.approved': ['manifest'],
  'receipt.confirmed': ['manifest_id', 'sha256'],
  'readiness.submitted': ['revision_id', 'answers'],
  'revision.created': ['bytes', 'validator_version'],
  // verify_board with scenario_id
  'evidence.submitted': ['summary', 'assertions', 'request_id', 'commit'],
  'attempt.started': ['commits'],
  'handshake.declared': ['service', 'branch', 'capabilities', 'interfaces', 'clock', 'skew_ms', 'previous_commit'],
  'defect.opened': ['commits'],
  'defect.reopened': ['commits'],
  'deployment.authorized': ['commits'],
  'activation.authorized': ['commits'],
  // pending_actions of the waiting calls and of get_moderator_status
  'action.opened': ['text', 'payload', 'tool'],
  // get_moderator_findings with finding_id
  'finding.raised': ['evidence'],
};

/** Texts that an event of the moderator repeats to it. */
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

const omitted: Readonly<Record<string, readonly string[]>> = OMITTED;

/** Members of an event's data that its record in the feed leaves out. The subject has the id. */
export const omittedInFeed = (event: LoggedEvent): ReadonlySet<string> =>
  new Set([
    ...(omitted[event.kind] ?? []),
    ...(event.actor === 'moderator' ? OWN_TEXTS : []),
    subjectMember(event) ?? '',
  ]);
