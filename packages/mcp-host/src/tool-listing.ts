import type { JsonSchema, ToolFacts } from '@parley/core';
import { listedSchema } from './listed-schema.ts';

/** A tool as `tools/list` shows it. */
export interface ToolListing {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Only annotations that differ from their defaults in MCP. A read has none of the annotations about writes. */
  readonly annotations: {
    readonly readOnlyHint?: true;
    readonly destructiveHint?: false;
    readonly idempotentHint?: true;
    readonly openWorldHint: false;
  };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * Size in characters that clients of Anthropic must accept as a result; without this member they cut longer transcripts
 * and contracts.
 */
const READ_META = { 'anthropic/maxResultSizeChars': 400_000 };

/** The core returns the same array for all tokens of a role. */
const listings = new WeakMap<readonly ToolFacts[], readonly ToolListing[]>();

/** The tools of a role in the form of MCP, in the same order. */
export function listTools(tools: readonly ToolFacts[]): readonly ToolListing[] {
  const known = listings.get(tools);
  if (known) return known;
  const listed = new Set<string>();
  const made = tools.map((tool) => {
    const input = JSON.stringify(tool.inputSchema);
    const isRepeated = listed.has(input);
    listed.add(input);
    return listTool(tool, isRepeated);
  });
  listings.set(tools, made);
  return made;
}

function listTool(
  { name, summary, effect, takesIdempotencyKey, inputSchema }: ToolFacts,
  isRepeated: boolean,
): ToolListing {
  const listing = { name, description: summary, inputSchema: listedSchema(inputSchema, isRepeated) };
  if (effect === 'read')
    return { ...listing, annotations: { readOnlyHint: true, openWorldHint: false }, _meta: READ_META };
  const annotations = { destructiveHint: false, openWorldHint: false } as const;
  return { ...listing, annotations: takesIdempotencyKey ? { ...annotations, idempotentHint: true } : annotations };
}
