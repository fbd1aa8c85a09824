import type { JsonSchema, ToolFacts } from '@parley/core';
import { listedSchema } from './listed-schema.ts';

/** A tool as `tools/list` shows it. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/**
 * Size that clients of Anthropic must allow for a result; transcripts and contracts can have so many characters.
 * Without it they cut results.
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
  const title = titleOf(name);
  const isRead = effect === 'read';
  const annotations = {
    title,
    readOnlyHint: isRead,
    destructiveHint: false,
    idempotentHint: isRead || takesIdempotencyKey,
    openWorldHint: false,
  };
  const listing = {
    name,
    title,
    description: summary,
    inputSchema: listedSchema(inputSchema, isRepeated),
    annotations,
  };
  return isRead ? { ...listing, _meta: READ_META } : listing;
}

/** `Accept decision` of `accept_decision`. */
function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
