import { expect, onTestFinished, test } from 'vitest';
import { type Clock, createMemoryStorage, createParley, FIRST_PERSON, openPeople } from '../../src/index.ts';
import { createTestClock, createTestRandom } from '../../src/testing/index.ts';

const SESSIONS = 64;
const KEY = `pok_${'k'.repeat(43)}`;

test('a revocation that would look at sessions for longer than 5 s says how many are left, and repeats end them all', async () => {
  const [storage, clock] = [createMemoryStorage(), createTestClock()];
  // Each look at the clock takes time, so that the number of sessions in a call does not depend on the machine.
  let slowness = 0;
  const slow: Clock = {
    ...clock,
    now() {
      clock.advance(slowness);
      return clock.now();
    },
  };
  const people = openPeople({ storage, makeKey: () => KEY, random: createTestRandom(7), clock: slow });
  const parley = await createParley({ storage, clock: slow });
  onTestFinished(() => parley.close());
  const { leftBehind } = parley.owner('owner', { person: FIRST_PERSON });
  const calls = people.calls(FIRST_PERSON, undefined, leftBehind);
  const { person } = await calls.addPerson({ name: 'Olga', role: 'operator' });
  const olga = parley.owner('owner', { person: { id: person.person_id, name: 'Olga', role: 'operator' } });
  const codes: string[] = [];
  for (let made = 0; made < SESSIONS; made += 1) {
    const requirements = [{ requirement_id: 'R1', text: 'A refund happens once.' }];
    const { session_id: id } = await olga.createSession({
      title: `Refunds ${made}`,
      objective: 'Refunds.',
      requirements,
    });
    codes.push((await olga.invite(id, { role: 'agent_a' })).code);
  }
  const token = (await parley.redeem({ code: codes[0] ?? '' })).token;
  slowness = 1_000;
  const revoke = async (input: object) => {
    const { left } = await calls.revokePerson(person.person_id, input);
    return { ended: left?.ended ?? 0, failed: left?.failed ?? 0 };
  };
  const first = await revoke({});
  expect(first.failed).toBeGreaterThan(0);
  expect(first.failed).toBeLessThan(SESSIONS);
  slowness = 400;
  let [ended, times] = [0, 0];
  for (let failed = 1; failed > 0 && times < SESSIONS; times += 1) {
    const piece = await revoke({ end_access: true });
    ended += piece.ended;
    failed = piece.failed;
  }
  expect(ended).toBe(SESSIONS);
  expect(times).toBeGreaterThan(1);
  expect(times).toBeLessThan(SESSIONS);
  await expect(parley.agent(token).call('read_task')).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
});
