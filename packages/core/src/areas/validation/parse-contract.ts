import type { z } from 'zod';
import { wordIssue } from '../../kernel/operation/issue-words.ts';
import { Contract } from '../document/contract.ts';
import { holdsMoreThan } from './nodes.ts';

/**
 * Maximum number of objects, arrays, texts and numbers in a contract. A real contract of 200,000 characters has fewer,
 * and parsing more would take too long.
 */
const MAX_VALUES = 20_000;

/**
 * Number of items of a list that are parsed together. Parsing 20,000 empty tasks together would take half a second,
 * mostly for building the error messages.
 */
const WINDOW = 20;

type Issues = readonly z.core.$ZodIssue[];

/**
 * A parsed contract. `too large` if the contract has more than `MAX_VALUES` values; the issues, if the contract breaks
 * its schema.
 */
export type ParsedContract =
  | { readonly kind: 'contract'; readonly contract: Contract }
  | { readonly kind: 'too large' }
  | { readonly kind: 'broken'; readonly issues: Issues };

/**
 * Parses a contract by its schema. Lists with more than `WINDOW` items are first parsed in groups of `WINDOW` items. If
 * a group has faults, the parsing stops and only the faults of this group are reported.
 */
export function parseContract(value: unknown): ParsedContract {
  if (holdsMoreThan(value, MAX_VALUES)) return { kind: 'too large' };
  const early = firstBrokenWindow(value);
  if (early) return { kind: 'broken', issues: early };
  const parsed = Contract.safeParse(value, { error: wordIssue });
  if (parsed.success) return { kind: 'contract', contract: parsed.data };
  return { kind: 'broken', issues: parsed.error.issues };
}

function firstBrokenWindow(value: unknown): Issues | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, schema] of Object.entries(Contract.shape)) {
    const list: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (!Array.isArray(list) || list.length <= WINDOW) continue;
    for (let start = 0; start < list.length; start += WINDOW) {
      const parsed = schema.safeParse(list.slice(start, start + WINDOW), { error: wordIssue });
      if (!parsed.success) return parsed.error.issues.map((issue) => moved(issue, name, start));
    }
  }
  return undefined;
}

/** Changes the path of an issue from a path in a group of items to the path in the whole contract. */
function moved<I extends z.core.$ZodIssue>(issue: I, name: string, start: number): I {
  const [index, ...rest] = issue.path;
  const path = typeof index === 'number' ? [name, start + index, ...rest] : [name, ...issue.path];
  return { ...issue, path };
}
