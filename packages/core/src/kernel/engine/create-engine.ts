import mittModule from 'mitt';
import { observeCall } from '../observe/instrumentation.ts';
import type { Call, Reply } from '../operation/host-port.ts';
import type { SessionRoot } from '../operation/operation.ts';
import { createSessionQueue } from '../session/sessions.ts';
import { createTokenReader } from '../token/token.ts';
import { createPresenceKeeper } from '../waiting/presence-keeper.ts';
import { Waiters } from '../waiting/waiters.ts';
import { type CommitSignals, createShownHeads, showCommitted } from '../waiting/wake-ups.ts';
import { createHeavyCalls, createLongInputQueue, type Engine, type EngineParts } from './engine.ts';
import { runRead, runWait } from './reads.ts';
import { runWrite } from './writes.ts';

// mitt's types do not match its module under the module resolution nodenext: the types describe an object with a member `default`,
// but the import is the function itself.
const mitt = mittModule as unknown as typeof mittModule.default;

/** A waiting call keeps its parsed input in memory, which can take 20 times the memory of its text. */
const CONTRACT_CALLS = { ofHolder: 8, what: 'your calls that contain a contract' };

/** Assembles the engine. Writes of one session run one after another; reads and waits run concurrently. */
export function createEngine<S extends SessionRoot>(parts: EngineParts<S>): Engine<S> {
  const { observer } = parts;
  const enqueue = createSessionQueue();
  const heavyCalls = createHeavyCalls(CONTRACT_CALLS);
  const run = (call: Call<S>): Promise<Reply> => {
    const { precompute, access } = call.operation;
    return precompute && !access.owner ? heavyCalls.run(call.holder, () => runNow(call)) : runNow(call);
  };
  const runNow = (call: Call<S>): Promise<Reply> => {
    if (call.operation.decide) return enqueue(call.sessionId, () => runWrite(engine, call));
    const seconds = call.operation.waits?.seconds(call.input) ?? 0;
    return seconds > 0 ? runWait(engine, call, seconds) : runRead(engine, call);
  };
  const engine: Engine<S> = {
    ...parts,
    waiters: new Waiters<S>(parts.clock, observer),
    signals: mitt<CommitSignals<S>>(),
    longInputs: createLongInputQueue(),
    ownerReads: createHeavyCalls(),
    presence: createPresenceKeeper(parts),
    shown: createShownHeads(),
    readToken: createTokenReader(parts.key),
    run: observer ? (call) => observeCall(observer, call, run) : run,
  };
  // First, because other processes can work on the hint while this process answers its own calls.
  engine.signals.on('committed', ({ state }) => parts.storage.hint([state.sessionId]));
  engine.signals.on('committed', (committed) => showCommitted(engine, committed));
  return engine;
}
