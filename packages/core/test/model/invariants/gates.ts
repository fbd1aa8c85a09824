import { isLight, speakerIn } from '../seen.ts';
import type { Facts, Invariant } from './facts.ts';

const MOVES: Readonly<Record<string, RegExp>> = {
  'PLANNING CONTRACT': /^(elect_contract_author|appointAuthor|submit_contract)$/,
  'CONTRACT READINESS': /^approveContract$/,
  'READINESS VERIFY': /^authorize$/,
  'READINESS CONTRACT': /^requestChanges$/,
  'VERIFY CONTRACT': /^requestChanges$/,
};

/** A phase changes only in the ways that `MOVES` lists, and only by the calls listed there. */
export const phaseMovesAreRight: Invariant = function* ({ before, now, call }) {
  const from = before.session().phase;
  const to = now.session().phase;
  const isBuilt = from === 'CONTRACT' && to === 'VERIFY' && isLight(now) && call.input.authorize_build === true;
  if (from !== to && !isBuilt && !MOVES[`${from} ${to}`]?.test(call.name)) yield `${call.name} moved ${from} to ${to}`;
  const author = now.session().contract_author;
  if ((author === null) !== (to === 'PLANNING')) yield `the author is ${author} in ${to}`;
  if (
    !/^(elect_contract_author|appointAuthor|submit_contract)$/.test(call.name) &&
    author !== before.session().contract_author
  )
    yield `${call.name} changed the author`;
};

const PLAN = ['PLANNING', 'CONTRACT'];
const WRITE = ['CONTRACT'];
const APPROVED = ['READINESS', 'VERIFY', 'RELEASE'];

/** The phases in which a call works. A call that works in every phase is not listed. */
const PHASES: Readonly<Record<string, readonly string[]>> = {
  post_turn: PLAN,
  post_evidence: PLAN,
  submit_decision: PLAN,
  accept_decision: PLAN,
  reject_decision: PLAN,
  withdraw_decision: PLAN,
  elect_contract_author: PLAN,
  appointAuthor: PLAN,
  submit_contract: PLAN,
  patch_contract: WRITE,
  submit_preflight: WRITE,
  submit_final_review: WRITE,
  approveContract: WRITE,
  submit_finding: [...WRITE, ...APPROVED],
  requestChanges: [...WRITE, ...APPROVED],
  confirm_receipt: ['READINESS'],
  submit_readiness: ['READINESS'],
  authorize: ['READINESS'],
  submit_contract_review: WRITE,
  overrideReview: WRITE,
};

const ANSWERS = /^(answer_question|ack_intervention|answer_intervention|ack_action|complete_action|ack_events)$/;
/** Calls of the moderator that work in a paused session. */
const OF_THE_MODERATOR = /^(release_hold|resolve_finding|withdraw_question|recommend_to_owner)$/;
/**
 * Calls that work in every status: the moderator's acknowledgements, and the owner's calls that end access or set the entitlement.
 */
const AT_ANY_TIME = /^(ack_events|revoke|setEntitlement|stopModerator|restoreModerator)$/;

/** Whether the call concerns a finding that targets the caller. */
const isNamed = (findings: ReturnType<Facts['now']['findings']>, { by, input }: Facts['call']): boolean =>
  findings.some(
    ({ finding_id, target_agents }) => finding_id === input.finding_id && target_agents?.some((role) => role === by),
  );

/** Calls that work in light sessions also after the authorization of the build. */
const REPORTS = /^(confirm_receipt|submit_readiness)$/;

/** Every call that stored something was made in a phase and a status that allow it. */
export const gatesAreKept: Invariant = function* ({ before, now, call }: Facts) {
  const { status, phase } = before.session();
  const isLate = isLight(before) && REPORTS.test(call.name);
  const allowed = isLate ? ['READINESS', 'VERIFY'] : PHASES[call.name];
  if (isLate && phase === 'VERIFY' && call.input.verdict === 'BLOCKED') yield `BLOCKED was stored in ${phase}`;
  if (allowed && !allowed.includes(phase)) yield `${call.name} was stored in ${phase}`;
  if (status === 'ENDED' && !AT_ANY_TIME.test(call.name)) yield `${call.name} was stored after the end`;
  const isAgent = call.by !== 'owner';
  const isTakenBack = call.by === 'moderator' && status === 'PAUSED' && OF_THE_MODERATOR.test(call.name);
  if (isAgent && status !== 'ACTIVE' && !isTakenBack && !ANSWERS.test(call.name))
    yield `${call.name} was stored while ${status}`;
  const { technical_reviewer } = before.session();
  // The first revision of a nominated builder makes it the author.
  const isFirst = call.name === 'submit_contract' && phase === 'PLANNING';
  const { contract_author } = (isFirst ? now : before).session();
  if (
    /^(submit_contract|patch_contract|submit_preflight|respond_finding)$/.test(call.name) &&
    call.by !== contract_author &&
    !isNamed(before.findings(), call)
  )
    yield `${call.name} was stored of ${call.by}; ${contract_author} is the author`;
  const parent = before.session().latest_revision?.revision_id ?? '';
  if (/^(submit_contract|patch_contract)$/.test(call.name) && call.input.expected_parent_id !== parent)
    yield `${call.name} continued ${call.input.expected_parent_id}; ${parent} is the latest`;
  if (call.name === 'submit_finding' && call.by !== technical_reviewer)
    yield `${call.name} was stored of ${call.by}; ${technical_reviewer} is the reviewer`;
  if (call.name === 'post_turn' && call.by !== speakerIn(before.session()))
    yield `${call.by} posted a turn that was not its own`;
};
