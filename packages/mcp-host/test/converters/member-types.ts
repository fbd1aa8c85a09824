/** A node of JSON Schema, or of what a converter makes of one. */
type Node = Readonly<Record<string, unknown>>;

/** By the path of each member the types that it may have, in lower case: `questions[].text` → `string`. */
export type MemberTypes = Readonly<Record<string, readonly string[]>>;

/** Whether null is taken as well does not count: converters say it in several ways, for optional members unasked. */
export function memberTypes(schema: unknown): MemberTypes {
  const types = new Map<string, Set<string>>();
  collect(nodeOf(schema ?? NO_MEMBERS), '', types);
  return Object.fromEntries(Array.from(types, ([path, found]) => [path, [...found].sort()]));
}

/** What converters leave out for a tool without input. */
const NO_MEMBERS = { type: 'object', properties: {} };

function collect(node: Node, path: string, types: Map<string, Set<string>>): void {
  const { properties, items, anyOf } = node;
  const found = types.get(path) ?? new Set();
  types.set(path, found);
  for (const type of ownTypes(node)) if (type !== 'null') found.add(type);
  for (const branch of Array.isArray(anyOf) ? anyOf : []) collect(nodeOf(branch), path, types);
  if (items) collect(nodeOf(items), `${path}[]`, types);
  for (const [name, member] of Object.entries(Object(properties))) collect(nodeOf(member), `${path}.${name}`, types);
}

/** Anthropic's converters let choices speak for themselves. */
function ownTypes({ type, enum: choices }: Node): string[] {
  if (typeof type === 'string') return [type.toLowerCase()];
  return Array.isArray(choices) ? choices.map((choice) => typeof choice) : [];
}

const nodeOf = (value: unknown): Node => Object(value);
