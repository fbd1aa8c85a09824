import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../src/kernel/text/hash.ts';
import { openSession } from '../../../src/testing/index.ts';

/**
 * The body of an event as an earlier version stored it: that version took numbers beyond 2^53, which JSON.parse rounds. The digits
 * stand in the text as `JSON.stringify` wrote them.
 */
const DIGITS = ['9223372036854776000', '9007199254740993', '1e+30', '-9007199254740993'];

async function opened(digits: string) {
  const session = await openSession();
  const { storage, sessionId, agentA } = session;
  await agentA.call('post_turn', { summary: 'We measure it.' });
  const { head } = (await storage.fetch(sessionId, 0)) ?? { head: { seq: 0, hash: '' } };
  const data = `{"turn_index":0,"evidence":[{"kind":"log","reference":"big.log","excerpt":"x","size":${digits}}]}`;
  const body = `{"session_id":"${sessionId}","seq":${head.seq + 1},"at":"2026-01-05T09:00:00.000Z","kind":"evidence.posted","v":1,"actor":"agent_a","data":${data},"prev_hash":"${head.hash}"}`;
  const events = [{ seq: head.seq + 1, hash: sha256Hex(body), body }];
  const listing = { title: 'T', status: 'ACTIVE', phase: 'PLANNING', createdAt: '2026-01-05T09:00:00.000Z' };
  expect(await storage.append({ sessionId, expected: head, events, documents: [], listing })).toBe('appended');
  // Folds the event, so that the next write is decided after it and loses no race.
  await agentA.call('read_session_state', {});
  return { ...session, body };
}

describe.each(DIGITS)('a stored log with the number %s', (digits) => {
  test('verifies, folds, goes on and shows the number', async () => {
    const { owner, sessionId, agentA, agentB, body } = await opened(digits);
    expect(await owner.verifyLog(sessionId)).toMatchObject({ ok: true, events: 10 });
    await agentB.call('post_turn', { summary: 'It fits.' });
    await agentA.call('post_evidence', { evidence: [{ kind: 'log', reference: 'next.log' }] });
    expect(await owner.verifyLog(sessionId)).toMatchObject({ ok: true, events: 12 });
    const { messages } = await agentB.call('read_messages', {});
    expect(messages.find(({ kind }) => kind === 'evidence.posted')?.body).toMatchObject({
      evidence: [{ reference: 'big.log', size: Number(digits) }],
    });
    const lines: string[] = [];
    for await (const line of owner.exportLog(sessionId)) lines.push(line);
    expect(lines.some((line) => JSON.parse(line).event === body)).toBe(true);
  });
});
