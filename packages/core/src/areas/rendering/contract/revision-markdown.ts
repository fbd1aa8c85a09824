import { LRUCache } from 'lru-cache';
import { sha256Hex } from '../../../kernel/text/sha256.ts';
import { parseContract } from '../../validation/parse-contract.ts';
import { fenced } from '../markdown.ts';
import { renderContract } from './contract.ts';
import type { DecidedText } from './decisions.ts';

/** Maximum size of the cache, in characters of Markdown. Dozens of the longest contracts fit into the cache. */
const KEPT_CHARS = 16 * 1024 * 1024;

const rendered = new LRUCache<string, string>({ maxSize: KEPT_CHARS, sizeCalculation: ({ length }) => length + 1 });

/**
 * The Markdown of a stored revision. Cached by the hash of the contract and by the texts of its decisions.
 * @param text the RFC 8785 form of the contract, from which the hash was computed
 */
export function markdownOf(contentHash: string, text: string, decided: readonly DecidedText[] = []): string {
  const key = decided.length === 0 ? contentHash : `${contentHash} ${sha256Hex(JSON.stringify(decided))}`;
  const markdown = rendered.get(key) ?? renderAnyContract(JSON.parse(text), decided);
  rendered.set(key, markdown);
  return markdown;
}

/** A contract that breaks its schema is shown as JSON. */
function renderAnyContract(value: unknown, decided: readonly DecidedText[]): string {
  const parsed = parseContract(value);
  if (parsed.kind === 'contract') return renderContract(parsed.contract, decided);
  const json = fenced(JSON.stringify(value, null, 2), 'json');
  return `# A contract that breaks its schema\n\nIt can only be shown as it was submitted.\n\n${json}\n`;
}
