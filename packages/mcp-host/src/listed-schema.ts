import type { JsonSchema } from '@parley/core';

/** Types of a value inside a list. Lists inside lists are not listed; the service validates them. */
const VALUES: readonly JsonSchema[] = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'object', properties: {} },
];
const ANY_VALUE: readonly JsonSchema[] = [...VALUES, { type: 'array', items: { anyOf: VALUES } }];

/** Limits of values: the refusal of a value names the limit that it breaks. */
const LIMITS = new Set(['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum']);

/** Size in characters above which a member of the input is listed with names and types only. */
const MAX_MEMBER_CHARS = 4_000;

/**
 * An input schema as `tools/list` shows it: keywords that the tool converters of the model providers accept. Each node
 * has one type or, if it may be any value, a choice of typed nodes. Keywords that a converter drops or fails on, and
 * limits, are left out; the service validates with the full schema.
 * @param isRepeated whether a tool with this input was listed before: then a large member is an open object
 */
export function listedSchema(schema: JsonSchema, isRepeated: boolean): JsonSchema {
  const listed = listedNode(schema);
  const { properties } = listed;
  if (!properties) return listed;
  const outline = (member: JsonSchema): JsonSchema =>
    JSON.stringify(member).length > MAX_MEMBER_CHARS
      ? { ...(isRepeated ? OPEN_OBJECT : outlineOf(member)), description: member.description }
      : member;
  return { ...listed, properties: mapMembers(properties, outline) };
}

const OPEN_OBJECT: JsonSchema = { type: 'object', properties: {} };

function listedNode(node: JsonSchema): JsonSchema {
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
}

/**
 * Converters for Gemini keep one branch of a union: returns the branch with members, else the first; {} for an open
 * object.
 */
function usualOf(branches: readonly JsonSchema[]): JsonSchema {
  const usual = branches.find(({ properties }) => properties) ?? branches[0] ?? {};
  return usual.type === 'object' && !usual.properties ? {} : usual;
}

const withoutLimits = (node: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(node).filter(([keyword]) => !LIMITS.has(keyword)));

/** Names and types only; at deeper levels only the required members. */
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
  change: (member: JsonSchema) => JsonSchema,
): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
