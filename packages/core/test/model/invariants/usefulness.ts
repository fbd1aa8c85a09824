import { EVERYBODY, followed, type Somebody } from '../bot.ts';
import { BUILDERS, type Builder, dueInterventionsIn, isLight, type Seen, seen } from '../seen.ts';
import { type Call, make, showCall } from '../world.ts';
import type { Facts, Invariant } from './facts.ts';

/** Returns the instruction of a role. Null for a moderator without access. */
function told(who: Somebody, { session, state, moderator }: Seen) {
  if (who === 'owner') return session().instruction;
  if (who !== 'moderator') return state(who).instruction;
  const shown = moderator();
  return shown.refused === null ? shown.state.instruction : null;
}

export const isSameFor = (who: Somebody, now: Seen, before: Seen): boolean =>
  JSON.stringify(told(who, now)) === JSON.stringify(told(who, before));

/**
 * After the call that an instruction names, the instruction does not name the same call again. Tested only when the
 * instruction has changed. Calls of VERIFY are tested in `test/verify-model`.
 */
export const instructionsAreUseful: Invariant = function* ({ world, now, before }) {
  for (const who of EVERYBODY) {
    const call = followed(now, who);
    if (!call || call.name.startsWith('verify_') || isSameFor(who, now, before)) continue;
    const { world: after, refusal } = make(world, call);
    if (refusal) continue; // `instructionsCanBeFollowed` reports the refusal.
    if (after === world) yield `${who} is told ${showCall(call)}, which changes nothing`;
    else yield* toldAgain(who, call, seen(after));
  }
};

function* toldAgain(who: Somebody, call: Call, after: Seen): Generator<string> {
  const next = followed(after, who);
  if (next && showCall(next) === showCall(call)) yield `${who} is told ${showCall(call)} again after it was made`;
}

/** No instruction names a call before which another role has to make a call. */
export const nobodyElseIsFirst: Invariant = function* (facts) {
  for (const who of EVERYBODY) {
    const call = followed(facts.now, who);
    if (call) for (const first of dueBefore(call, facts)) yield `${who} is told ${call.name}, and ${first} first`;
  }
};

/** Codes of blockers that require another revision. Reviews of the present revision have no effect then. */
const VOIDS_REVIEW =
  /^(CHANGES_REQUESTED|VALIDATION_ERROR|FINDING_UNANSWERED|FINDING_UNRESOLVED|REVIEW_REQUESTS_CHANGES|MODERATOR_REVIEW_REQUESTS_CHANGES)$/;

/** Yields the tasks of other roles that must come before the call. Derived from the ledger and the lists of records. */
function* dueBefore({ by, name, input }: Call, facts: Facts): Generator<string> {
  const { now, ledger } = facts;
  const { contract_author: author } = now.session();
  const { blockers } = now.blockers();
  switch (name) {
    case 'submit_final_review':
    case 'submit_contract_review':
      for (const { code, responsible } of blockers) if (VOIDS_REVIEW.test(code)) yield `${responsible} removes ${code}`;
      if (by !== author || name !== 'submit_final_review') return;
      for (const builder of BUILDERS)
        if (builder !== author && !ledger.reviews[builder]) yield `${builder}, the Technical Reviewer, reviews`;
      return;
    case 'approveContract':
      for (const { code, responsible } of blockers) yield `${responsible} removes ${code}`;
      return;
    case 'resolve_finding': {
      const finding = now.findings().find(({ finding_id }) => finding_id === input.finding_id);
      for (const builder of finding?.awaiting ?? []) yield `${builder} answers ${finding?.finding_id}`;
      return;
    }
    case 'accept_decision': {
      const decision = now.view().decisions.find(({ decision_id }) => decision_id === input.decision_id);
      const isOwn = decision?.proposed_by === by;
      if (isOwn && decision?.accepted_by.length === 0) yield `the other agent accepts ${decision.decision_id}`;
      return;
    }
    case 'authorize':
      yield* dueBeforeBuild(facts);
      return;
    default:
  }
}

function* dueBeforeBuild({ now, ledger }: Facts): Generator<string> {
  if (now.session().phase !== 'READINESS') return;
  const reports = now.view().readiness;
  for (const builder of BUILDERS) {
    const report = reports.find(({ by }) => by === builder);
    const isReady = report?.verdict === 'READY_TO_CODE' || (isLight(now) && report === undefined);
    if (!isReady) yield `${builder} reports READY_TO_CODE`;
  }
  for (const { by, answers } of isLight(now) ? [] : reports)
    if (answers.some(({ check }) => check === 'UNCHECKED')) yield `the answers of ${by} are confirmed`;
  if (ledger.moderation.holds.some(({ cause }) => cause === null)) yield 'a hold is released';
}

/** An instruction names acknowledged work only if the builder has no other work. */
export const unfinishedComesLast: Invariant = function* ({ now }) {
  for (const role of BUILDERS) {
    const named = acknowledgedIn(now, role);
    const [other] = named === undefined ? [] : [...unseenWork(now, role)];
    if (other) yield `${role} is told of ${named}, which it acknowledged, before ${other}`;
  }
};

/** The id of the acknowledged, unfinished record that the instruction names. */
function acknowledgedIn(now: Seen, role: Builder): string | undefined {
  const { instruction, pending_actions } = now.state(role);
  const ids = [
    ...pending_actions.filter(({ status }) => status === 'ACKNOWLEDGED').map(({ action_id }) => action_id),
    ...dueInterventionsIn(now.state(role))
      .filter(({ status }) => status === 'ACKNOWLEDGED')
      .map(({ intervention_id }) => intervention_id),
  ];
  return ids.find((id) => new RegExp(`\\b${id}\\b`).test(instruction.text));
}

function* unseenWork(now: Seen, role: Builder): Generator<string> {
  const { status, phase, your_turn, open_questions } = now.state(role);
  for (const { question_id } of open_questions) yield question_id;
  for (const record of dueInterventionsIn(now.state(role))) if (record.status === 'OPEN') yield record.intervention_id;
  if (status === 'ACTIVE' && phase === 'PLANNING' && your_turn) yield 'its turn';
}
