import { Contract } from '../contract/contract.ts';
import { renderContract } from './contract.ts';
import { fenced } from './markdown.ts';

/** The Markdown of a revision; one that breaks the schema is shown as its JSON. */
export function renderAnyContract(value: unknown): string {
  const parsed = Contract.safeParse(value);
  if (parsed.success) return renderContract(parsed.data);
  const json = fenced(JSON.stringify(value, null, 2), 'json');
  return `# A contract that breaks its schema\n\nIt can only be shown as it was handed in.\n\n${json}\n`;
}
