import fc from 'fast-check';
import { actionsMatchObligations, tickedAfter } from './invariants/actions.ts';
import { blockersAreRight, certificationIsRight, reviewsAreRight } from './invariants/certification.ts';
import type { Invariant } from './invariants/facts.ts';
import { feedIsRight, messagesAreShown } from './invariants/feed.ts';
import { gatesAreKept, phaseMovesAreRight } from './invariants/gates.ts';
import {
  instructionsCanBeFollowed,
  listBeginsWithInstruction,
  readerIsYou,
  somebodyActs,
  waitingIsRight,
} from './invariants/instruction.ts';
import { approvalIsRight, bytesAreRight, manifestIsRight, validationIsRight } from './invariants/manifest.ts';
import {
  holdsAreRight,
  moderationIsRight,
  moderatorIsTold,
  nothingPassesAHold,
  shutOutIsShutOut,
  statusIsRight,
} from './invariants/moderation.ts';
import { adviceKeepsWork } from './invariants/owner-waits.ts';
import { quotaRefusal, quotasAreRight } from './invariants/quotas.ts';
import { decisionsAreRight, evidenceIsKept, openRecordsAreRight, turnsAreRight } from './invariants/records.ts';
import { textsAreKept } from './invariants/texts.ts';
import { instructionsAreUseful, nobodyElseIsFirst, unfinishedComesLast } from './invariants/usefulness.ts';
import { newWorkIsTold, waitsEndForWork } from './invariants/waits.ts';
import { EMPTY_LEDGER, entered, type Ledger } from './ledger.ts';
import { isTold, moderated } from './moderation.ts';
import { moveFor } from './moves/moves.ts';
import { refusalDue } from './moves/refusals.ts';
import { saidAfter } from './said.ts';
import { BUILDERS, type Builder, isBuilder, type Seen, seen } from './seen.ts';
import { opened, type Story } from './starting-states.ts';
import { type Call, declaredBy, make, showCall, type World } from './world.ts';

const INVARIANTS: Readonly<Record<string, Invariant>> = {
  blockersAreRight,
  certificationIsRight,
  reviewsAreRight,
  bytesAreRight,
  approvalIsRight,
  manifestIsRight,
  decisionsAreRight,
  evidenceIsKept,
  textsAreKept,
  turnsAreRight,
  openRecordsAreRight,
  phaseMovesAreRight,
  gatesAreKept,
  validationIsRight,
  actionsMatchObligations,
  instructionsCanBeFollowed,
  listBeginsWithInstruction,
  readerIsYou,
  instructionsAreUseful,
  nobodyElseIsFirst,
  unfinishedComesLast,
  waitingIsRight,
  waitsEndForWork,
  newWorkIsTold,
  somebodyActs,
  adviceKeepsWork,
  moderationIsRight,
  moderatorIsTold,
  nothingPassesAHold,
  shutOutIsShutOut,
  holdsAreRight,
  statusIsRight,
  messagesAreShown,
  feedIsRight,
  quotasAreRight,
};

const GENERAL = [
  'INVALID_INPUT',
  'TOKEN_REVOKED',
  'MODERATOR_STOPPED',
  'MODERATOR_NOT_ENTITLED',
  'MODERATOR_FORBIDDEN',
  'BUILDER_FORBIDDEN',
  'PERMISSION_DENIED',
  'SESSION_NOT_ACTIVE',
  'SESSION_ENDED',
  'WRONG_PHASE',
  'QUOTA_EXHAUSTED',
];

export interface Run {
  world: World;
  now: Seen;
  ledger: Ledger;
  readonly calls: Call[];
  /** Number of occurrences of each outcome: `<operation> ok`, `<operation> <code>`, `phase <phase>`. */
  readonly tally: Map<string, number>;
}

/** Makes a call, and checks its result against the expected outcome and all invariants. */
function advance(run: Run, call: Call): void {
  const { world, refusal } = make(run.world, call);
  run.calls.push(call);
  const faults: string[] = [];
  const code = refusal?.code;
  if (code !== undefined && !GENERAL.includes(code) && !declaredBy(call.name).includes(code))
    faults.push(`refusals: ${call.name} was refused with ${code}, which it does not declare`);
  if (refusal && world !== run.world) faults.push(`refusals: ${call.name} was refused and stored something`);
  const due = quotaRefusal(run.now, call, code) ?? refusalDue({ before: run.now, ledger: run.ledger, call });
  if (due !== undefined && due !== (code ?? null))
    faults.push(`refusals: ${call.name} came to ${code ?? 'ok'}; ${due ?? 'ok'} is due`);
  count(
    run,
    `${call.by === 'owner' ? '' : `${isBuilder(call.by) ? 'builder' : call.by} `}${call.name} ${code ?? 'ok'}`,
  );
  if (!refusal) faults.push(...accept(run, call, world));
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\nafter\n${run.calls.map(showCall).join('\n')}`);
}

function accept(run: Run, call: Call, world: World): string[] {
  const { now: before, ledger } = run;
  const isStored = world !== run.world;
  const moderation = moderated(ledger.moderation, call, before);
  const isRepeat = isTold(call) && (moderation !== ledger.moderation) !== isStored;
  const faults = isRepeat ? [`repeats: ${call.name} stored ${isStored ? 'something' : 'nothing'}`] : [];
  run.ledger = { ...ledger, moderation };
  if (!isStored) return faults;
  run.world = world;
  run.now = seenAfter(before, call, world);
  run.ledger = entered(run.ledger, call, run.now);
  const said = saidAfter(run.ledger.said, { call, before, now: run.now });
  run.ledger = { ...run.ledger, said, ticked: tickedAfter({ ...run, before, call }) };
  faults.push(...faultsOf({ ...run, before, call }));
  count(run, `phase ${run.now.session().phase}`);
  return faults;
}

const CHANGES_PLAN =
  /^(submit_contract|patch_contract|revalidate_contract|submit_final_review|requestChanges|approveContract)$/;

/** Returns the views after a call. Reads the plan again only if the call, a decision or a blocker may have changed it. */
function seenAfter(before: Seen, call: Call, world: World): Seen {
  const now = seen(world);
  if (CHANGES_PLAN.test(call.name) || showPlanFacts(before) !== showPlanFacts(now)) return now;
  return seen(world, before.plan());
}

const showPlanFacts = ({ blockers, view }: Seen): string => JSON.stringify([blockers(), view().decisions]);

const faultsOf = (facts: Parameters<Invariant>[0]): string[] =>
  Object.entries(INVARIANTS).flatMap(([name, invariant]) => [...invariant(facts)].map((fault) => `${name}: ${fault}`));

function count({ tally }: Run, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

/** Starts a run at the end of a story. The invariants are checked after each call of the story too. */
export function startFrom({ calls, ...story }: Story, tally = new Map<string, number>()): Run {
  const { world } = opened(story);
  const run: Run = { world, now: seen(world), ledger: EMPTY_LEDGER, calls: [], tally };
  for (const call of calls) advance(run, call);
  return run;
}

/** Makes a command for fast-check. The builder `who`, the number `n` and the state determine the call. */
const commandOf = ({ who, n }: { readonly who: Builder; readonly n: number }): fc.Command<Run, Run> => ({
  check: (run) => moveFor(run.now, who, n) !== null,
  run(_run, real) {
    const call = moveFor(real.now, who, n);
    if (call) advance(real, call);
  },
  toString: () => `${who}:${n}`,
});

export const commands = (maxCommands: number, replayPath?: string) => {
  const idea = fc.record({ who: fc.constantFrom(...BUILDERS), n: fc.nat(99_999) });
  const options = replayPath === undefined ? {} : { replayPath };
  return fc.commands([idea.map(commandOf)], { maxCommands, size: 'max', ...options });
};
