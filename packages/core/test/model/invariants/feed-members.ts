/** By the first word of an event's kind: the member of its data that the feed shows as the id of the subject. */
const SUBJECTS: Readonly<Record<string, string>> = {
  quota: 'role',
  invitation: 'role',
  access: 'role',
  turn: 'turn_index',
  question: 'question_id',
  decision: 'decision_id',
  intervention: 'intervention_id',
  action: 'action_id',
  revision: 'revision_id',
  contract: 'revision_id',
  changes: 'revision_id',
  review: 'revision_id',
  moderator_review: 'revision_id',
  preflight: 'revision_id',
  finding: 'finding_id',
  hold: 'hold_id',
  recommendation: 'recommendation_id',
  receipt: 'filename',
  readiness: 'manifest_id',
  build: 'manifest_id',
  deployment: 'manifest_id',
  activation: 'manifest_id',
  attempt: 'scenario_id',
  verdict: 'scenario_id',
  pass: 'scenario_id',
  workflow: 'role',
  defect: 'defect_id',
};

/** By kind of event: members that the feed leaves out because another read shows them to the moderator. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'evidence.posted': ['turn_index', 'evidence'],
  'preflight.submitted': ['mappings'],
  'contract.approved': ['manifest', 'questions'],
  'receipt.confirmed': ['manifest_id', 'sha256'],
  'readiness.submitted': ['revision_id', 'answers'],
  'readiness.checked': ['report'],
  'revision.created': ['bytes', 'validator_version'],
  'evidence.submitted': ['scenario_id', 'kind', 'claim', 'summary', 'assertions', 'request_id', 'commit'],
  'evidence.reported': [
    ...['scenario_id', 'by', 'kind', 'claim', 'summary', 'assertions', 'request_id', 'commit', 'run', 'token'],
  ],
  'attempt.started': ['commits'],
  'handshake.declared': [
    ...['service', 'version', 'branch', 'address', 'capabilities', 'interfaces', 'clock', 'skew_ms', 'previous_commit'],
    ...['dependencies_healthy', 'fixture_version'],
  ],
  'defect.opened': ['commits'],
  'defect.reopened': ['commits'],
  'deployment.authorized': ['commits'],
  'activation.authorized': ['commits'],
  'action.opened': ['text', 'payload', 'tool', 'obligation', 'due_to'],
  'action.fulfilled': ['due_to'],
  'finding.raised': ['evidence'],
};

const OWN = ['text', 'reason', 'summary', 'dimensions', 'evidence', 'moderated', 'targets', 'resolution_criteria'];

const IN_TURN = ['text', 'answer', 'position', 'evidence', 'reason'];

/** Members of an event's data that the moderator's feed does not show. */
export const leftOutOfFeed = (kind: string, actor: string, inTurn: boolean): readonly string[] => [
  SUBJECTS[kind.split('.')[0] ?? ''] ?? '',
  ...(inTurn ? IN_TURN : []),
  ...(ELSEWHERE[kind] ?? []),
  ...(actor === 'moderator' ? OWN : []),
];
