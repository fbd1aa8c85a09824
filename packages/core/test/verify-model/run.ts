import fc from 'fast-check';
import type { ProfileName } from '../../src/areas/profiles.ts';
import { isOpen, isTold, moderated } from '../model/moderation.ts';
import { refusalDue } from '../model/moves/refusals.ts';
import { seen as overviewOf } from '../model/seen.ts';
import { by } from '../model/starting-states.ts';
import { type Call, declaredBy, make, type Payload, showCall, type World } from '../model/world.ts';
import { BUILDERS, type Builder, begunIn, other, rebuilt } from './build.ts';
import { INVARIANTS } from './invariants.ts';
import { EMPTY_LEDGER, entered, evidenceDue, type Ledger, passDue } from './ledger.ts';
import { filled, moveFor } from './moves.ts';
import { type Seen, seen } from './seen.ts';

const GENERAL = [
  'INVALID_INPUT',
  'TOKEN_REVOKED',
  'MODERATOR_STOPPED',
  'MODERATOR_NOT_ENTITLED',
  'BUILDER_FORBIDDEN',
  'PERMISSION_DENIED',
  'SESSION_NOT_ACTIVE',
  'SESSION_ENDED',
  'WRONG_PHASE',
];

export interface Run {
  world: World;
  now: Seen;
  ledger: Ledger;
  readonly calls: Call[];
  /** Number of occurrences of each outcome: `<operation> ok`, `<operation> <code>`. */
  readonly tally: Map<string, number>;
}

export function startRun(profile: ProfileName): Run {
  const world = begunIn(profile);
  return { world, now: seen(world), ledger: EMPTY_LEDGER, calls: [], tally: new Map() };
}

/** Makes a call, and checks its result against the expected outcome and all invariants. */
export function advance(run: Run, call: Call): void {
  const { world, refusal } = make(run.world, call);
  run.calls.push(call);
  const code = refusal?.code;
  const faults: string[] = [];
  count(run, `${call.name} ${code ?? 'ok'}`);
  if (code !== undefined && !GENERAL.includes(code) && !declaredBy(call.name).includes(code))
    faults.push(`refusals: ${call.name} was refused with ${code}, which it does not declare`);
  if (refusal && world !== run.world) faults.push(`refusals: ${call.name} was refused and stored something`);
  const latest = null; // In these phases a review is refused before the latest revision is compared.
  const ledger = { latest, moderation: run.ledger.moderation };
  const due = refusalDue({ before: run.now.overview, ledger, call });
  if (due !== undefined && due !== (code ?? null))
    faults.push(`refusals: ${call.name} came to ${code ?? 'ok'}; ${due ?? 'ok'} is due`);
  const isDecided = code === undefined || !GENERAL.includes(code);
  for (const taken of isDecided ? [evidenceDue(run.ledger, call), passDue(run.ledger, call)] : [])
    if (taken !== undefined && !(taken === null ? code === undefined : taken.includes(String(code))))
      faults.push(`outcome: ${call.name} came to ${code ?? 'ok'}; ${taken ?? 'ok'} is due`);
  if (!refusal) faults.push(...accept(run, call, world));
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\nafter\n${run.calls.map(showCall).join('\n')}`);
}

function accept(run: Run, call: Call, after: World): string[] {
  const { now: before, ledger } = run;
  const moderation = moderated(ledger.moderation, call, before.overview);
  const isStored = after !== run.world;
  const isRepeat = isTold(call) && (moderation !== ledger.moderation) !== isStored;
  run.world = after;
  run.ledger = { ...entered(ledger, call), moderation };
  // Freezes the next manifest directly. `test/model` tests the steps between the request for changes and the approval.
  if (call.name === 'requestChanges') rebuild(run);
  if (isStored) run.now = seen(run.world);
  const facts = { world: run.world, now: run.now, before, call, ledger: run.ledger };
  const faults = Object.entries(INVARIANTS).flatMap(([name, invariant]) =>
    [...invariant(facts)].map((fault) => `${name}: ${fault}`),
  );
  return isRepeat ? [`repeats: ${call.name} stored ${isStored ? 'something' : 'nothing'}`, ...faults] : faults;
}

/** Freezes the next manifest, after the owner has removed everything that would block the approval. */
function rebuild(run: Run): void {
  run.world = resumed(run.world);
  for (const [index, finding] of run.ledger.moderation.findings.entries()) {
    if (!isOpen(finding)) continue;
    const call = by('owner', 'overrideFinding', { finding_id: `f_${index + 1}`, reason: 'Minor.' });
    const moderation = moderated(run.ledger.moderation, call, overviewOf(run.world));
    run.world = make(run.world, call).world;
    run.ledger = { ...run.ledger, moderation };
  }
  run.world = rebuilt(withAnswers(run.world));
}

/** Answers all blocking questions, because they would block the approval. */
function withAnswers(world: World): World {
  const open = overviewOf(world)
    .view()
    .interventions.flatMap(({ intervention_id, blocking, responses }) =>
      blocking ? responses.map(({ role, status }) => ({ intervention_id, role, status })) : [],
    )
    .filter(({ status }) => status === 'OPEN' || status === 'ACKNOWLEDGED');
  return open.reduce(
    (told, { intervention_id, role }) =>
      make(told, by(role, 'answer_intervention', { intervention_id, text: 'So.' })).world,
    world,
  );
}

const resumed = (world: World): World =>
  world.state.profile.status === 'PAUSED' ? make(world, by('owner', 'resume')).world : world;

function count({ tally }: Run, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

/**
 * Makes both builders follow the first item of `verify_next` until every certification check holds. If no builder has
 * an item, the owner removes what stops them. Returns the number of calls.
 */
export function finish(run: Run, limit = 120): number {
  if (run.now.status === 'PAUSED') advance(run, by('owner', 'resume'));
  for (let calls = 0; calls < limit; calls += 1) {
    const { tool } = run.now.instruction('owner');
    // After the last authorization the owner's next call is `end`, even if a hold makes a certification check fail.
    if (run.now.board().certification.certified || tool === 'end') return calls;
    const who = BUILDERS.find((builder) => run.now.items(builder).length > 0);
    const [item] = who ? run.now.items(who) : [];
    const [hold] = run.now.overview.session().holds;
    if (!who && hold && tool === 'releaseHold') {
      advance(run, by('owner', 'releaseHold', { hold_id: hold.hold_id, reason: 'It may go on.' }));
      continue;
    }
    const finding = run.ledger.moderation.findings.findIndex((each) => each.isBlocking && isOpen(each));
    if (!who && tool === 'overrideFinding') {
      advance(run, by('owner', 'overrideFinding', { finding_id: `f_${finding + 1}`, reason: 'Minor.' }));
      continue;
    }
    const [advice] = run.now.overview.view().recommendations.filter(({ answer }) => answer === null);
    if (!who && advice && tool === 'respondRecommendation') {
      const { recommendation_id } = advice;
      advance(run, by('owner', 'respondRecommendation', { recommendation_id, decision: 'REJECT' }));
      continue;
    }
    const [question] = run.now.overview.view().state.open_questions;
    if (!who && question && tool === 'answerQuestion') {
      advance(run, by('owner', 'answerQuestion', { question_id: question.question_id, text: 'You may.' }));
      continue;
    }
    if (!who || !item) break;
    advance(run, by(who, item.tool, filled(run.now, who, item, calls)));
  }
  throw new Error(`verify_next leads nowhere after\n${run.calls.map(showCall).join('\n')}`);
}

/** Makes the calls that the instructions of the builders and the owner name after {@link finish}, to the end. */
export function conclude(run: Run, limit = 12): void {
  finish(run);
  for (let calls = 0; calls < limit && run.now.status === 'ACTIVE'; calls += 1) {
    const who = BUILDERS.find((builder) => run.now.items(builder).length > 0);
    const [item] = who ? run.now.items(who) : [];
    const wait = run.now.overview.view().waits.find(({ operation }) => operation === run.now.instruction('owner').tool);
    if (who && item) advance(run, by(who, item.tool, filled(run.now, who, item, calls)));
    else if (wait) advance(run, by('owner', wait.operation, { ...wait.payload, ...ANSWERS[wait.operation] }));
    else break;
  }
  if (run.now.status !== 'ENDED') throw new Error(`No end after\n${run.calls.map(showCall).join('\n')}`);
}

const ANSWERS: Readonly<Record<string, Payload>> = {
  respondRecommendation: { decision: 'REJECT' },
  answerQuestion: { text: 'You may.' },
  releaseHold: { reason: 'It may go on.' },
  overrideFinding: { reason: 'Minor.' },
};

/** Makes a command for fast-check. The builder `who`, the number `n` and the state determine the call. */
const commandOf = ({ who, n }: { readonly who: Builder; readonly n: number }): fc.Command<Run, Run> => ({
  check: (run) => (moveFor(run.now, who, n) ?? moveFor(run.now, other(who), n)) !== null,
  run(_run, real) {
    const call = moveFor(real.now, who, n) ?? moveFor(real.now, other(who), n);
    if (call) advance(real, call);
  },
  toString: () => `${who}:${n}`,
});

export const commands = (maxCommands: number, replayPath?: string) => {
  const idea = fc.record({ who: fc.constantFrom(...BUILDERS), n: fc.nat(99_999) });
  const options = replayPath === undefined ? {} : { replayPath };
  return fc.commands([idea.map(commandOf)], { maxCommands, size: 'max', ...options });
};
