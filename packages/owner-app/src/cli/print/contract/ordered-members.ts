const STEPS = ['given', 'when', 'then'];

/** The names of members that are printed before the others. A stored contract has its members in alphabetical order. */
const FIRST = [
  'id',
  'filename',
  'name',
  'title',
  'text',
  'kind',
  'stage',
  'assignee',
  'executor',
  'provider',
  ...STEPS,
];

/** A part of a contract with the members of each record in the order in which a person reads them. */
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const place = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => place(one) - place(other))
      .map(([name, member]) => [name, ordered(member)]),
  );
}

/** The steps of a test of the contract, in their order. */
export const stepsOf = (test: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(STEPS.map((step) => [step, test[step]]));
