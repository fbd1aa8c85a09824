/** A node of JSON Schema, or of a converter's output. */
type Node = Readonly<Record<string, unknown>>;

/** For each path of a member, its types in lower case: `.questions[].text` → `string`. */
export type MemberTypes = Readonly<Record<string, readonly string[]>>;

/** Returns the types of every member without null, because converters add null to optional members in several ways. */
export function memberTypes(schema: unknown): MemberTypes {
  const types = new Map<string, Set<string>>();
  collect(nodeOf(schema ?? NO_MEMBERS), '', types);
  return Object.fromEntries(Array.from(types, ([path, found]) => [path, [...found].sort()]));
}

/** The schema of a tool without input, which some converters leave out. */
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

/** Returns the types of a node. If the node has no `type`, uses the types of its `enum` values. */
function ownTypes({ type, enum: choices }: Node): string[] {
  if (typeof type === 'string') return [type.toLowerCase()];
  return Array.isArray(choices) ? choices.map((choice) => typeof choice) : [];
}

const nodeOf = (value: unknown): Node => Object(value);
