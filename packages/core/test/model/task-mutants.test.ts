import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type Change, openMutants } from '../../../../test/support/load-mutant.ts';
import type * as run from './run.ts';
import type * as states from './starting-states.ts';

const RUN = '/packages/core/test/model/run.ts';
const STATES = '/packages/core/test/model/starting-states.ts';

/** Mistakes in the list of tasks, each with the invariants of which one must catch it. */
const MUTANTS: Readonly<Record<string, { readonly caughtBy: RegExp; readonly changes: readonly Change[] }>> = {
  'a task is listed twice': {
    caughtBy: /listBeginsWithInstruction/,
    changes: [{ file: 'areas/tasks/due.ts', find: '!keys.has(key) && keys.add(key)', by: 'keys.add(key)' }],
  },
  'the instruction is not the first task': {
    caughtBy: /listBeginsWithInstruction/,
    changes: [
      { file: 'areas/tasks/due.ts', find: 'callsDue(state, role)[0] ??', by: 'callsDue(state, role).at(-1) ??' },
    ],
  },
  'a question is left out of the tasks': {
    caughtBy: /waitingIsRight|waitsEndForWork|somebodyActs/,
    changes: [{ file: 'areas/tasks/due.ts', find: "spoken(false, 'ANSWER_QUESTION')", by: '[]' }],
  },
  'a review that waits for another role is due': {
    caughtBy: /instructionsAreUseful|nobodyElseIsFirst|instructionsCanBeFollowed|waitingIsRight|somebodyActs/,
    changes: [{ file: 'areas/tasks/due.ts', find: 'stops.waits_for === undefined', by: 'true' }],
  },
  'the action of a task that has ended stays open': {
    caughtBy: /actionsMatchObligations|was refused: (?:WRONG_PHASE|UNKNOWN_RECORD)/,
    changes: [
      { file: 'areas/tasks/agent-tasks.ts', find: '...met.map(fulfilledDraft)', by: '...[].map(fulfilledDraft)' },
    ],
  },
  'a completed action ends its task': {
    caughtBy: /waitingIsRight|unfinishedComesLast|somebodyActs/,
    changes: [
      {
        file: 'areas/tasks/due.ts',
        find: '      ...tickedOff.map((action) => taskOf(action, tickedOffCall(action))),\n',
        by: '',
      },
    ],
  },
  'a light session asks for readiness': {
    caughtBy: /approveContract .* was refused: NOT_READY/,
    changes: [{ file: 'areas/profiles.ts', find: 'asksReadiness: false', by: 'asksReadiness: true' }],
  },
  'a report BLOCKED is stored in a light build': {
    caughtBy: /gatesAreKept: BLOCKED was stored in VERIFY/,
    changes: [
      { file: 'areas/manifest/operations.ts', find: 'state.manifest.build_authorized) refuse', by: 'false) refuse' },
    ],
  },
  'a finding that blocks does not stop certification': {
    caughtBy: /blockersAreRight/,
    changes: [
      { file: 'areas/tasks/contract-tasks.ts', find: '  if (!blocking) return task;', by: '  if (id) return task;' },
    ],
  },
};

const mutants = await openMutants();
afterAll(() => mutants.close());

/** Runs sequences of calls until an invariant fails. Returns its message, or an empty text. */
async function firstFault(changes: readonly Change[]): Promise<string> {
  const mutant = mutants.open(changes);
  try {
    const startFrom = await mutant.load<typeof run.startFrom>(RUN, 'startFrom');
    const commands = await mutant.load<typeof run.commands>(RUN, 'commands');
    const starts = await mutant.load<typeof states.STARTS>(STATES, 'STARTS');
    const opened = Object.values(starts).map((story) => startFrom(story));
    const property = fc.property(fc.constantFrom(...opened), commands(20), (start, sequence) => {
      const own = { ...start, calls: [] };
      fc.modelRun(() => ({ model: own, real: own }), sequence);
    });
    fc.assert(property, { seed: 20_261_121, numRuns: 400, endOnFailure: true });
    return '';
  } catch (error) {
    return String(error) + String(Object(error).cause ?? '');
  } finally {
    await mutant.close();
  }
}

test.each(Object.entries(MUTANTS))('the model catches a mistake: %s', async (_name, { changes, caughtBy }) => {
  expect(await firstFault(changes)).toMatch(caughtBy);
});
