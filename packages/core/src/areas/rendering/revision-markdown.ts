import { LRUCache } from 'lru-cache';
import { parseContract } from '../validation/parse-contract.ts';
import { renderContract } from './contract.ts';
import { fenced } from './markdown.ts';

/** Size of the cache in characters of Markdown: dozens of the longest contracts. */
const KEPT_CHARS = 16 * 1024 * 1024;

const rendered = new LRUCache<string, string>({ maxSize: KEPT_CHARS, sizeCalculation: ({ length }) => length + 1 });

/**
 * The Markdown of a stored revision, cached by its hash.
 * @param text the RFC 8785 form over which the hash was computed
 */
export function markdownOf(contentHash: string, text: string): string {
  const markdown = rendered.get(contentHash) ?? renderAnyContract(JSON.parse(text));
  rendered.set(contentHash, markdown);
  return markdown;
}

/** Shows a contract that breaks its schema as JSON. */
function renderAnyContract(value: unknown): string {
  const parsed = parseContract(value);
  if (parsed.kind === 'contract') return renderContract(parsed.contract);
  const json = fenced(JSON.stringify(value, null, 2), 'json');
  return `# A contract that breaks its schema\n\nIt can only be shown as it was handed in.\n\n${json}\n`;
}
