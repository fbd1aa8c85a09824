import type { Answer, OwnerCallName } from '@parley/core/client';
import type { z } from 'zod';
import { ownerOperations } from '../../core/src/areas/owner-registry.ts';
import { OWNER_METHODS } from '../../core/src/owner/methods.ts';

type Given = Readonly<Record<string, unknown>>;

/**
 * A whole answer to a call of the owner: the given members, and for each other member the least value that its schema
 * allows, such as null, an empty list or an empty text. Parsed with the schema, so that no given member is misspelt.
 */
export function answerOf<N extends OwnerCallName>(name: N, given: object = {}): Answer<N> {
  const operation = ownerOperations.find((one) => one.name === name);
  const { output } = operation ?? OWNER_METHODS[name as keyof typeof OWNER_METHODS];
  return output.parse(whole(output, given)) as Answer<N>;
}

/** Texts of which each schema of a text allows one. */
const TEXTS = ['', 'r_1', '2026-01-01T12:00:00.000Z', 'a'.repeat(64)];
const VALUES = [...TEXTS, 0, 1, false, true];

function whole(schema: z.core.$ZodType, given: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
      return given === undefined ? undefined : whole(def.innerType, given);
    case 'nullable':
      return given === undefined || given === null ? null : whole(def.innerType, given);
    case 'array':
      return ((given ?? []) as readonly unknown[]).map((item) => whole(def.element, item));
    case 'object': {
      const known = Object.entries<z.core.$ZodType>(def.shape).map(([name, member]) => [
        name,
        whole(member, (given as Given)?.[name]),
      ]);
      return { ...(given as Given), ...Object.fromEntries(known.filter(([, value]) => value !== undefined)) };
    }
    case 'record':
      return given ?? {};
    case 'unknown':
      return given;
    case 'enum':
      return given ?? Object.values(def.entries)[0];
    case 'literal':
      return given ?? def.values[0];
    case 'union': {
      const filled = def.options.map((option) => ({ option, value: whole(option, given) }));
      return (filled.find(({ option, value }) => isValid(option, value)) ?? filled[0])?.value;
    }
    default:
      return given ?? VALUES.find((value) => isValid(schema, value));
  }
}

const isValid = (schema: z.core.$ZodType, value: unknown): boolean => (schema as z.ZodType).safeParse(value).success;
