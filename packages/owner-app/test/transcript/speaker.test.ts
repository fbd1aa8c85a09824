import { expect, test } from 'vitest';
import { speakerOf } from '../../src/transcript/message.ts';

const nameOf = (role: string): string => (role === 'owner' ? 'Owner' : role);

test.each([
  [undefined, 'Owner'],
  [{ id: 'owner', name: 'Owner' }, 'Owner'],
  [{ id: 'p_7kQ2mXw9Ra', name: 'Ada' }, 'Ada (owner)'],
  // A person with the same name as the holder of the owner key is shown with a role.
  [{ id: 'p_7kQ2mXw9Ra', name: 'Owner' }, 'Owner (owner)'],
])('an event of %j is by %s', (person, name) => {
  expect(speakerOf({ from: 'owner', person }, nameOf)).toBe(name);
});
