import type { z } from 'zod';
import { knownOnce, schemaAt, unknownMember } from '../../kernel/operation/input.ts';
import { CONTRACT_JSON_SCHEMA } from '../document/contract-schema.ts';
import { isShowable, pointerTo } from './pointer.ts';
import type { Fault, RuleFacts } from './rule.ts';

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
