import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTRACT_JSON_SCHEMA, Contract, EXAMPLE_CONTRACT } from '../../src/areas/document/contract.ts';
import { FULL_CONTRACT } from '../full-contract/full-contract.ts';
import { aContract } from './arbitrary-contract.ts';
import { mutated, oneChangeEach } from './mutations.ts';

const accepts = new Ajv2020({ strict: true }).compile(CONTRACT_JSON_SCHEMA);
const verdicts = (value: unknown) => ({ published: accepts(value), own: Contract.safeParse(value).success });
const BOTH_ACCEPT = { published: true, own: true };

describe('the published JSON Schema', () => {
  test('is of draft 2020-12, has a description and accepts the example, which it does not contain', () => {
    expect(CONTRACT_JSON_SCHEMA).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Contract between two builders',
      description: expect.any(String),
      type: 'object',
      additionalProperties: false,
    });
    expect(CONTRACT_JSON_SCHEMA).not.toHaveProperty('examples');
    expect(verdicts(FULL_CONTRACT)).toEqual(BOTH_ACCEPT);
  });

  test('has an example that uses every member', () => {
    expect(unusedMembers(CONTRACT_JSON_SCHEMA, [EXAMPLE_CONTRACT], '')).toEqual([]);
  });

  test('accepts every contract of its shape, as the validation does', () => {
    fc.assert(
      fc.property(aContract, (contract) => {
        expect(verdicts(contract)).toEqual(BOTH_ACCEPT);
      }),
      { numRuns: 200 },
    );
  });

  test('agrees with the validation on one change at any place of the example', () => {
    const seen = { accepted: 0, refused: 0 };
    for (const value of oneChangeEach(FULL_CONTRACT)) {
      const { published, own } = verdicts(value);
      if (published !== own) expect([value, published]).toEqual([value, own]);
      seen[own ? 'accepted' : 'refused'] += 1;
    }
    expect(seen.accepted).toBeGreaterThan(500);
    expect(seen.refused).toBeGreaterThan(2_000);
  });

  test('accepts and refuses the same values as the validation', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(mutated(fc.constantFrom(FULL_CONTRACT, ...fc.sample(aContract, 50))), (value) => {
        const { published, own } = verdicts(value);
        expect(published).toBe(own);
        seen[own ? 'accepted' : 'refused'] += 1;
      }),
      { numRuns: 2_000 },
    );
    expect(seen.accepted).toBeGreaterThan(100);
    expect(seen.refused).toBeGreaterThan(500);
  });

  test.each([
    '',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u1680',
    '\u2028',
    '\u3000',
    '\ufeff',
    '\u0085',
    '\u180e',
    '\u200b',
    '\ud800',
    '\u{1f600}',
  ])('agrees with the validation whether %j is a text', (text) => {
    for (const value of [text, `external:${text}`, `external:a${text}`, `${text}a`, `a${text}`]) {
      for (const contract of [
        { ...FULL_CONTRACT, title: value },
        { ...FULL_CONTRACT, decisions: [value] },
        { ...FULL_CONTRACT, interfaces: [{ ...FULL_CONTRACT.interfaces[0], consumers: [value] }] },
      ]) {
        const { published, own } = verdicts(contract);
        expect(published).toBe(own);
      }
    }
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'agrees with the validation on a member %s',
    (name) => {
      for (const place of ['contract', 'task', 'payload', 'schema']) {
        const { published, own } = verdicts(withMember(place, name));
        expect([place, published]).toEqual([place, own]);
      }
    },
  );
});

function withMember(place: string, name: string): unknown {
  const value: unknown = JSON.parse(`{ ${JSON.stringify(name)}: { "a": 1 } }`);
  const extended = (record: object) => JSON.parse(JSON.stringify(record).replace(/^\{/, `{${JSON.stringify(name)}:1,`));
  switch (place) {
    case 'contract':
      return extended(FULL_CONTRACT);
    case 'task':
      return { ...FULL_CONTRACT, tasks: FULL_CONTRACT.tasks.map(extended) };
    case 'payload':
      return {
        ...FULL_CONTRACT,
        interfaces: [{ ...FULL_CONTRACT.interfaces[0], operations: [{ name: 'a', request: value, errors: [value] }] }],
      };
    default:
      return { ...FULL_CONTRACT, data_models: [{ id: 'a', name: 'a', json_schema: value }] };
  }
}

type Schema = typeof CONTRACT_JSON_SCHEMA;

/** Pointers to the members that the schema declares and that none of the values has. */
function unusedMembers({ properties = {}, items }: Schema, values: readonly unknown[], at: string): string[] {
  const records = values.map((value) => new Map(Object.entries(Object(value))));
  const inProperties = Object.entries(properties).flatMap(([name, schema]) => {
    const used = records.flatMap((record) => (record.has(name) ? [record.get(name)] : []));
    return used.length > 0 ? unusedMembers(schema, used, `${at}/${name}`) : [`${at}/${name}`];
  });
  return items ? unusedMembers(items, values.flat(), `${at}/*`) : inProperties;
}
