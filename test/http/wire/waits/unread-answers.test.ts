import { expect, test } from 'vitest';
import { openUnread } from '../../../../packages/http-host/test/unread.ts';
import { joinSession } from '../../../support/join-session.ts';
import { restPath } from '../../../support/requests.ts';
import { ask, startService } from '../../../support/service.ts';

test('a token that sends requests and reads no answer is cut off, and only that connection is closed', async () => {
  const service = await startService();
  const { sessionId, tokens } = await joinSession(service);
  const other = await joinSession(service);
  const agentA = service.parley.agent(tokens.agent_a);
  for (let number = 1; number <= 100; number += 1)
    await agentA.call('submit_decision', { topic: `Topic ${number}`, position: 'x'.repeat(3_500) });
  const { port } = new URL(service.url);
  const path = restPath(sessionId, 'decisions');
  const head = [`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${tokens.agent_b}`, ''];
  const asked = Array.from({ length: 80 }, () => head).flat();
  const unread = await openUnread(Number(port), [...asked, '']);

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(service, restPath(other.sessionId, 'state'), other.tokens.agent_a)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));

  const one = await ask(service, path, tokens.agent_b);
  expect(one.status).toBe(200);
  expect(Buffer.byteLength(one.text)).toBeGreaterThan(280_000);
  unread.read();
  await expect.poll(() => unread.isClosed).toBe(true);
  expect(unread.received).toBeLessThan(20_000_000);
  expect((await ask(service, path, tokens.agent_b)).text).toBe(one.text);
});
