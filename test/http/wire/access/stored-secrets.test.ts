import { createHash } from 'node:crypto';
import { createMemoryStorage, type Storage } from '@parley/core';
import { expect, test } from 'vitest';
import { at } from '../../../support/exchange.ts';
import { invite } from '../../../support/join-session.ts';
import { callTool, REST, restPath } from '../../../support/requests.ts';
import { ask, post, type Service, startService } from '../../../support/service.ts';
import { stockSession } from '../support/sample-sessions.ts';

/** A storage in memory that also records everything that is handed to its methods. */
function copyingStorage() {
  const handed: string[] = [];
  const storage: Storage = new Proxy(createMemoryStorage(), {
    get(kept, name) {
      const method: unknown = Reflect.get(kept, name);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) => {
        handed.push(`${String(name)} ${JSON.stringify(given)}`);
        return Reflect.apply(method, kept, given);
      };
    },
  });
  return { storage, handed };
}

async function redeem({ send }: Service, code: string): Promise<string> {
  const sent = {
    method: 'POST',
    path: `${REST}/invitations/redeem`,
    body: JSON.stringify({ code, client_type: 'curl' }),
  };
  return String(at((await send(sent)).json, 'token'));
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Forms in which a secret might be stored: plain, hex, base64, reversed, and each of these without its prefix. */
const formsOf = (secret: string): readonly string[] => {
  const [plain, withoutPrefix] = [Buffer.from(secret), Buffer.from(secret.replace(/^[a-z]+_/, ''))];
  return [plain, withoutPrefix].flatMap((bytes) => [
    bytes.toString(),
    bytes.toString('hex'),
    bytes.toString('base64').slice(0, -4),
    [...bytes.toString()].reverse().join(''),
  ]);
};

/** Parts of a secret that must not be stored: its first 11 characters, and parts outside the session id. */
const partsOf = (secret: string): readonly string[] => [
  secret.slice(0, 11),
  secret.slice(10, 26),
  secret.slice(30, 46),
  secret.slice(-8),
];

test('of a token and of a code the storage is handed the SHA-256 and the first 10 characters, and nothing else', async () => {
  const { storage, handed } = copyingStorage();
  const service = await startService({ storage, sharedLimits: true });
  const { sessionId } = await stockSession(service);
  const codes = [await invite(service.owner, sessionId, 'agent_a'), await invite(service.owner, sessionId, 'agent_b')];
  const tokens: string[] = [];
  for (const code of codes) tokens.push(await redeem(service, code));
  await redeem(service, codes[0] ?? '');
  const [mine = '', other = ''] = tokens;
  await ask(service, restPath(sessionId, 'turns'), mine, { summary: 'Ids are enough.', request_id: 'turn-2' });
  await ask(service, restPath(sessionId, 'state'), `${mine.slice(0, -1)}_`);
  await post(service, other, callTool('post_turn', { summary: 'Agreed.' }));
  await service.send({ method: 'POST', path: `/api/public/mcp/${other}`, body: callTool('read_task') });
  await service.owner.revoke(sessionId, { role: 'agent_b' });
  const all = handed.join('\n');
  for (const secret of [...codes, ...tokens]) {
    const found = [...formsOf(secret), ...partsOf(secret)].filter((form) => all.includes(form));
    expect(found).toEqual([]);
    expect(all).toContain(sha256(secret));
    expect(all).toContain(secret.slice(0, 10));
  }
  expect(all).not.toMatch(/\b(prt|pinv)_\w{7}/);
});
