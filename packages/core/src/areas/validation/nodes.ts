import type { z } from 'zod';
import { memoizeBy } from '../../kernel/maps.ts';
import { knownOnce, schemaAt, unknownMember, wordIssue } from '../../kernel/operation/input.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { echoName } from '../../kernel/text/safe-echo.ts';
import { credentialIn } from '../credentials/rules.ts';
import { CONTRACT_JSON_SCHEMA, Contract } from '../document/contract.ts';
import { memberPath } from '../document/json-pointer.ts';
import type { Fault, RuleFacts } from './rule.ts';

/**
 * The names of members that a pointer may show. Other agents read pointers, so a pointer must not contain whole
 * sentences of an agent.
 */
const NAME = /^[\w$@#.,:;/^*+?|()[\]{}\\~=-]{1,60}$/;

/** Whether a pointer or a message may show this name, which an agent has chosen. */
const isShowable = (name: string): boolean => NAME.test(name) && echoName(name) === name && credentialIn(name) === null;

/** The JSON Pointer (RFC 6901) of a path. It ends before the first member whose name must not be shown. */
function pointerTo(path: readonly PropertyKey[]): string {
  let pointer = '';
  for (const part of path) {
    if (typeof part === 'number') {
      pointer = memberPath(pointer, part);
    } else {
      const name = String(part);
      if (!isShowable(name)) return pointer;
      pointer = memberPath(pointer, name);
    }
  }
  return pointer;
}

/**
 * The place of a value: its name or index in the containing value, and the place of the containing value. Null stands
 * for the whole contract.
 */
export interface Place {
  readonly part: string | number;
  readonly within: Place | null;
}

/** The members of an object or the items of an array, each with its name or index. Inherited members are left out. */
export function membersOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isRecord(value) ? Object.entries(value) : [];
}

export const placeOf = (...path: readonly (string | number)[]): Place | null =>
  path.reduce<Place | null>((within, part) => ({ part, within }), null);

/**
 * A fault at a place. Its pointer is built only when it is read, because an answer may list only a few of thousands of
 * faults.
 */
export const faultAt = (place: Place | null, message: string): Fault => ({
  get pointer() {
    return pointerTo(pathOf(place));
  },
  message,
});

function pathOf(place: Place | null): (string | number)[] {
  const path: (string | number)[] = [];
  for (let step = place; step; step = step.within) path.push(step.part);
  return path.reverse();
}

function holdsMoreThan(value: unknown, limit: number): boolean {
  const waiting = [value];
  let count = 0;
  while (waiting.length > 0) {
    const inner = waiting.pop();
    const values: unknown[] = typeof inner === 'object' && inner !== null ? Object.values(inner) : [];
    count += values.length;
    if (count > limit) return true;
    for (const one of values) if (typeof one === 'object') waiting.push(one);
  }
  return false;
}

/**
 * The kind of a text. `prose`: a sentence of the contract. `payload`: a description in words where a payload is
 * expected. `data`: a value inside a payload or a JSON Schema. `name`: the name of a member inside a payload or a JSON
 * Schema. `file`: a part of an artifact.
 */
export type TextKind = 'prose' | 'payload' | 'data' | 'name' | 'file';

export interface PlacedText {
  readonly text: string;
  readonly kind: TextKind;
  readonly place: Place | null;
}

interface Holder {
  readonly value: object;
  readonly kind: TextKind;
  readonly place: Place | null;
}

/** Every text of a contract. The texts of a record itself come before the texts of the records inside it. */
export const textsOf = memoizeBy((contract: Contract): readonly PlacedText[] => {
  const texts: PlacedText[] = [];
  const waiting: Holder[] = [{ value: contract, kind: 'prose', place: null }];
  // A loop instead of recursion, because deep nesting of payloads would exhaust the stack.
  for (let holder = waiting.pop(); holder; holder = waiting.pop()) {
    const held: Holder[] = [];
    const inner = innerKind(holder);
    for (const [part, value] of membersOf(holder.value)) {
      const kind = memberKind(inner, part);
      const place = { part, within: holder.place };
      if (inner === 'data' && typeof part === 'string') texts.push({ text: part, kind: 'name', place });
      if (typeof value === 'string') texts.push({ text: value, kind, place });
      else if (typeof value === 'object' && value !== null) held.push({ value, kind, place });
    }
    for (const next of held.reverse()) waiting.push(next);
  }
  return texts;
});

const innerKind = ({ kind, value }: Holder): TextKind => (kind === 'payload' && !Array.isArray(value) ? 'data' : kind);

/** The kind of the texts in a member of the contract, for the members whose texts are not `prose`. */
const OTHER_KINDS: ReadonlyMap<string | number, TextKind> = new Map([
  ['request', 'payload'],
  ['response', 'payload'],
  ['errors', 'payload'],
  ['json_schema', 'data'],
  ['artifacts', 'file'],
]);

const memberKind = (inner: TextKind, part: string | number): TextKind =>
  inner === 'prose' ? (OTHER_KINDS.get(part) ?? 'prose') : inner;

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
type ParsedContract =
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
