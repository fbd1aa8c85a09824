import type { JsonSchema, ToolFacts } from '@parley/core';
import { createSchemaListing } from './listed-schema.ts';

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
