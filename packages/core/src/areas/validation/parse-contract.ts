import type { z } from 'zod';
import { wordIssue } from '../../kernel/operation/issue-words.ts';
import { Contract } from '../document/contract.ts';
import { holdsMoreThan } from './nodes.ts';

/** Objects, arrays, texts and numbers in a contract. More of them in 200,000 characters are no contract, only work. */
const MAX_VALUES = 20_000;

/** Items of a list that are judged at once: the faults of 20,000 empty tasks take half a second to word. */
const WINDOW = 20;

type Issues = readonly z.core.$ZodIssue[];

/** A contract, or what is wrong with its shape. */
export type ParsedContract =
  | { readonly kind: 'contract'; readonly contract: Contract }
  | { readonly kind: 'too large' }
  | { readonly kind: 'broken'; readonly issues: Issues };

/** Reads a contract by its schema. Of a list that is broken, only the first broken part is told. */
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

/** The issue as it stands in the whole contract. */
function moved<I extends z.core.$ZodIssue>(issue: I, name: string, start: number): I {
  const [index, ...rest] = issue.path;
  const path = typeof index === 'number' ? [name, start + index, ...rest] : [name, ...issue.path];
  return { ...issue, path };
}
