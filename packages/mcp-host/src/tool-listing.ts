import type { JsonSchema, ToolFacts } from '@parley/core';

/** Types for array elements that may have any type. Nested arrays are not listed, but the service accepts them. */
const VALUES: readonly JsonSchema[] = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'object', properties: {} },
];
const ANY_VALUE: readonly JsonSchema[] = [...VALUES, { type: 'array', items: { anyOf: VALUES } }];
const OPEN_OBJECT: JsonSchema = { type: 'object', properties: {} };

/**
 * Keywords for limits. They are removed from the schemas in `tools/list`. If a value exceeds a limit, the error message
 * contains the limit.
 */
const LIMITS = new Set(['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum', 'format']);

/**
 * Maximum size of the schema of an input member in `tools/list`, in characters. A longer schema is reduced to names and
 * types.
 */
const MAX_MEMBER_CHARS = 4_000;
/**
 * An object schema with more characters is listed in full only once. Later occurrences are reduced to names and types.
 */
const MIN_REPEATED_CHARS = 120;

type Change = (node: JsonSchema) => JsonSchema;

/**
 * Returns a function that makes the input schemas for one `tools/list`. Call the returned function once for each tool,
 * in the order of the list. It simplifies the full schema, with which the service validates:
 *
 * - Each node has one type. A node that may be any value has a choice of typed nodes.
 * - Limits are removed, and so are keywords that the tool converters of model providers drop or refuse.
 * - If an earlier tool has the same object, the object refers to that tool and shows only names and types of its
 *   required members.
 * - If several members have the same name and description, only the first has its description.
 */
export function createSchemaListing(): (tool: string, schema: JsonSchema) => JsonSchema {
  const toolOf = new Map<string, string>();
  const described = new Set<string>();
  let hasAnyValue = false;

  /**
   * Returns the tool for which an equal node was listed before. Undefined if there is none, or if the node is short.
   */
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

  /** Removes the type `array` from a member that may be any value. The first such member keeps the type. */
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
 * Chooses the alternative of a union that is listed: the first object with properties, otherwise the first alternative.
 * Only one is listed, because converters for Gemini keep only one.
 */
function usualOf(branches: readonly JsonSchema[]): JsonSchema {
  return branches.find(({ properties }) => properties) ?? branches[0] ?? {};
}

const withoutLimits: Change = (node) =>
  Object.fromEntries(Object.entries(node).filter(([keyword]) => !LIMITS.has(keyword)));

/** Reduces a schema to names and types. In nested objects, only the required members are listed. */
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

export interface ToolListing {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Annotations that differ from MCP's defaults. `readOnlyHint` implies the other hints. */
  readonly annotations: {
    readonly readOnlyHint?: true;
    readonly destructiveHint?: false;
    readonly idempotentHint?: true;
    readonly openWorldHint?: false;
  };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * Allows Anthropic's clients to accept results of this many characters. By default, they cut long transcripts and
 * contracts.
 */
const LARGE_RESULT = { _meta: { 'anthropic/maxResultSizeChars': 400_000 } };

/** Cache of the results of `listTools`, by `tools`. Core returns the same array `tools` for all tokens of a role. */
const listings = new WeakMap<readonly ToolFacts[], readonly ToolListing[]>();

/** Returns the tools of a role in the form of MCP, in the same order. */
export function listTools(tools: readonly ToolFacts[]): readonly ToolListing[] {
  const known = listings.get(tools);
  if (known) return known;
  const schemaOf = createSchemaListing();
  const made = tools.map((tool) => listTool(tool, schemaOf(tool.name, tool.inputSchema)));
  listings.set(tools, made);
  return made;
}

function listTool(
  { name, summary, effect, takesIdempotencyKey, readsTexts }: ToolFacts,
  inputSchema: JsonSchema,
): ToolListing {
  const listing = { name, description: summary, inputSchema };
  if (effect === 'read') return { ...listing, annotations: { readOnlyHint: true }, ...(readsTexts && LARGE_RESULT) };
  // Codex asks its user before each call of a tool, unless the tool has both of these annotations.
  const annotations = { destructiveHint: false, openWorldHint: false } as const;
  return { ...listing, annotations: takesIdempotencyKey ? { ...annotations, idempotentHint: true } : annotations };
}
