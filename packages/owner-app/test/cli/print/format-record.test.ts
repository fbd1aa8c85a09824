import { expect, test } from 'vitest';
import { formatRecord } from '../../../src/cli/print/format-record.ts';
import { fakeTerminal } from '../../fake-terminal.ts';

test('the steps of a test are shown in the order given, when, then', () => {
  const record = {
    given: 'A free book.',
    id: 'test-1',
    // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
    then: 'It is reserved.',
    title: 'Reserve',
    when: 'One reserves.',
  };
  const place = { nameOf: (role: string) => role, address: 'http://c/S', command: 'parley show S' };
  const lines = formatRecord({ records: [record], context: { type: 'test' } }, place, fakeTerminal());
  expect(lines.slice(1, -2)).toEqual([
    '',
    'given',
    'A free book.',
    '',
    'when',
    'One reserves.',
    '',
    'then',
    'It is reserved.',
  ]);
});
