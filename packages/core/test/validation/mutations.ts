import fc from 'fast-check';

type Holder = Record<string, unknown> | unknown[];

interface Mutation {
  readonly kind: 'drop' | 'replace' | 'add' | 'wrap' | 'spell';
  readonly at: number;
  readonly name: string;
  readonly value: unknown;
}

/** Values that some members of a contract accept and other members refuse. */
const VALUES: readonly unknown[] = [
  ...['', ' ', '\u00a0', '\u3000\n', '\ufeff', '\u200b', '\u0085', 'TODO', 'agent_a', 'agent_c', 'AGENT_A', 'both'],
  ...[
    'external:',
    'external: ',
    'external: x',
    'external:a\nb',
    'a b',
    'a\n',
    '-a',
    'é',
    '1',
    '2',
    'http',
    'build',
    'log',
  ],
  ...[`a${'b'.repeat(59)}`, `a${'b'.repeat(60)}`],
  ...[0, 1, 20, 21, 1.5, -1, 1e300, true, false, null],
  ...[[], {}, [null], [[]], [''], [{}], { a: 1 }, ['agent_a'], ['external:x'], ['log'], ['x'], [true]],
];

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('drop', 'replace', 'replace', 'add', 'wrap', 'spell'),
  at: fc.nat(5_000),
  name: fc.constantFrom('id', 'Title', 'constructor', '', '$ref', 'extra'),
  value: fc.constantFrom(...VALUES),
});

/** Generates values of `valid`, and makes one to three random changes to each value. */
export const mutated = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, mutations]) => mutations.reduce(mutate, value));

function mutate(value: unknown, { kind, at, name, value: other }: Mutation): unknown {
  const root: Holder = { root: structuredClone(value) };
  const places = placesIn(root);
  const [holder, key] = places[at % places.length] ?? [root, 'root'];
  const old: unknown = Reflect.get(holder, key);
  if (kind === 'drop') drop(holder, key);
  else if (kind === 'add') Object.assign(isHolder(old) && !Array.isArray(old) ? old : {}, { [name]: other });
  else if (kind === 'wrap') Reflect.set(holder, key, [old]);
  else if (kind === 'spell') Reflect.set(holder, key, typeof old === 'string' ? `${old}${String(other)}` : String(old));
  else Reflect.set(holder, key, other);
  return root.root;
}

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

function drop(holder: Holder, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

const placesIn = (holder: Holder): [Holder, string][] =>
  Object.entries(holder).flatMap(([key, value]): [Holder, string][] => [
    [holder, key],
    ...(isHolder(value) ? placesIn(value) : []),
  ]);

/**
 * Yields copies of a value with one change each: another value, a missing member, an additional member, or a long list.
 * Makes every change at each path of the value. Of paths that differ only in list indexes, only one path is changed.
 */
export function* oneChangeEach(value: unknown): Generator<unknown> {
  const copy = () => ({ root: structuredClone(value) });
  const kinds = new Map<string, readonly string[]>(
    pathsIn(copy()).map((path) => [path.join('/').replace(/\d+/g, '*'), path]),
  );
  for (const path of kinds.values()) {
    for (const change of CHANGES) {
      const changed: Holder = copy();
      const holder = path.slice(0, -1).reduce<unknown>((node, key) => Reflect.get(Object(node), key), changed);
      if (isHolder(holder)) change(holder, path.at(-1) ?? '');
      yield changed.root;
    }
  }
}

const CHANGES: readonly ((holder: Holder, key: string) => void)[] = [
  drop,
  (holder, key) => void Object.assign(Object(Reflect.get(holder, key)), { extra: 1 }),
  ...[50, 51].map((length) => (holder: Holder, key: string) => {
    const list: unknown = Reflect.get(holder, key);
    if (Array.isArray(list))
      Reflect.set(
        holder,
        key,
        Array.from({ length }, () => list[0]),
      );
  }),
  ...VALUES.map((value) => (holder: Holder, key: string) => void Reflect.set(holder, key, structuredClone(value))),
];

const pathsIn = (holder: Holder): string[][] =>
  Object.entries(holder).flatMap(([key, value]): string[][] => [
    [key],
    ...(isHolder(value) ? pathsIn(value).map((path) => [key, ...path]) : []),
  ]);
