import { Contract } from '../../src/areas/document/contract.ts';

/** Members of a contract that contain ids, codes or JSON. `withTexts` does not replace their texts. */
const KEPT = new Set(
  `schema_version id provider consumers assignee executor responsible requirements interfaces depends_on covered_by
  decisions kind stage audience evidence_policy content json_schema errors`.split(/\s+/),
);
const SHAPES = new Set(['request', 'response']);

export const withTexts = (contract: Contract, replace: (text: string) => string): Contract =>
  Contract.parse(replaced(contract, replace));

function replaced(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, isKept(key, member) ? member : replaced(member, replace)]),
  );
}

function isKept(key: string, member: unknown): boolean {
  const isListOfObjects = Array.isArray(member) && typeof member[0] === 'object';
  return (KEPT.has(key) && !(isListOfObjects && key !== 'errors')) || (SHAPES.has(key) && typeof member !== 'string');
}
