import type { Ledger } from '../ledger.ts';
import { canAct, findingIn, holdIn, holdOn, isOpen, type Moderation, recommendationIn } from '../moderation.ts';
import type { Seen } from '../seen.ts';
import type { Call } from '../world.ts';

/** Spec 4.3: tools for moderators, and the permission that each requires. */
export const MODERATOR_TOOLS: Readonly<Record<string, string | null>> = {
  read_task: null,
  read_session_state: null,
  get_moderator_status: null,
  get_session_events: null,
  ack_events: null,
  read_messages: null,
  get_final_plan: null,
  list_blockers: null,
  verify_board: null,
  list_decisions: null,
  get_moderator_findings: null,
  ask_agent: 'ask',
  get_moderator_questions: null,
  withdraw_question: null,
  submit_moderator_finding: 'find',
  resolve_finding: null,
  request_hold: 'hold',
  release_hold: null,
  submit_contract_review: 'review',
  get_contract_review: null,
  recommend_to_owner: 'recommend',
  complete_action: null,
  wait_for_activity: null,
};

/** Tools that both the moderator and the builders have. */
const COMMON =
  /^(read_task|read_session_state|read_messages|get_final_plan|list_blockers|verify_board|list_decisions|resolve_finding|complete_action)$/;
/** `ALWAYS`: writes of the moderator that work in every status. `IN_A_PAUSE`: writes that also work in a paused session. */
const ALWAYS = /^(ack_events|complete_action)$/;
const IN_A_PAUSE = /^(release_hold|resolve_finding|withdraw_question|recommend_to_owner)$/;
const READS = /^(read_|get_|list_|wait_|verify_board)/;

interface Asked {
  readonly before: Seen;
  readonly ledger: Pick<Ledger, 'latest' | 'moderation'>;
  readonly call: Call;
}

/** The code that refuses every request of a moderator without access. Null if the moderator has access. */
export function shutOutWith(moderation: Moderation): string | null {
  if (canAct(moderation)) return null;
  if (moderation.isRevoked) return 'TOKEN_REVOKED';
  return moderation.isStopped ? 'MODERATOR_STOPPED' : 'MODERATOR_NOT_ENTITLED';
}

/**
 * Returns the error code with which a call must be refused.
 *
 * @returns null if the call must succeed; undefined if the rules of moderation do not decide
 */
export function refusalDue(asked: Asked): string | null | undefined {
  const { by, name } = asked.call;
  if (by === 'moderator') return gateDue(asked) ?? ruleDue(asked) ?? null;
  if (by === 'owner') return OWNER[name]?.(asked);
  return name in MODERATOR_TOOLS && !COMMON.test(name) ? 'BUILDER_FORBIDDEN' : undefined;
}

function gateDue({ before, ledger: { moderation }, call: { name } }: Asked): string | null {
  const { status, phase } = before.session();
  const shutOut = shutOutWith(moderation);
  if (shutOut) return shutOut;
  const permission = MODERATOR_TOOLS[name];
  if (permission === undefined) return 'MODERATOR_FORBIDDEN';
  if (permission !== null && !moderation.permissions.includes(permission)) return 'PERMISSION_DENIED';
  if (READS.test(name)) return null;
  if (status === 'ENDED') return name === 'ack_events' ? null : 'SESSION_ENDED';
  if (status !== 'ACTIVE' && !ALWAYS.test(name) && !(status === 'PAUSED' && IN_A_PAUSE.test(name)))
    return 'SESSION_NOT_ACTIVE';
  return name === 'submit_contract_review' && phase !== 'CONTRACT' ? 'WRONG_PHASE' : null;
}

const ruleDue = (asked: Asked): string | null => RULES[asked.call.name]?.(asked) ?? null;

type Rule = (asked: Asked) => string | null;

function closedFinding({ ledger, call }: Asked): string | null {
  const finding = findingIn(ledger.moderation, call.input.finding_id);
  if (!finding) return 'UNKNOWN_RECORD';
  return isOpen(finding) ? null : 'FINDING_CLOSED';
}

function closedHold({ ledger, call }: Asked): string | null {
  const hold = holdIn(ledger.moderation, call.input.hold_id);
  if (!hold) return 'UNKNOWN_RECORD';
  return hold.cause === null ? null : 'HOLD_CLOSED';
}

/** The conditions of each call of the moderator, apart from its permission. */
const RULES: Readonly<Record<string, Rule>> = {
  ask_agent: ({ before, call: { input } }) =>
    input.related_revision_id === undefined || isRevision(before, input.related_revision_id) ? null : 'UNKNOWN_RECORD',
  withdraw_question: ({ before, call: { input } }) => {
    const asked = before.view().interventions.find(({ intervention_id: id }) => id === input.intervention_id);
    if (asked?.from !== 'moderator') return 'UNKNOWN_RECORD';
    const isWithdrawn = asked.responses.some(({ status }) => status === 'WITHDRAWN');
    const isAnswered = asked.responses.every(({ status }) => status === 'ANSWERED');
    return isWithdrawn || isAnswered ? 'INTERVENTION_CLOSED' : null;
  },
  submit_moderator_finding: ({ ledger, call: { input } }) => {
    if ((input.request_hold === true) !== (input.hold_reason !== undefined)) return 'INVALID_INPUT';
    const lacks = input.request_hold === true && !ledger.moderation.permissions.includes('hold');
    return lacks ? 'PERMISSION_DENIED' : null;
  },
  resolve_finding: (asked) => {
    const finding = findingIn(asked.ledger.moderation, asked.call.input.finding_id);
    return finding && finding.raisedBy !== 'moderator' ? 'NOT_RAISER' : closedFinding(asked);
  },
  request_hold: (asked) => {
    const standing = holdOn(asked.ledger.moderation, asked.call.input.finding_id);
    const isOther = standing !== undefined && standing.reason !== asked.call.input.reason;
    return closedFinding(asked) ?? (isOther ? 'HOLD_ACTIVE' : null);
  },
  release_hold: closedHold,
  submit_contract_review: ({ before, ledger: { latest }, call: { input } }) => {
    if (!isRevision(before, input.revision_id)) return 'UNKNOWN_RECORD';
    if (!latest || input.revision_id !== latest.id) return 'STALE_REVISION';
    return input.content_hash === latest.hash ? null : 'HASH_MISMATCH';
  },
  ack_events: ({ before, call: { input } }) => {
    const moderator = before.moderator();
    return moderator.refused === null && Number(input.cursor) > moderator.page.head ? 'INVALID_INPUT' : null;
  },
  complete_action: ({ before, call: { input } }) => {
    const action = before.view().actions.find(({ action_id }) => action_id === input.action_id);
    return action?.due_to === 'moderator' ? null : 'UNKNOWN_RECORD';
  },
};

const isRevision = (before: Seen, id: unknown): boolean =>
  before.view().revisions.some(({ revision_id }) => revision_id === id);

const unlessEnded =
  (rule: Rule): Rule =>
  (asked) =>
    asked.before.session().status === 'ENDED' ? 'INVALID_TRANSITION' : rule(asked);

/** The conditions of each call of the owner about the moderator. */
const OWNER: Readonly<Record<string, Rule>> = {
  stopModerator: () => null,
  restoreModerator: () => null,
  setEntitlement: () => null,
  grantModerator: unlessEnded(({ ledger }) => (ledger.moderation.isRevoked ? 'INVALID_TRANSITION' : null)),
  releaseHold: unlessEnded(closedHold),
  overrideFinding: unlessEnded(closedFinding),
  overrideReview: ({ before, ledger: { moderation, latest } }) => {
    const { status, phase } = before.session();
    const given = moderation.verdicts[latest?.id ?? ''];
    const isAsked = given?.verdict === 'REQUEST_CHANGES' && !given.isOverridden && !given.isSentBack;
    const isTime = (status === 'ACTIVE' || status === 'PAUSED') && phase === 'CONTRACT';
    return isAsked && isTime ? null : 'INVALID_TRANSITION';
  },
  respondRecommendation: unlessEnded(({ ledger, call: { input } }) => {
    const given = recommendationIn(ledger.moderation, input.recommendation_id);
    if (given === undefined) return 'UNKNOWN_RECORD';
    return given === null || given === input.decision ? null : 'ALREADY_ANSWERED';
  }),
};
