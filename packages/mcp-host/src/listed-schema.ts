import type { JsonSchema } from '@parley/core';

/** Types that a tool list shows for a value inside a list. Lists inside lists are left out; the service validates them. */
const VALUES: readonly JsonSchema[] = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'object', properties: {} },
];
const ANY_VALUE: readonly JsonSchema[] = [...VALUES, { type: 'array', items: { anyOf: VALUES } }];
const OPEN_OBJECT: JsonSchema = { type: 'object', properties: {} };

/** Keywords that tool lists leave out: if a value breaks a limit, the service's refusal names the limit. */
const LIMITS = new Set(['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'format']);

/** Size in characters above which a member of the input is listed with names and types only. */
const MAX_MEMBER_CHARS = 4_000;
/** Size in characters above which a repeated object is listed with names and types only. */
const MIN_REPEATED_CHARS = 120;

type Change = (node: JsonSchema) => JsonSchema;

/**
 * Returns a function that makes the input schemas of one `tools/list`, to be called in the order of the list. Each node has
 * one type or, if it may be any value, a choice of typed nodes. Limits, and keywords that a provider's tool converter drops
 * or fails on, are left out; the service validates with the full schema. An object that an earlier tool has too shows only
 * names and types of its required members and refers to that tool. A description is given once for each name.
 */
export function createSchemaListing(): (tool: string, schema: JsonSchema) => JsonSchema {
  const toolOf = new Map<string, string>();
  const described = new Set<string>();
  let hasAnyValue = false;

  /** @returns the tool that listed an equal node earlier */
  function earlierTool(tool: string, node: JsonSchema): string | undefined {
    const key = JSON.stringify(node);
    const earlier = key.length > MIN_REPEATED_CHARS ? toolOf.get(key) : undefined;
    toolOf.set(key, earlier ?? tool);
    return earlier;
  }

  const once = (name: string, node: JsonSchema): JsonSchema => {
    const { description, ...rest } = node;
    const key = `${name}: ${description}`;
    if (described.has(key)) return rest;
    described.add(key);
    return node;
  };

  const shorten = (tool: string, node: JsonSchema): JsonSchema => {
    const { properties, items } = node;
    return {
      ...node,
      ...(properties && { properties: mapMembers(properties, (member, name) => listMember(tool, name, member)) }),
      ...(items && { items: listMember(tool, '[]', items) }),
    };
  };

  /** Shows the type `array` for the first member that may be any value, and leaves it out for later ones. */
  function withoutLists(member: JsonSchema): JsonSchema {
    if (member.anyOf !== ANY_VALUE) return member;
    const isFirst = !hasAnyValue;
    hasAnyValue = true;
    return isFirst ? member : { ...member, anyOf: VALUES };
  }

  function listMember(tool: string, name: string, given: JsonSchema): JsonSchema {
    const member = withoutLists(given);
    const isLarge = JSON.stringify(member).length > MAX_MEMBER_CHARS;
    const earlier = member.properties && earlierTool(tool, member);
    const description = earlier ? `As in ${earlier}.` : member.description;
    if (isLarge) return once(name, { ...(earlier ? OPEN_OBJECT : outlineOf(member)), description });
    return earlier ? { ...inside(member), description } : once(name, shorten(tool, member));
  }

  return (tool, schema) => shorten(tool, listedNode(schema));
}

const listedNode: Change = (node) => {
  const { anyOf, propertyNames, additionalProperties, ...kept } = node;
  const rest = withoutLimits(kept);
  const usual = anyOf && usualOf(anyOf);
  if (usual) return { ...listedNode(usual), ...rest };
  if (rest.type === undefined) return { ...rest, anyOf: ANY_VALUE };
  const properties = rest.properties ?? (rest.type === 'object' ? {} : undefined);
  return {
    ...rest,
    ...(properties && { properties: mapMembers(properties, listedNode) }),
    ...(rest.items && { items: listedNode(rest.items) }),
  };
};

/**
 * Converters for Gemini keep one branch of a union: returns the branch with members, else the first; {} for an open
 * object.
 */
function usualOf(branches: readonly JsonSchema[]): JsonSchema {
  const usual = branches.find(({ properties }) => properties) ?? branches[0] ?? {};
  return usual.type === 'object' && !usual.properties ? {} : usual;
}

const withoutLimits: Change = (node) =>
  Object.fromEntries(Object.entries(node).filter(([keyword]) => !LIMITS.has(keyword)));

/** The node with names and types only. Nested objects show only their required members. */
function outlineOf({ type, anyOf, items, properties }: JsonSchema): JsonSchema {
  if (anyOf) return { anyOf };
  return {
    ...(type !== undefined && { type }),
    ...(items && { items: inside(items) }),
    ...(properties && { properties: mapMembers(properties, inside) }),
  };
}

function inside(node: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = node;
  const kept = Object.entries(properties).filter(([name]) => required.includes(name));
  return outlineOf(node.properties ? { ...node, properties: Object.fromEntries(kept) } : node);
}

const mapMembers = (
  members: Readonly<Record<string, JsonSchema>>,
  change: (member: JsonSchema, name: string) => JsonSchema,
): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member, name)]));
