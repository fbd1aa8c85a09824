import type { Change } from '../../../support/load-mutant.ts';

/** Mistakes in functions of Parley. Each replaces a text of a source file while the file is loaded. */
export const SOURCE_MUTANTS: Readonly<Record<string, readonly Change[]>> = {
  'the state is fetched before the waiter is registered': [
    {
      file: 'kernel/engine/reads.ts',
      find: `  const waiter = engine.waiters.register(sessionId, call.holder, engine.limits.heldPollsPerToken);
  try {
    const state = await loadState(engine, call);
`,
      by: `  const state = await loadState(engine, call);
  const waiter = engine.waiters.register(sessionId, call.holder, engine.limits.heldPollsPerToken);
  try {
`,
    },
  ],
  'the idempotency key is kept outside the append': [
    {
      file: 'kernel/engine/decide-write.ts',
      find: '  { call: { operation, idempotency } }: Writing<S>,',
      by: '  { engine, call: { operation, idempotency } }: Writing<S>,',
    },
    {
      file: 'kernel/engine/decide-write.ts',
      find: 'operation.findIdempotencyRecord?.(state, idempotency.key, caller);',
      by: 'keysOf(engine).get(caller.role + idempotency.key);',
    },
    {
      file: 'kernel/engine/decide-write.ts',
      find: '  const { caller, texts } = result;\n',
      by: `  const { caller, texts } = result;
  if (result.outcome === 'append' && call.idempotency) {
    const { key, fingerprint } = call.idempotency;
    keysOf(engine).set(caller.role + key, { seq: result.prepared.events[0].seq, fingerprint });
  }
`,
    },
    {
      file: 'kernel/engine/decide-write.ts',
      find: 'const withActor =',
      by: `const keyTables = new WeakMap();
function keysOf(engine) {
  if (!keyTables.has(engine)) keyTables.set(engine, new Map());
  return keyTables.get(engine);
}

const withActor =`,
    },
  ],
  'a wait that is over looks no more': [
    {
      file: 'kernel/engine/reads.ts',
      find: 'const last = found ?? (await lastLook(engine, call));',
      by: 'const last = found ?? state;',
    },
  ],
  'an event that is hidden from a role wakes it': [
    {
      file: 'kernel/log/event-catalog.ts',
      find: '  if (!kind || !isMessage(kind, event.data)) return transcript;\n',
      by: `  if (!kind) return transcript;
  if (!isMessage(kind, event.data)) {
    const woken = { ...transcript.latest };
    for (const role of READERS) woken[role] = { ...woken[role], fromOthers: nextLatest(woken[role], event, role).fromOthers };
    return { ...transcript, latest: woken };
  }
`,
    },
  ],
  'the chain is not checked': [
    {
      file: 'kernel/session/load-session.ts',
      find: "    if (!continues(reached.state.head, tail)) return { reached, end: 'contradicted' };\n",
      by: '',
    },
    {
      file: 'kernel/session/load-session.ts',
      find: '    if (event.seq !== state.head.seq + 1 || event.prevHash !== state.head.hash) throw brokenLog(state.head.seq + 1);\n',
      by: '',
    },
    {
      file: 'kernel/session/load-session.ts',
      find: '  if (reached.state.head.hash !== tail.head.hash) throw brokenLog(reached.state.head.seq + 1);\n',
      by: '',
    },
  ],
  'a snapshot is read whatever fold wrote it': [
    {
      file: 'kernel/session/snapshots.ts',
      find: 'await storage.loadSnapshot?.(sessionId, foldVersion);',
      by: 'await storage.loadSnapshot?.(sessionId, foldVersion + 1);',
    },
    {
      file: 'kernel/session/snapshots.ts',
      find: 'read<S>(key, { ...stored, sessionId, foldVersion })',
      by: 'read(key, { ...stored, sessionId })',
    },
  ],
};
