import { applyPatch, type Operation } from 'rfc6902';
import { FULL_CONTRACT } from '../full-contract/full-contract.ts';

/** Applies patch operations to the example contract. */
export function changed(changes: readonly Operation[]): unknown {
  const contract = structuredClone(FULL_CONTRACT);
  const failures = applyPatch(contract, [...changes]).filter((failure) => failure !== null);
  if (failures.length > 0) throw new Error(`The example cannot be changed so: ${failures.join(', ')}.`);
  return contract;
}

export const add = (path: string, value: unknown): Operation => ({ op: 'add', path, value });
export const put = (path: string, value: unknown): Operation => ({ op: 'replace', path, value });
export const drop = (path: string): Operation => ({ op: 'remove', path });

export const TASK = {
  id: 'task-more',
  title: 'Log every key',
  assignee: 'agent_b',
  requirements: ['req-1'],
  interfaces: ['captures-api'],
  depends_on: [],
  deliverables: ['A line in the log for each call'],
  done_when: ['The log shows the key of every call.'],
};

export const TEST = {
  id: 'test-more',
  title: 'A reused key is refused',
  given: 'A key that stands for order o-1001.',
  when: 'It comes with another order.',
  // biome-ignore lint/suspicious/noThenProperty: `then` is a member of a contract's test.
  then: 'The answer is 409 KEY_REUSED.',
  executor: 'agent_a',
  requirements: ['req-2'],
  interfaces: ['captures-api'],
  depends_on: [],
};

export const INTERFACE = {
  id: 'ledger-report',
  name: 'Report of double entries',
  kind: 'data',
  provider: 'agent_b',
  consumers: ['external:finance'],
  description: 'One file a day.',
  operations: [{ name: 'double-entries.csv', response: 'One line for each order that was booked twice.' }],
};
