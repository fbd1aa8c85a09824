import { isDeepStrictEqual } from 'node:util';
import { feedIsRight, messagesAreShown } from '../model/invariants/feed.ts';
import { readerIsYou } from '../model/invariants/instruction.ts';
import { holdsAreRight, shutOutIsShutOut, statusIsRight } from '../model/invariants/moderation.ts';
import { adviceKeepsWork } from '../model/invariants/owner-waits.ts';
import { newWorkIsTold, waitsEndForWork } from '../model/invariants/waits.ts';
import { EMPTY_LEDGER as NOTHING } from '../model/ledger.ts';
import type { Call, World } from '../model/world.ts';
import { make, showCall } from '../model/world.ts';
import { BUILDERS, type Builder, CHECKS } from './build.ts';
import { debtsAreListed, unfinishedComesLast } from './due-items.ts';
import { checksOf, commitsOf, hasPassed, isMet, type Ledger, same, statusOf, triesOf } from './ledger.ts';
import { filled } from './moves.ts';
import { type Item, type Seen, seen } from './seen.ts';

export interface Facts {
  readonly world: World;
  readonly now: Seen;
  readonly before: Seen;
  readonly call: Call;
  readonly ledger: Ledger;
}

/** Yields a description of each violation. */
type Invariant = (facts: Facts) => Iterable<string>;

const isBuilt = ({ now }: Facts): boolean => /^(VERIFY|RELEASE)$/.test(now.board().phase);

/**
 * The board shows each scenario and each attempt as the calls created them. For a scenario that passed without deviations, it shows
 * only the numbers of attempts and of items of evidence.
 */
const boardIsRight: Invariant = function* (facts) {
  const { now, ledger } = facts;
  const shown = now
    .board()
    .scenarios.map(({ scenario_id, status, attempts, passed }) =>
      [
        scenario_id,
        status,
        ...(passed ? [`${passed.attempt} PASSED ${passed.evidence_count} false`] : []),
        ...attempts.map(
          (each) => `${each.attempt} ${each.status} ${each.evidence_count} ${each.verdict?.deviations !== undefined}`,
        ),
      ].join(),
    );
  const due = CHECKS.map((check) => {
    const tries = triesOf(ledger, check.id);
    const status = statusOf(ledger, check);
    const pass = tries.findLast((each) => each.status === 'PASSED');
    const told = (status === 'PASSED' && pass?.deviates === false ? [pass] : tries).map(
      (each) => `${each.number} ${each.status} ${each.items.length} ${each.deviates}`,
    );
    return [check.id, status, ...told].join();
  });
  const expected = isBuilt(facts) ? due.join('; ') : '';
  if (shown.join('; ') !== expected) yield `the board shows ${shown.join('; ')}; ${expected} is due`;
};

const defectsAreRight: Invariant = function* ({ now, ledger }) {
  const shown = now.board().defects.map((each) => `${each.scenario_id} ${each.status} ${each.assigned_to}`);
  const due = ledger.defects.map(({ scenario, status, assignee }) => `${scenario} ${status} ${assignee}`);
  if (shown.join() !== due.join()) yield `the board shows the defects ${shown.join()}; ${due.join()} are due`;
};

/**
 * An attempt passes only on the declared commits, or is carried over to them, with sufficient evidence of both builders, by a verdict of the builder that did
 * not start the attempt.
 */
const passesAreEarned: Invariant = function* ({ now, ledger }) {
  const { handshakes, scenarios } = now.fullBoard();
  for (const { scenario_id, status, attempts, carried } of scenarios) {
    const isCarried = ledger.attempts.some((attempt) => attempt.scenario === scenario_id && attempt.isCarried);
    if ((carried !== undefined) !== isCarried) yield `${scenario_id} is shown as carried: ${carried !== undefined}`;
    if (status !== 'PASSED') continue;
    const pass = attempts.findLast((attempt) => attempt.status === 'PASSED');
    const commits = carried?.commits ?? pass?.commits;
    for (const builder of BUILDERS) {
      if (!pass || !same(commits?.[builder] ?? '', handshakes[builder]?.commit ?? '-'))
        yield `${scenario_id} PASSED on ${commits?.[builder]}; ${handshakes[builder]?.commit} is declared`;
      if (carried && !same(carried.verified[builder], pass?.commits[builder] ?? '-'))
        yield `${scenario_id} is carried from ${carried.verified[builder]}; it passed on ${pass?.commits[builder]}`;
    }
    if (pass?.verdict?.by === pass?.started_by)
      yield `${scenario_id} was judged by ${pass?.started_by}, who started it`;
  }
  for (const { id, policy } of CHECKS)
    for (const { status, items, number, starter, judge } of ledger.attempts.filter(({ scenario }) => scenario === id)) {
      if (status === 'PASSED' && !isMet(items, policy)) yield `${id}/${number} PASSED without enough evidence`;
      if (judge === starter) yield `${id}/${number} was judged by whoever started it`;
    }
};

/** An attempt can start only if all scenarios on which it depends have passed. */
const startsInOrder: Invariant = function* ({ before, call, ledger }) {
  if (call.name !== 'verify_start_attempt') return;
  const shown = before.board().scenarios.find(({ scenario_id }) => scenario_id === call.input.scenario_id);
  if (shown?.attempts.some(({ status }) => status === 'OPEN')) return;
  const check = CHECKS.find(({ id }) => id === call.input.scenario_id);
  for (const needed of check?.depends_on ?? [])
    if (!hasPassed(ledger, needed)) yield `${check?.id} was started before ${needed}, on which it depends, passed`;
};

/** A PASS is accepted only if both handshakes are current and all dependencies of the scenario have passed. */
const passesMeanSomething: Invariant = function* ({ call, ledger }) {
  if (call.name !== 'verify_verify' || call.input.verdict !== 'PASS') return;
  if (!checksOf(ledger).HANDSHAKES_CURRENT) yield `a PASS was taken while a side was not ready or on another fixture`;
  const check = CHECKS.find(({ id }) => id === call.input.scenario_id);
  for (const needed of check?.depends_on ?? [])
    if (!hasPassed(ledger, needed)) yield `${check?.id} PASSED before ${needed}, on which it depends`;
};

/** A defect closes only if its fixer has another commit in the passed attempt than in the failed attempt. */
const closedByAnotherCommit: Invariant = function* ({ ledger }) {
  for (const [index, { status, fixer, failedOn, closedOn }] of ledger.defects.entries()) {
    if (status !== 'CLOSED') continue;
    if (!fixer || !closedOn) yield `def_${index + 1} was closed and nobody fixed it`;
    else if (same(failedOn[fixer], closedOn[fixer])) yield `def_${index + 1} was closed on the commit that failed`;
  }
};

const certificationIsRight: Invariant = function* (facts) {
  const { now, ledger } = facts;
  if (!isBuilt(facts)) return;
  const due = checksOf(ledger);
  const { certified, checks } = now.board().certification;
  for (const { check, ok } of checks) if (ok !== due[check]) yield `${check} is shown ${ok}`;
  if (certified !== Object.values(due).every(Boolean)) yield `certified is shown ${certified}`;
};

/**
 * The owner can authorize the deployment only while the board is certified. The authorization ends when a builder declares
 * another commit.
 */
const flagsAreRight: Invariant = function* ({ now, before, call, ledger }) {
  const { authorizations, phase } = now.board();
  const { deployment_authorized, activation_authorized } = authorizations;
  if (deployment_authorized !== (ledger.deployed !== null)) yield `deployment_authorized is ${deployment_authorized}`;
  if (activation_authorized !== ledger.isActivated) yield `activation_authorized is ${activation_authorized}`;
  if (deployment_authorized !== (phase === 'RELEASE'))
    yield `deployment_authorized ${deployment_authorized} in ${phase}`;
  const declared = commitsOf(ledger);
  for (const builder of BUILDERS)
    if (ledger.deployed && !same(ledger.deployed[builder], declared[builder]))
      yield `deployed with ${ledger.deployed[builder]}; ${declared[builder]} is declared`;
  if (call.name === 'authorize' && !before.board().certification.certified)
    yield `authorized while a certification check did not hold`;
};

/**
 * The service accepts every item of `verify_next` once its placeholders are filled in. Tries every new item, and of the
 * items that were listed before the call only the item at the index `step % 4`.
 */
const itemsCanBeSent: Invariant = function* ({ now, before, world, ledger }) {
  for (const builder of BUILDERS) {
    const items = now.items(builder);
    if (now.status === 'ENDED' && items.length > 0) yield `${builder} has items while ${now.status}`;
    if (items.some(({ priority }, index) => priority !== index + 1)) yield `${builder} has items out of order`;
    const listed = new Set(before.items(builder).map(({ payload, tool }) => JSON.stringify([tool, payload])));
    for (const [index, item] of items.entries()) {
      if (listed.has(JSON.stringify([item.tool, item.payload])) && index !== ledger.step % 4) continue;
      const call = { by: builder, name: item.tool, input: filled(now, builder, item, ledger.step) };
      const { refusal, world: after } = make(world, call);
      if (!refusal && after === world) yield `${builder} is told ${showCall(call)}, which changes nothing`;
      if (refusal) yield `${builder} is told ${showCall(call)}, which is refused: ${refusal.code} ${refusal.message}`;
      else if (index === 0 && isListedAgain(seen(after), builder, item))
        yield `${builder} is told ${showCall(call)} again after it was made`;
    }
  }
};

/** No rerun of a stale scenario is listed while the fix of a defect needs another commit. */
const staleRunsWait: Invariant = function* ({ now, ledger }) {
  const isUnfixed = ledger.defects.some(({ status, assignee, failedOn, failedAt }) => {
    const builder = assignee === 'agent_a' ? 'agent_a' : 'agent_b';
    const own = ledger.declared[builder];
    return status === 'OPEN' && !(own && own.since > failedAt && !same(own.commit, failedOn[builder]));
  });
  for (const builder of BUILDERS)
    for (const { tool, payload } of isUnfixed ? now.items(builder) : []) {
      const check = CHECKS.find(({ id }) => id === payload.scenario_id);
      if (tool === 'verify_start_attempt' && check && statusOf(ledger, check) === 'STALE')
        yield `${builder} is told to run ${check.id} again before the fix of a defect`;
    }
};

const isListedAgain = (after: Seen, builder: Builder, { tool, payload, reason }: Item): boolean => {
  const [first] = after.items(builder);
  return first !== undefined && isDeepStrictEqual([first.tool, first.payload, first.reason], [tool, payload, reason]);
};

/** Until every certification check holds, an agent or the owner has a next step. */
const somebodyActs: Invariant = function* (facts) {
  const { now, ledger } = facts;
  if (!isBuilt(facts) || now.status !== 'ACTIVE') return;
  const isIdle = BUILDERS.every((builder) => now.items(builder).length === 0);
  const { NO_ACTIVE_HOLD: isReleased, NO_BLOCKING_FINDING: isSettled, ...checks } = checksOf(ledger);
  const isProven = Object.values(checks).every(Boolean);
  const holds = isProven && isReleased === true && isSettled === true;
  const { tool } = now.instruction('owner');
  const isHeldUp = isProven && !holds;
  const { recommendations, state } = now.overview.view();
  if (state.open_questions.length > 0 || recommendations.some(({ answer }) => answer === null)) {
    if (!/^(respondRecommendation|answerQuestion)$/.test(String(tool)))
      yield `the owner is told ${tool} before what it has to answer`;
    return;
  }
  const lastObstacle = isSettled ? 'releaseHold' : 'overrideFinding';
  const isTold = tool === 'releaseHold' || tool === 'overrideFinding';
  if (isHeldUp && !ledger.isActivated ? tool !== lastObstacle : isTold)
    yield `the owner is told ${tool}; held up: ${isHeldUp}, by ${lastObstacle}`;
  if (isIdle && !holds && !isHeldUp) yield `nobody has a step and not every check holds`;
  if (isIdle && holds && !/^(authorize|end)$/.test(String(tool)))
    yield `every check holds and the owner is told ${tool}`;
  if (tool === 'authorize' && !holds) yield `the owner is told to authorize and not every check holds`;
};

/** The instruction of a builder is the first item of `verify_next`, or to wait if there is no item. */
const instructionIsFirstItem: Invariant = function* (facts) {
  const { now } = facts;
  if (!isBuilt(facts) || now.status === 'ENDED') return;
  for (const builder of BUILDERS) {
    const [first] = now.items(builder);
    const { tool, text } = now.instruction(builder);
    const due = first ? `${first.tool}: ${first.reason}` : 'wait_for_my_turn';
    if ((first ? `${tool}: ${text}` : tool) !== due)
      yield `${builder} is told ${tool}: ${text}; ${due} is the first item`;
  }
};

/** The invariants of moderation hold in VERIFY and RELEASE too. They are checked only after some calls, because they are slow. */
const moderatedAlike: Invariant = function* ({ world, now, before, call, ledger }) {
  if (call.by !== 'moderator' && ledger.step % 4 !== 0) return;
  const facts = { world, now: now.overview, before: before.overview, call, ledger: { ...NOTHING, ...ledger } };
  for (const invariant of [holdsAreRight, shutOutIsShutOut, statusIsRight]) yield* invariant(facts);
  if (call.name !== 'requestChanges') for (const invariant of [messagesAreShown, feedIsRight]) yield* invariant(facts);
};

/** The invariants of long-polls, and of the texts in their answers, hold in VERIFY and RELEASE too. */
const waitsAreRight: Invariant = function* ({ world, now, before, call, ledger }) {
  const facts = { world, now: now.overview, before: before.overview, call, ledger: { ...NOTHING, ...ledger } };
  for (const invariant of [waitsEndForWork, newWorkIsTold, readerIsYou]) yield* invariant(facts);
};

/** No call that the owner's waiting tasks advise removes the manifest, an authorization or a pass. */
const adviceIsSafe: Invariant = function* ({ world, now, before, call, ledger }) {
  if (!/^(VERIFY|RELEASE)$/.test(world.state.profile.phase)) return;
  yield* adviceKeepsWork({
    world,
    now: now.overview,
    before: before.overview,
    call,
    ledger: { ...NOTHING, ...ledger },
  });
};

export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  boardIsRight,
  defectsAreRight,
  passesAreEarned,
  startsInOrder,
  passesMeanSomething,
  closedByAnotherCommit,
  certificationIsRight,
  flagsAreRight,
  itemsCanBeSent,
  staleRunsWait,
  unfinishedComesLast,
  debtsAreListed,
  somebodyActs,
  instructionIsFirstItem,
  moderatedAlike,
  waitsAreRight,
  adviceIsSafe,
};
