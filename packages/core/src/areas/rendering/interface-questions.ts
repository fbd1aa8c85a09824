import type { Builder } from '../../kernel/roles.ts';
import type { Contract, ContractInterface } from '../document/contract.ts';

/**
 * Maximum number of interfaces about which a builder is asked. The number is limited, because the other builder must
 * read and confirm each answer.
 */
const MAX_INTERFACES = 20;
const STATUS = /^[1-5]\d\d(?!\d)/;

/**
 * The questions that a builder must answer before the build: one for each interface that the builder provides or
 * consumes, at most `MAX_INTERFACES`. Of the contract, they contain only ids, pointers and HTTP statuses.
 */
export const interfaceQuestions = ({ interfaces }: Contract, builder: Builder): string[] =>
  interfaces
    .flatMap((item, index) => {
      const place = `${item.id}${pointerText(index)}`;
      if (item.provider === builder) return [providerQuestion(place, item)];
      return item.consumers.includes(builder) ? [consumerQuestion(place, item)] : [];
    })
    .slice(0, MAX_INTERFACES);

/** Names the place of an interface in the contract, for the builder. */
const pointerText = (index: number): string => ` (/interfaces/${index} of the contract)`;

/** A question of `interfaceQuestions` without the pointer, for the owner, who knows the interface by its id. */
export const withoutPointer = (question: string, interfaces: readonly unknown[]): string =>
  interfaces.reduce<string>((text, _interface, index) => text.replace(pointerText(index), ''), question);

const providerQuestion = (place: string, item: ContractInterface): string =>
  `You provide ${place}: when does your side return each outcome${named(item)}, what does a repeated call return, in which order are calls processed, and which limits apply?`;

const consumerQuestion = (place: string, item: ContractInterface): string =>
  `You consume ${place}: what does your side do on each outcome${named(item)}, what does it retry and how often, in which order does it make its calls, and which limits does it respect?`;

function named({ operations }: ContractInterface): string {
  const statuses = new Set(
    operations.flatMap(({ response, errors = [] }) => [...statusesIn(response), ...statusesIn(errors)]),
  );
  return statuses.size > 0 ? ` (${[...statuses].sort().join(', ')})` : '';
}

/**
 * The HTTP statuses in the description of an operation's response. A status can be the name of a member, a value of
 * `status`, or the start of a text.
 */
function statusesIn(shape: unknown): string[] {
  if (typeof shape === 'string') return STATUS.exec(shape) ?? [];
  if (Array.isArray(shape)) return shape.flatMap(statusesIn);
  return Object.entries(Object(shape)).flatMap(([name, value]) => [
    ...(STATUS.exec(name) ?? []),
    ...(name === 'status' ? (STATUS.exec(String(value)) ?? []) : []),
  ]);
}
