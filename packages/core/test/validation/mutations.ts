import fc from 'fast-check';

type Holder = Record<string, unknown> | unknown[];

interface Mutation {
  readonly kind: 'drop' | 'replace' | 'add' | 'wrap' | 'spell';
  readonly at: number;
  readonly name: string;
  readonly value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('drop', 'replace', 'replace', 'add', 'wrap', 'spell'),
  at: fc.nat(5_000),
  name: fc.constantFrom('id', 'Title', 'constructor', '', '$ref', 'extra'),
  value: fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '\u00a0',
      '\u3000\n',
      '\ufeff',
      '\u200b',
      '\u0085',
      'TODO',
      'agent_c',
      'AGENT_A',
      'external:',
      'external: ',
    ),
    fc.constantFrom(
      'external:a\nb',
      'a b',
      'a\n',
      '-a',
      `a${'b'.repeat(59)}`,
      `a${'b'.repeat(60)}`,
      'é',
      '1',
      '2',
      'http',
      'build',
    ),
    fc.constantFrom(0, 1, 20, 21, 1.5, -1, 1e300, true, false, null),
    fc.constantFrom(
      [],
      {},
      [null],
      [[]],
      [''],
      { a: 1 },
      ['agent_a'],
      ['external:x'],
      Array.from({ length: 51 }, () => ({})),
    ),
  ),
});

/** One to three changes at random places of a JSON value. */
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
