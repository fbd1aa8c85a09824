import fc from 'fast-check';
import { hostileValue } from './hostile-values.ts';

type Members = Record<string, unknown>;
type Place = readonly [owner: Members | unknown[], name: string];

/**
 * One change of an input. `at` selects the place of the change among all members and list items of the input, at any
 * depth.
 */
interface Mutation {
  readonly kind: 'drop' | 'replace' | 'null' | 'text' | 'wrap' | 'repeat' | 'add';
  readonly at: number;
  readonly name: string;
  readonly value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('drop', 'replace', 'replace', 'null', 'text', 'wrap', 'repeat', 'add'),
  at: fc.nat(40),
  name: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'session_id', 'sumary', ''), fc.string({ maxLength: 8 })),
  value: hostileValue,
});

export const mutated = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: valid },
    {
      weight: 5,
      arbitrary: fc
        .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 3 }))
        .map(([input, mutations]) => mutations.reduce(mutate, input)),
    },
    { weight: 1, arbitrary: hostileValue },
  );

function mutate(input: unknown, { kind, at, name, value }: Mutation): unknown {
  const root = { root: structuredClone(input) };
  const places = placesIn(root);
  const [owner, key] = places[at % places.length] ?? [root, 'root'];
  if (kind === 'drop') drop(owner, key);
  else if (kind === 'add') add(owner === root ? root.root : owner, name, value);
  else put(owner, key, CHANGES[kind](Reflect.get(owner, key), value));
  return root.root;
}

const CHANGES: Readonly<
  Record<'replace' | 'null' | 'text' | 'wrap' | 'repeat', (old: unknown, value: unknown) => unknown>
> = {
  replace: (_, value) => value,
  null: () => null,
  text: (old) => JSON.stringify(old) ?? '',
  wrap: (old) => [old],
  repeat: (old) => Array.from({ length: 60 }, () => old),
};

function drop(owner: Members | unknown[], key: string): void {
  if (Array.isArray(owner)) owner.splice(Number(key), 1);
  else delete owner[key];
}

function add(owner: unknown, name: string, value: unknown): void {
  // Leaves `length` and `constructor` of a list alone, because a later removal of a list item uses them.
  const isFixed = Array.isArray(owner) && (name === 'length' || name === 'constructor');
  if (typeof owner === 'object' && owner !== null && !isFixed) put(owner, name, value);
}

/** Defines the member, because an assignment would not create a member named `__proto__`. */
const put = (owner: object, name: string, value: unknown): void =>
  void Object.defineProperty(owner, name, { value, enumerable: true, configurable: true, writable: true });

function placesIn(owner: Members | unknown[]): Place[] {
  return Object.keys(owner).flatMap((name): Place[] => {
    const value: unknown = Reflect.get(owner, name);
    const inner = typeof value === 'object' && value !== null ? placesIn(Object(value)) : [];
    return [[owner, name], ...inner];
  });
}
