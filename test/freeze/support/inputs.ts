import type { JsonSchema } from '@parley/core';
import { isList, isObject, type Json } from './json-text.ts';
import type { Moment } from './moments.ts';

/** The values that a session has for a member of an input, by the name of the member; the last one last. */
export type Known = ReadonlyMap<string, readonly Json[]>;

export type Schema = JsonSchema & { readonly [keyword: string]: unknown };
/** Definitions to which schemas refer, by their names. */
export type Definitions = Readonly<Record<string, Schema>>;

export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** Values where a session has none, and where an arbitrary value would say nothing. */
const CHOSEN: Readonly<Record<string, Json>> = {
  words: 'ledger',
  grep: 'ledger',
  by: 'agent_a',
  kind: 'turn.posted',
  after: 2,
  last: 3,
  limit: 2,
  from: 10,
  since: 2,
  against: 'r_1',
  wait: 0,
  wait_seconds: 0,
};
/** Members that are sent in each call, because a call without them waits. */
const ALWAYS = new Set(['wait', 'wait_seconds', 'until']);

/** Texts for members with a pattern. The first one that matches is taken. */
const TEXTS = [
  ...['Frozen words.', 'r_1', 'd_1', 'q_1', 'f_1', 'i_1', 'act_1', 'h_1', 'rec_1', 'def_1', 'rq_1', 'agent_a'],
  ...['2026-01-05T09:00:00.000Z', '0'.repeat(64), 'a1b2c3d', 'PAUSE1', '/title', 'a'],
];

/** Collects the values that the events of a session contain, by the names of their members. */
export function knownIn({ events }: Moment): Known {
  const known = new Map<string, Json[]>();
  const note = (name: string, value: Json): void => {
    const others = (known.get(name) ?? []).filter((other) => other !== value);
    known.set(name, [...others, value]);
  };
  const walk = (value: Json, name: string): void => {
    if (isList(value)) for (const item of value) walk(item, name);
    else if (isObject(value)) for (const [inner, member] of Object.entries(value)) walk(member, inner);
    else if (value !== null) note(name, value);
  };
  for (const { body } of events) walk(JSON.parse(body).data, '');
  for (const id of ['q_1', 'd_1', 'f_1', 'i_1', 'r_1', 'def_1', 'h_1', 'act_1'].filter((one) => isKnown(known, one)))
    note('id', id);
  note('expected_parent_id', known.get('revision_id')?.at(-1) ?? '');
  note('seen', events.length);
  note('until', events.length);
  note('cursor', events.length);
  return known;
}

const isKnown = (known: Known, id: string): boolean => [...known.values()].some((all) => all.includes(id));

interface Session {
  readonly known: Known;
  readonly definitions: Definitions;
}

/** One input with the required members, and one more for each value of each optional member. */
export function inputsFor(
  parameters: readonly Parameter[],
  known: Known,
  definitions: Definitions,
): Record<string, Json>[] {
  const session = { known, definitions };
  const needed = parameters.filter(({ isRequired, name }) => isRequired || ALWAYS.has(name));
  const base = Object.fromEntries(needed.map((one) => [one.name, sample(one.schema, one.name, session)]));
  const others = parameters.filter((one) => !needed.includes(one));
  const further = parameters.flatMap((one) => {
    const isNeeded = needed.includes(one);
    const values = valuesOf(one, session).filter((value) => value !== base[one.name]);
    return ALWAYS.has(one.name) || (isNeeded && !others) ? [] : values.map((value) => ({ ...base, [one.name]: value }));
  });
  return [base, ...further];
}

/** Every value of an enumeration or a switch; else the first and the last that the session has. */
function valuesOf({ name, schema }: Parameter, session: Session): Json[] {
  const { known, definitions } = session;
  const whole = resolved(schema, definitions);
  if (whole.enum) return whole.enum as Json[];
  if (whole.type === 'boolean') return [true];
  if (name === 'id') return [...(known.get('id') ?? [])];
  if (name in CHOSEN || !known.has(name)) return [sample(schema, name, session)];
  const all = known.get(name) ?? [];
  return [...new Set([all[0], all.at(-1)])].filter((value): value is Json => value !== undefined);
}

/** A value that a schema accepts, of the session if the session has one. */
function sample(schema: Schema, name: string, session: Session, depth = 0): Json {
  const { known, definitions } = session;
  const whole = resolved(schema, definitions);
  if (whole.const !== undefined) return whole.const as Json;
  const [first] = whole.anyOf ?? [];
  if (first && whole.type === undefined) return sample(first as Schema, name, session, depth);
  const accepted = [CHOSEN[name], ...(known.get(name) ?? []).toReversed()].find(
    (value) => value !== undefined && accepts(whole, value),
  );
  if (accepted !== undefined) return accepted;
  if (whole.enum) return (whole.enum as Json[])[0] ?? null;
  if (whole.type === 'string') return TEXTS.find((text) => accepts(whole, text)) ?? 'Frozen words.';
  if (whole.type === 'integer' || whole.type === 'number') return Number(whole.minimum ?? 1);
  if (whole.type === 'boolean') return true;
  if (whole.type === 'array') {
    const item = whole.items as Schema | undefined;
    return item && depth < 5 && Number(whole.minItems ?? 1) > 0
      ? [sample(item, singular(name), session, depth + 1)]
      : [];
  }
  const required = new Set((whole.required as readonly string[] | undefined) ?? []);
  const members = Object.entries((whole.properties ?? {}) as Record<string, Schema>).filter(([member]) =>
    required.has(member),
  );
  return Object.fromEntries(members.map(([member, inner]) => [member, sample(inner, member, session, depth + 1)]));
}

const singular = (name: string): string => name.replace(/s$/, '');

function accepts(schema: Schema, value: Json): boolean {
  if (schema.enum && !(schema.enum as Json[]).includes(value)) return false;
  if (schema.type === 'integer') return Number.isInteger(value);
  if (schema.type === 'boolean' || schema.type === 'number') return typeof value === schema.type;
  if (schema.type !== 'string' || typeof value !== 'string') return false;
  if (value.length > Number(schema.maxLength ?? Number.POSITIVE_INFINITY)) return false;
  return typeof schema.pattern !== 'string' || new RegExp(schema.pattern, 'u').test(value);
}

export function resolved(schema: Schema, definitions: Definitions): Schema {
  const { $ref, ...rest } = schema as Schema & { readonly $ref?: string };
  if (typeof $ref !== 'string') return schema;
  const target = definitions[$ref.split('/').at(-1) ?? ''];
  return target ? { ...resolved(target, definitions), ...rest } : schema;
}
