import type { Contract } from '../../document/contract.ts';
import { code } from '../markdown.ts';

const LISTS = [
  ...(['interfaces', 'data_models', 'tasks', 'tests', 'gates', 'risks', 'safety_conditions'] as const),
  ...(['dependencies', 'artifacts'] as const),
] as const;

interface Identified {
  readonly id: string;
}

/** Makes the references of a handoff to records of the contract, in Markdown: by id and by JSON Pointer (RFC 6901). */
export interface Pointers {
  at(record: object, member?: string): string;
  of(record: Identified): string;
  all(records: readonly Identified[]): string;
}

export function pointersOf(contract: Contract): Pointers {
  const places = new Map<object, string>(
    LISTS.flatMap((list) => contract[list].map((record, index): [object, string] => [record, `/${list}/${index}`])),
  );
  const at = (record: object, member = ''): string => code(`${places.get(record) ?? ''}${member}`);
  const of = (record: Identified): string => `${code(record.id)} ${at(record)}`;
  return { at, of, all: (records) => records.map(of).join(', ') || 'none' };
}
