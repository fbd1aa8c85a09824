import {
  createMemoryStorage,
  FIRST_PERSON,
  type MemoryStorage,
  openPeople,
  ParleyError,
  type People,
} from '../../src/index.ts';
import { openPeopleLog } from '../../src/people/rules.ts';
import type { PeopleDraft } from '../../src/people/state.ts';
import { createTestClock, createTestRandom } from '../../src/testing/index.ts';

let made = 0;

/** Makes keys with consecutive numbers. */
export const makeKey = (): string => {
  made += 1;
  return `pok_${String(made).padStart(43, '0')}`;
};

/** Opens people on a storage. `calls` are those of the holder of the owner key. */
export function open(storage: MemoryStorage = createMemoryStorage(), clock = createTestClock()) {
  made += 1;
  const people: People = openPeople({ storage, makeKey, random: createTestRandom(made), clock });
  return { people, storage, clock, calls: people.calls(FIRST_PERSON) };
}

/** Opens people whose log an earlier version has written. */
export async function opened(events: readonly PeopleDraft[]) {
  const storage = createMemoryStorage();
  const log = openPeopleLog({
    storage,
    clock: createTestClock(),
    random: createTestRandom(1),
    onState: () => undefined,
  });
  await log.change(
    async () => undefined,
    () => events,
  );
  return open(storage.sibling());
}

/** Returns `accepted`, or the code and the message of the refusal. */
export const refusal = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof ParleyError ? `${error.code} ${error.message}` : error),
  );

/** An event of each of `count` people who were admitted before. */
export const admittedPeople = (count: number): PeopleDraft[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'person.admitted',
    data: { person_id: `p_${index}`, name: `Person ${index}`, subject: `proxy ${index}`, role: 'operator' },
  }));
