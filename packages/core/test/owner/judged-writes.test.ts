import { expect, onTestFinished, test } from 'vitest';
import { createMemoryStorage, createParley, type MemoryStorage, type Parley, type Person } from '../../src/index.ts';
import { SAMPLE_SESSION } from '../../src/testing/opening-events.ts';

const ADA: Person = { id: 'p_1', name: 'Ada', role: 'approver' };

async function open(storage: MemoryStorage = createMemoryStorage()): Promise<Parley> {
  const parley = await createParley({ storage });
  onTestFinished(() => parley.close());
  return parley;
}

/** An owner whose person is present for a number of decisions. */
function presentFor(parley: Parley, decisions: number, then?: Person) {
  let left = decisions;
  const present = async (): Promise<Person | undefined> => {
    left -= 1;
    return left < 0 ? then : ADA;
  };
  return parley.owner('o', { person: ADA, present });
}

const UNAUTHORIZED = { code: 'UNAUTHORIZED' };
const eventsIn = async (parley: Parley): Promise<number[]> =>
  (await parley.owner('o').listSessions()).sessions.map(({ events }) => events);

test('a write is judged again after a lost race', async () => {
  const storage = createMemoryStorage();
  const [here, there] = [await open(storage), await open(storage.sibling())];
  const { session_id } = await here.owner('o').createSession(SAMPLE_SESSION);
  await there.owner('o').view(session_id);
  await here.owner('o').start(session_id);
  const late = presentFor(there, 1).ask(session_id, { targets: ['agent_a'], text: 'Which queue?' });
  await expect(late).rejects.toMatchObject(UNAUTHORIZED);
  expect(await eventsIn(here)).toEqual([2]);
});

test('an event names the person as present at the decision', async () => {
  const parley = await open();
  const { session_id } = await parley.owner('o').createSession(SAMPLE_SESSION);
  const owner = presentFor(parley, 0, { ...ADA, name: 'Ada Lovelace', role: 'operator' });
  await owner.ask(session_id, { targets: ['agent_a'], text: 'Which queue?' });
  const { messages } = await owner.transcript(session_id);
  expect(messages.at(-1)?.person).toEqual({ id: 'p_1', name: 'Ada Lovelace' });
  await expect(owner.deleteSession(session_id)).rejects.toMatchObject({
    code: 'ROLE_FORBIDDEN',
    message: 'deleteSession needs the role approver; your role is operator.',
  });
});

test.each([
  ['createSession', (parley: Parley) => presentFor(parley, 0).createSession(SAMPLE_SESSION)],
  ['deleteSession', (parley: Parley, id: string) => presentFor(parley, 0).deleteSession(id)],
  ['pauseAll', (parley: Parley) => presentFor(parley, 0).pauseAll({ reason: 'Lunch.' })],
  ['resumeAll', (parley: Parley) => presentFor(parley, 0).resumeAll()],
  ['setModeratorEntitlement', (parley: Parley) => presentFor(parley, 0).setModeratorEntitlement({ entitled: false })],
] as const)('%s is refused to a person who is not present any more', async (_, call) => {
  const parley = await open();
  const { session_id } = await parley.owner('o').createSession(SAMPLE_SESSION);
  await expect(call(parley, session_id)).rejects.toMatchObject(UNAUTHORIZED);
  expect(await eventsIn(parley)).toEqual([1]);
  expect((await parley.owner('o').audit({ kind: 'session.erased' })).events).toEqual([]);
});

test.each([
  ['pauseAll', 3, (parley: Parley) => presentFor(parley, 2).pauseAll({ reason: 'Lunch.' })],
  [
    'setModeratorEntitlement',
    3,
    (parley: Parley) => presentFor(parley, 2).setModeratorEntitlement({ entitled: false }),
  ],
] as const)('%s stops in the middle when the person is not present any more', async (_, stored, call) => {
  const parley = await open();
  for (let count = 0; count < 3; count += 1) {
    const { session_id } = await parley.owner('o').createSession(SAMPLE_SESSION);
    await parley.owner('o').start(session_id);
  }
  await expect(call(parley)).rejects.toMatchObject(UNAUTHORIZED);
  expect((await eventsIn(parley)).toSorted()).toEqual([2, 2, stored]);
});

test('a read asks nobody again', async () => {
  const parley = await open();
  const { session_id } = await parley.owner('o').createSession(SAMPLE_SESSION);
  expect((await presentFor(parley, 0).view(session_id)).access).toHaveLength(3);
});
