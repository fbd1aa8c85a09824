import fc from 'fast-check';
import { by } from '../model/stages.ts';
import { type Call, declaredBy, make, showCall, type World } from '../model/world.ts';
import { BUILDERS, type Builder, begun, other, rebuilt } from './build.ts';
import { INVARIANTS } from './invariants.ts';
import { EMPTY_LEDGER, entered, type Ledger } from './ledger.ts';
import { filled, moveFor } from './moves.ts';
import { type Seen, seen } from './seen.ts';

/** Codes that any call can be refused with, whatever the operation declares. */
const GENERAL = ['INVALID_INPUT', 'SESSION_NOT_ACTIVE', 'SESSION_ENDED', 'WRONG_PHASE'];

/** One sequence on its way. */
export interface Run {
  world: World;
  now: Seen;
  ledger: Ledger;
  readonly calls: Call[];
  /** How often each outcome came about: `<operation> ok`, `<operation> <code>`. */
  readonly tally: Map<string, number>;
}

export const startRun = (tally = new Map<string, number>()): Run => ({
  world: begun,
  now: seen(begun),
  ledger: EMPTY_LEDGER,
  calls: [],
  tally,
});

/** Makes a call and holds everything against what it must have come to. */
export function advance(run: Run, call: Call): void {
  const { world, refusal } = make(run.world, call);
  run.calls.push(call);
  const code = refusal?.code;
  const faults: string[] = [];
  count(run, `${call.name} ${code ?? 'ok'}`);
  if (code !== undefined && !GENERAL.includes(code) && !declaredBy(call.name).includes(code))
    faults.push(`refusals: ${call.name} was refused with ${code}, which it does not declare`);
  if (refusal && world !== run.world) faults.push(`refusals: ${call.name} was refused and stored something`);
  if (!refusal) faults.push(...accept(run, call, world));
  if (faults.length > 0) throw new Error(`${faults.join('\n')}\nafter\n${run.calls.map(showCall).join('\n')}`);
}

function accept(run: Run, call: Call, after: World): string[] {
  const before = run.now;
  // The next manifest comes at once: what lies between the two is another model's.
  const world = call.name === 'requestChanges' ? rebuilt(resumed(after)) : after;
  const isChanged = world !== run.world;
  run.world = world;
  run.ledger = entered(run.ledger, call);
  if (isChanged) run.now = seen(world);
  const facts = { world, now: run.now, before, call, ledger: run.ledger };
  return Object.entries(INVARIANTS).flatMap(([name, invariant]) =>
    [...invariant(facts)].map((fault) => `${name}: ${fault}`),
  );
}

const resumed = (world: World): World =>
  world.state.profile.status === 'PAUSED' ? make(world, by('owner', 'resume')).world : world;

function count({ tally }: Run, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

/** Both do the first thing that verify_next says, on a system that works by now, until the owner can release. */
export function finish(run: Run, limit = 120): number {
  if (run.now.status === 'PAUSED') advance(run, by('owner', 'resume'));
  for (let calls = 0; calls < limit; calls += 1) {
    if (run.now.board().certification.certified) return calls;
    const who = BUILDERS.find((builder) => run.now.items(builder).length > 0);
    const [item] = who ? run.now.items(who) : [];
    if (!who || !item) break;
    advance(run, by(who, item.tool, filled(run.now, who, item, calls)));
  }
  throw new Error(`verify_next leads nowhere after\n${run.calls.map(showCall).join('\n')}`);
}

/** A command knows who and a number; what call that is, the state says. */
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
