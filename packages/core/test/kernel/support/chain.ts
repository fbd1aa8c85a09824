import { GENESIS, type Head, recordEvent, type StoredEvent } from '../../../src/kernel/log/event.ts';
import { sha256Hex } from '../../../src/kernel/text/hash.ts';

export const SESSION = '3QbT0000000000000000aZ';
const START = Date.parse('2026-11-21T09:00:00.000Z');

/** Returns one event for each text, in this order and one second apart. The first event follows the head `from`. */
export function noteChain(texts: readonly string[], sessionId = SESSION, from: Head = GENESIS): StoredEvent[] {
  const chain: StoredEvent[] = [];
  let head = from;
  for (const text of texts) {
    const at = new Date(START + head.seq * 1000).toISOString();
    const { stored } = recordEvent(sessionId, head, { kind: 'note.added', v: 1, actor: 'agent_a', data: { text }, at });
    chain.push(stored);
    head = stored;
  }
  return chain;
}

/** Returns a copy of the event in which a part of the body is replaced. Its hash matches the new body. */
export function rewritten(event: StoredEvent, search: string, replacement: string): StoredEvent {
  const body = event.body.replace(search, replacement);
  return { ...event, body, hash: sha256Hex(body) };
}

export function nth<T>(items: readonly T[], index: number): T {
  const item = items.at(index);
  if (item === undefined) throw new Error(`There is no item ${index}.`);
  return item;
}
