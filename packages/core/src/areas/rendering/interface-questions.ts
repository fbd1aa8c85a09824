import { type Builder, otherBuilder } from '../../kernel/roles.ts';
import { listed } from '../../kernel/text/listed.ts';
import type { Contract, ContractInterface } from '../document/contract.ts';

/**
 * Maximum number of interfaces that a question names. The number is limited, because the other builder must read and
 * confirm the answer.
 */
const MAX_INTERFACES = 20;
const STATUS = /^[1-5]\d\d(?!\d)/;

/**
 * The questions that a builder must answer before the build: one about the interfaces that it provides to the other builder, and
 * one about those of the other builder that it consumes. They ask for what the contract leaves to the builder, because what
 * the contract says needs no repetition. Of the contract, they contain only ids, pointers and HTTP statuses.
 */
export function interfaceQuestions({ interfaces }: Contract, builder: Builder): string[] {
  const placed = interfaces.map((item, index) => ({ item, place: `${item.id}${pointerText(index)}` }));
  const between = (provider: Builder, consumer: Builder) =>
    placed
      .filter(({ item }) => item.provider === provider && item.consumers.includes(consumer))
      .slice(0, MAX_INTERFACES);
  const provided = between(builder, otherBuilder(builder)).map(({ place }) => place);
  const consumed = between(otherBuilder(builder), builder).map(({ item, place }) => `${place}${outcomesOf(item)}`);
  return [
    ...(provided.length > 0
      ? [
          `You provide ${listed(provided)}: where the contract leaves it to you, what does a repeated call return, in which order are calls processed, and which limits apply?`,
        ]
      : []),
    ...(consumed.length > 0
      ? [
          `You consume ${listed(consumed)}: what does your side do on each outcome, what does it retry and how often, in which order does it make its calls, and which limits does it respect?`,
        ]
      : []),
  ];
}

/** Names the place of an interface in the contract, for the builder. */
const pointerText = (index: number): string => ` (/interfaces/${index} of the contract)`;

/** A question of `interfaceQuestions` without the pointer, for the owner, who knows the interface by its id. */
export const withoutPointer = (question: string, interfaces: readonly unknown[]): string =>
  interfaces.reduce<string>((text, _interface, index) => text.replace(pointerText(index), ''), question);

/** The HTTP statuses that the contract names for an interface. Empty if it names none. */
function outcomesOf({ operations }: ContractInterface): string {
  const statuses = new Set(
    operations.flatMap(({ response, errors = [] }) => [...statusesIn(response), ...statusesIn(errors)]),
  );
  return statuses.size > 0 ? ` with ${[...statuses].sort().join(', ')}` : '';
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
