import { describe, expect, test } from 'vitest';
import { registry } from '../src/areas/registry.ts';

/** A tool, its route below `/sessions/{id}/`, its scope or permission, and its input members. An optional member ends with `?`. */
type Row = readonly [tool: string, route: string | null, grant: string | null, input: string];

const TURN_FIELDS =
  'summary, request_id?, answers?, verified_facts?, proposed_decisions?, concerns?, questions?, next_step?, interfaces?, dependencies?, safety_conditions?, disagreements?, acknowledged_directives?, converged?';
const HANDSHAKE_FIELDS =
  'service, version, commit, environment, ready, dependencies_healthy, branch?, capabilities?, fixture_version?, interfaces?, clock?';

/** The tools of specification 4.2. */
const BUILDER_ROWS: readonly Row[] = [
  ['read_task', 'GET task', 'read_task', ''],
  ['read_session_state', 'GET state', 'read_session_state', 'wait?, after?'],
  ['wait_for_my_turn', null, 'read_session_state', 'wait'],
  ['read_messages', 'GET messages', 'read_messages', 'after?'],
  ['get_final_plan', 'GET plan', 'get_final_plan', ''],
  ['post_turn', 'POST turns', 'post_turn', TURN_FIELDS],
  ['post_evidence', 'POST evidence', 'post_evidence', 'evidence'],
  ['submit_position', 'POST plan', 'submit_position', 'causes?, contract, expected_parent_id, reason'],
  ['propose_revision', 'POST plan-revision', 'submit_contract', 'causes?, contract, expected_parent_id, reason'],
  ['submit_final_review', 'POST final-review', 'submit_final_review', 'revision_id, content_hash, verdict, caveats?'],
  ['poll_actions', 'GET actions', 'read_session_state', ''],
  ['ack_action', 'POST actions/ack', 'read_session_state', 'action_id'],
  ['complete_action', 'POST actions/complete', 'read_session_state', 'action_id'],
  ['list_interventions', 'GET interventions', 'read_session_state', ''],
  ['ack_intervention', 'POST interventions/ack', 'answer_question', 'intervention_id'],
  ['answer_intervention', 'POST interventions/answer', 'answer_question', 'intervention_id, text'],
  ['list_decisions', 'GET decisions', 'read_session_state', ''],
  ['submit_decision', 'POST decisions', 'submit_position', 'topic, position, evidence?'],
  ['accept_decision', 'POST decisions/accept', 'submit_position', 'decision_id'],
  ['withdraw_decision', 'POST decisions/withdraw', 'submit_position', 'decision_id, reason'],
  ['reject_decision', 'POST decisions/reject', 'submit_position', 'decision_id, reason'],
  ['answer_question', 'POST questions/answer', 'answer_question', 'question_id, answer'],
  ['get_contract_schema', 'GET contract-schema', 'get_contract_schema', ''],
  ['validate_contract_draft', 'POST contract/validate', 'get_contract_schema', 'contract'],
  ['list_blockers', 'GET contract-blockers', 'read_session_state', ''],
  ['elect_contract_author', 'POST contract-election', 'elect_contract_author', 'candidate, reason'],
  ['submit_contract', 'POST contract', 'submit_contract', 'causes?, contract, expected_parent_id, reason'],
  ['patch_contract', 'POST contract/patch', 'submit_contract', 'causes?, expected_parent_id, reason, ops'],
  // The specification does not mark `revision_id` as optional. Without it, the operation uses the latest revision.
  ['get_revision_diff', 'GET contract/diff', 'get_final_plan', 'revision_id?'],
  ['revalidate_contract', 'POST contract/revalidate', 'get_final_plan', 'revision_id?'],
  ['get_preflight', 'GET preflight', 'get_contract_schema', ''],
  ['submit_preflight', 'POST preflight', 'submit_contract', 'mappings'],
  ['list_findings', 'GET findings', 'read_session_state', ''],
  [
    'submit_finding',
    'POST findings',
    'submit_final_review',
    'text, kind?, blocking?, target?, evidence?, revision_id?',
  ],
  ['respond_finding', 'POST findings/respond', 'submit_contract', 'finding_id, decision, response, revision_id?'],
  ['resolve_finding', 'POST findings/resolve', 'submit_final_review', 'finding_id, note?, outcome'],
  ['get_readiness_questions', 'GET readiness', 'get_final_plan', ''],
  [
    'submit_readiness',
    'POST readiness',
    'submit_final_review',
    'revision_id, content_hash, verdict, handshake_sha256, shared_contract_sha256, fixture_version, answers, blockers?',
  ],
  ['list_artifacts', 'GET artifacts', 'get_final_plan', ''],
  ['fetch_artifact', 'GET artifacts/fetch', 'get_final_plan', 'filename'],
  ['confirm_receipt', 'POST artifacts/receipt', 'submit_final_review', 'filename, others?, sha256'],
  ['verify_board', 'GET verify/board', 'verify_read', ''],
  ['verify_next', 'GET verify/next', 'verify_read', 'wait?'],
  ['verify_handshake', 'POST verify/handshake', 'verify_execute', HANDSHAKE_FIELDS],
  ['verify_start_attempt', 'POST verify/attempts', 'verify_execute', 'scenario_id'],
  [
    'verify_submit_evidence',
    'POST verify/evidence',
    'verify_execute',
    'scenario_id, attempt, kind, claim, summary, request_id, assertions?',
  ],
  ['verify_verify', 'POST verify/verifications', 'verify_execute', 'scenario_id, attempt, verdict, note?'],
  ['verify_submit_fix', 'POST verify/defects/fix', 'verify_execute', 'defect_id, note'],
];

/** The tools of specification 4.3. */
const MODERATOR_ROWS: readonly Row[] = [
  ['read_task', 'GET task', null, ''],
  ['read_session_state', 'GET state', null, 'wait?'],
  ['get_moderator_status', 'GET moderator/status', null, ''],
  ['get_session_events', 'GET events', null, 'after?, limit?, wait?'],
  ['ack_events', 'POST events/ack', null, 'cursor'],
  ['read_messages', 'GET messages', null, 'after?'],
  ['get_final_plan', 'GET plan', null, ''],
  ['list_blockers', 'GET contract-blockers', null, ''],
  ['verify_board', 'GET verify/board', null, ''],
  ['list_decisions', 'GET decisions', null, ''],
  ['get_moderator_findings', 'GET findings', null, ''],
  [
    'ask_agent',
    'POST moderator/questions',
    'ask',
    'text, targets?, priority?, blocking?, evidence?, related_decision_id?, related_revision_id?',
  ],
  ['get_moderator_questions', 'GET moderator/questions/list', null, ''],
  ['withdraw_question', 'POST moderator/withdraw', null, 'intervention_id, outcome?'],
  [
    'submit_moderator_finding',
    'POST moderator/findings',
    'find',
    'category, text, resolution_criteria, severity?, target_agents?, target?, evidence?, blocking?, request_hold?, hold_reason?',
  ],
  ['resolve_finding', 'POST moderator/findings/resolve', null, 'finding_id, note?, outcome'],
  ['request_hold', 'POST moderator/holds', 'hold', 'finding_id, reason'],
  ['release_hold', 'POST moderator/holds/release', null, 'hold_id'],
  [
    'submit_contract_review',
    'POST moderator/reviews',
    'review',
    'revision_id, content_hash, verdict, summary, dimensions',
  ],
  ['get_contract_review', 'GET moderator/reviews/list', null, 'revision_id?'],
  ['recommend_to_owner', 'POST moderator/recommend', 'recommend', 'recommendation, text, targets?'],
  ['complete_action', 'POST moderator/actions/complete', null, 'action_id'],
  ['wait_for_activity', null, null, 'wait_seconds?'],
];

/** The operations of specification 4.1, which need no token. */
const OPEN_ROWS: readonly Row[] = [
  ['health', 'GET /health', null, ''],
  ['redeem_invitation', 'POST /invitations/redeem', null, 'code, client_type?'],
];

/** Older names of tools (specification 4.3), each after the present name. */
const OLDER_NAMES = [
  ['list_findings', 'get_moderator_findings'],
  ['ask_agents', 'ask_agent'],
  ['withdraw_intervention', 'withdraw_question'],
  ['raise_finding', 'submit_moderator_finding'],
] as const;

/**
 * Optional input members of each tool that the specification does not name. If they are absent, the operation behaves as specified.
 */
const ALSO_TAKE: Readonly<Record<string, string>> = {
  wait_for_my_turn: 'after?',
  wait_for_activity: 'after?, brief?',
  get_session_events: 'brief?',
  get_contract_schema: 'whole?',
  get_final_plan: 'part?, from?, format?',
  poll_actions: 'after?',
  complete_action: 'note?, followups?',
  list_interventions: 'intervention_id?, after?',
  answer_question: 'questions?',
  verify_handshake: 'address?, changes?',
  verify_start_attempt: 'evidence?, others?',
  verify_submit_evidence: 'evidence_key?, run?',
  verify_verify: 'deviations?, evidence?, followups?, commit?, others?',
  list_decisions: 'decision_id?, after?',
  post_turn: 'nominates?, followups?',
  accept_decision: 'others?',
  submit_contract: 'approve?',
  submit_position: 'approve?',
  propose_revision: 'approve?',
  patch_contract: 'approve?',
  submit_final_review: 'findings?, resolved?',
  get_readiness_questions: 'with_answers?',
  submit_readiness: 'confirms?, receipts?',
  submit_decision: 'accept?, supersedes?',
  list_blockers: 'after?',
  get_revision_diff: 'against?, after?, exact?',
  get_preflight: 'after?',
  list_findings: 'finding_id?, after?',
  fetch_artifact: 'from?',
  verify_board: 'scenario_id?, attempt?, after?, format?',
  get_moderator_findings: 'finding_id?, after?',
  get_moderator_questions: 'intervention_id?, after?',
  get_contract_review: 'after?',
};
/** Builders and the moderator call the same operation `read_session_state`, so the moderator may also send `after`. */
const MODERATOR_ALSO_TAKES: Readonly<Record<string, string>> = { ...ALSO_TAKE, read_session_state: 'after?' };

/** Routes that the command `parley` calls, beside the specification. They have no tools. */
const COMMAND_ROWS: readonly Row[] = [
  ['verify_attach', 'POST verify/attachments', 'verify_execute', 'attempt?, content, filename, gate_id?, scenario_id?'],
  ['verify_gate', 'POST verify/gates', 'verify_execute', 'gate_id, run'],
];

const withExtra = (rows: readonly Row[], extras: Readonly<Record<string, string>>): Row[] =>
  rows.map(([tool, route, grant, input]) => {
    const members = [input, extras[tool] ?? ''].filter((part) => part !== '');
    return [tool, route, grant, members.join(', ')];
  });

type Built = (typeof registry.operations)[number];

const routeFor = ({ rest }: Built, kind: 'builder' | 'moderator'): string | null =>
  typeof rest === 'object' ? rest[kind] : (rest ?? null);

const membersOf = ({ inputSchema: { properties = {}, required = [] } }: Built): string[] =>
  Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));

const sortedMembers = (members: readonly string[]): string => members.toSorted().join(', ');

const spelled = ([tool, route, grant, input]: Row): Row => [
  tool,
  route,
  grant,
  sortedMembers(input === '' ? [] : input.split(', ')),
];

const byName = (rows: readonly Row[]): Row[] => rows.map(spelled).toSorted(([a], [b]) => (a < b ? -1 : 1));

const builtRows = (kind: 'builder' | 'moderator'): Row[] =>
  registry.operations
    .filter(({ access }) => access[kind] !== undefined)
    .map((operation) => {
      const grant = operation.access[kind];
      return [
        operation.name,
        routeFor(operation, kind),
        typeof grant === 'string' ? grant : null,
        membersOf(operation).join(', '),
      ];
    });

describe('the registry', () => {
  test('requires no input member beyond the specification', () => {
    const extra = Object.values(MODERATOR_ALSO_TAKES).flatMap((members) => members.split(', '));
    expect(extra.filter((member) => !member.endsWith('?'))).toEqual([]);
  });

  test('contains the tables of the specification in full', () => {
    expect(BUILDER_ROWS).toHaveLength(48);
    expect(BUILDER_ROWS.filter(([, route]) => route !== null)).toHaveLength(47);
    expect(MODERATOR_ROWS).toHaveLength(23);
    expect(MODERATOR_ROWS.filter(([, route]) => route !== null)).toHaveLength(22);
  });

  test('serves every builder row, the routes of the command and nothing else', () => {
    expect(byName(builtRows('builder'))).toEqual(byName([...withExtra(BUILDER_ROWS, ALSO_TAKE), ...COMMAND_ROWS]));
    const listed = registry.tools.agent_a.map(({ name }) => name);
    expect(COMMAND_ROWS.filter(([tool]) => listed.includes(tool))).toEqual([]);
  });

  test('serves every moderator row and nothing else', () => {
    expect(byName(builtRows('moderator'))).toEqual(byName(withExtra(MODERATOR_ROWS, MODERATOR_ALSO_TAKES)));
  });

  test('serves the two routes without a token', () => {
    const built = registry.operations
      .filter(({ access }) => access.anyone)
      .map((operation): Row => [operation.name, routeFor(operation, 'builder'), null, membersOf(operation).join(', ')]);
    expect(byName(built)).toEqual(byName(OPEN_ROWS));
  });

  test.each(OLDER_NAMES)('accepts %s for %s of the moderator, unlisted', (older, name) => {
    expect(registry.tool('moderator', older)).toBe(registry.tool('moderator', name));
    expect(registry.tools.moderator.map((tool) => tool.name)).not.toContain(older);
  });

  test('lists the tools that an agent needs first at the beginning', () => {
    expect(registry.tools.agent_a.slice(0, 5).map(({ name }) => name)).toEqual([
      'read_task',
      'read_session_state',
      'wait_for_my_turn',
      'read_messages',
      'post_turn',
    ]);
  });
});
