import type { z } from 'zod';
import { wordIssue } from '../../kernel/operation/issue-words.ts';
import { Contract } from '../document/contract.ts';
import { holdsMoreThan } from './nodes.ts';

/**
 * Limit of objects, arrays, texts and numbers in a contract. No real contract of 200,000 characters has more; parsing
 * more costs too much time.
 */
const MAX_VALUES = 20_000;

/** Number of list items parsed at a time. Parsing 20,000 empty tasks at once would spend half a second on messages. */
const WINDOW = 20;

type Issues = readonly z.core.$ZodIssue[];

/** A contract, or the issues of its schema. */
export type ParsedContract =
  | { readonly kind: 'contract'; readonly contract: Contract }
  | { readonly kind: 'too large' }
  | { readonly kind: 'broken'; readonly issues: Issues };

/** Parses a contract with its schema. Reports only the first broken part of a list. */
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

/** The issue with its path in the whole contract. */
function moved<I extends z.core.$ZodIssue>(issue: I, name: string, start: number): I {
  const [index, ...rest] = issue.path;
  const path = typeof index === 'number' ? [name, start + index, ...rest] : [name, ...issue.path];
  return { ...issue, path };
}
