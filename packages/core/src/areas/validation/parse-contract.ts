import type { z } from 'zod';
import { knownOnce, schemaAt, unknownMember, wordIssue } from '../../kernel/operation/input.ts';
import { Contract } from '../document/contract.ts';
import { CONTRACT_JSON_SCHEMA } from '../document/example.ts';
import { holdsMoreThan, isShowable, pointerTo } from './nodes.ts';
import type { Fault, RuleFacts } from './rule.ts';

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

/** The rule that the contract meets its schema. If the contract breaks its schema, the other rules are not checked. */
export const SCHEMA_RULE: RuleFacts = {
  code: 'SCHEMA',
  severity: 'error',
  explanation: 'The contract must match its JSON Schema, without unknown members.',
  hint: 'Compare the contract with contract_schema and example of get_contract_schema.',
};

type ZodIssue = z.core.$ZodIssue;

/** Number of faults in the issues of zod. An issue about unknown members counts as one fault for each member. */
export const countFaults = (issues: readonly ZodIssue[]): number =>
  issues.reduce((count, issue) => count + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);

/**
 * Makes the faults of zod's issues one at a time, because finding the nearest known name is expensive.
 * @param named the lists of known members that earlier messages already contain
 */
export function* schemaFaults(issues: readonly ZodIssue[], named = new Set<string>()): Generator<Fault> {
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') yield* unknownMembers(issue, named);
    else yield* oneFault(issue, named);
  }
}

function* oneFault(issue: ZodIssue, named: Set<string>): Generator<Fault> {
  const branch = issue.code === 'invalid_union' ? closestBranch(issue.errors) : undefined;
  if (branch)
    yield* schemaFaults(
      branch.map((fault) => ({ ...fault, path: [...issue.path, ...fault.path] })),
      named,
    );
  else yield { pointer: pointerTo(issue.path), message: issue.message };
}

/**
 * The faults in the alternative of a union that fits best: the first alternative that accepts the type of the value.
 */
const closestBranch = (branches: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] | undefined =>
  branches.find((faults) => !faults.some(({ code, path }) => code === 'invalid_type' && path.length === 0));

type UnknownKeys = Extract<ZodIssue, { code: 'unrecognized_keys' }>;

function* unknownMembers({ keys, path }: UnknownKeys, named: Set<string>): Generator<Fault> {
  const known = Object.keys(schemaAt(CONTRACT_JSON_SCHEMA, path).properties ?? {});
  for (const key of keys) {
    const message = isShowable(key)
      ? unknownMember(key, known, named)
      : `Has an unknown member${knownOnce(known, named)}.`;
    yield { pointer: pointerTo([...path, key]), message };
  }
}
