import { mkdir, rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type AgentName, MORE_ROUNDS, newName, type Seats, seat, startTarget, type Target } from './support/target.ts';

const IS_SHORT = process.env.ADVERSARY === 'short';

/** Four-byte characters use up a quota of 8 MiB within few requests. */
const wide = (chars: number, number: number): string => `${number} ${'🧭'.repeat(chars - 10)}`;

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

type Post = (role: AgentName, path: string, body: object) => ReturnType<Target['agent']>;

const poster =
  (target: Target, { id, tokens }: Seats): Post =>
  (role, path, body) =>
    target.agent(tokens[role], `/agent/sessions/${id}/${path}`, body);

/** Writes until the service refuses a write, and returns the error code. 200 writes exceed the quota of 8 MiB. */
async function useUp(write: (number: number) => ReturnType<Post>): Promise<unknown> {
  for (let number = 0; number < 200; number += 1) {
    const { status, body } = await write(number);
    if (status !== 200) return body.error;
  }
  return 'never refused';
}

async function open() {
  const folder = newName('quotas');
  await mkdir(folder);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const target = await startTarget({ folder });
  const seats = await seat(target);
  const owner = (path: string, body?: object) => target.owner(`/sessions/${seats.id}${path}`, body);
  const waitIds = async (): Promise<unknown[]> =>
    [(await owner('')).body.waits].flat().map((wait) => Object(wait).wait_id);
  return { post: poster(target, seats), owner, waitIds };
}

const longTurn = (number: number) => {
  const statements = many(24, (index) => wide(2_000, index));
  return {
    summary: `Turn ${number}.`,
    ...{ concerns: statements, dependencies: statements },
    ...{ safety_conditions: statements, disagreements: statements },
  };
};

test('a builder that has used up its bytes leaves the others their moves, and the owner lets it go on', async () => {
  const { post, owner, waitIds } = await open();
  await owner('/extend-rounds', MORE_ROUNDS);
  const refusal = await useUp(async (number) => {
    const answer = await post('agent_a', 'turns', longTurn(number));
    if (answer.status === 200) await post('agent_b', 'turns', { summary: 'Go on.' });
    return answer;
  });
  expect(refusal).toBe('QUOTA_EXHAUSTED');
  expect(await waitIds()).toContain('QUOTA_EXHAUSTED:agent_a/bytes');
  const decision = { topic: 'Who goes on', position: 'I do.' };
  expect((await post('agent_b', 'decisions', decision)).status).toBe(200);
  expect((await post('moderator', 'moderator/questions', { text: 'Why so long?' })).status).toBe(200);
  expect((await owner('/raise-quota', { role: 'agent_a', quota: 'bytes' })).status).toBe(200);
  expect((await post('agent_a', 'turns', { summary: 'Short.' })).status).toBe(200);
  expect(await waitIds()).not.toContain('QUOTA_EXHAUSTED:agent_a/bytes');
});

test.skipIf(IS_SHORT)(
  'a moderator that has used up its bytes leaves the builders their moves, and the owner lets it go on',
  async () => {
    const { post, owner, waitIds } = await open();
    const evidence = many(50, (index) => ({ kind: 'file', reference: wide(500, index), excerpt: wide(600, index) }));
    const ask = (number: number) => post('moderator', 'moderator/questions', { text: `Question ${number}.`, evidence });
    expect(await useUp(ask)).toBe('QUOTA_EXHAUSTED');
    expect(await waitIds()).toContain('QUOTA_EXHAUSTED:moderator/bytes');
    expect((await post('agent_a', 'turns', { summary: 'Mine.' })).status).toBe(200);
    expect((await post('agent_b', 'turns', { summary: 'Mine.' })).status).toBe(200);
    expect((await owner('/raise-quota', { role: 'moderator', quota: 'bytes' })).status).toBe(200);
    expect((await ask(999)).status).toBe(200);
  },
);

test.skipIf(IS_SHORT)('an author that has used up its bytes leaves a newly appointed one to write', async () => {
  const { post, owner, waitIds } = await open();
  await owner('/appoint-author', { candidate: 'agent_a', seen: 1 });
  let parent = '';
  const submit = async (role: AgentName, notes: readonly string[]) => {
    const answer = await post(role, 'contract', { contract: { notes }, expected_parent_id: parent, reason: 'More.' });
    parent = String(answer.body.revision_id ?? parent);
    return answer;
  };
  const notes = (number: number) => many(48, (index) => wide(4_000, 100 * number + index));
  expect(await useUp((number) => submit('agent_a', notes(number)))).toBe('QUOTA_EXHAUSTED');
  expect(await waitIds()).toContain('QUOTA_EXHAUSTED:agent_a/bytes');
  const { seq: seen } = Object((await owner('')).body.head);
  expect((await owner('/appoint-author', { candidate: 'agent_b', seen })).status).toBe(200);
  expect((await submit('agent_b', ['Short.'])).status).toBe(200);
  expect(await useUp((number) => submit('agent_b', notes(1_000 + number)))).toBe('QUOTA_EXHAUSTED');
  expect((await owner('/raise-quota', { role: 'agent_b', quota: 'bytes' })).status).toBe(200);
  expect((await submit('agent_b', ['Short again.'])).status).toBe(200);
});
