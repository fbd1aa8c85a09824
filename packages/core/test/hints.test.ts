import { describe, expect, test } from 'vitest';
import { operations } from '../src/areas/registry.ts';
import { ERROR_KINDS } from '../src/kernel/errors.ts';

/** The tools that a hint names after the word "call". */
const calledIn = (hint: string): string[] => [...hint.matchAll(/\bcall (\w+_\w+)/gi)].map(([, tool = '']) => tool);

describe.each(['builder', 'moderator'] as const)('hints to a %s', (side) => {
  test('name only tools that the role has', () => {
    const own = operations.filter(({ access }) => access[side] !== undefined);
    const tools = new Set<string>(own.map(({ name }) => name));
    const codes = new Set(own.flatMap(({ errors }) => [...errors]));

    const strange = [...codes].flatMap((code) =>
      calledIn(ERROR_KINDS[code].hint).flatMap((tool) => (tools.has(tool) ? [] : [`${code}: ${tool}`])),
    );

    expect(codes.size).toBeGreaterThan(8);
    expect(strange).toEqual([]);
  });
});
