import { type Node, nodesOf, treeOf } from '../../../../packages/core/test/rendering/markdown-tree.ts';
import type { Reading } from './reads.ts';

/** Rendered documents by name and reader. */
export type Documents = ReadonlyMap<string, string>;

const RENDERED_FILES = ['contract.md', 'handoff-agent-a.md', 'handoff-agent-b.md'];

export function documentsIn(readings: readonly Reading[]): Documents {
  const found = new Map<string, string>();
  for (const { role, read, answer } of readings) {
    const { markdown, content, filename, text }: Readonly<Record<string, unknown>> = Object(answer);
    if (typeof markdown === 'string') found.set(`${read} of ${role}`, markdown);
    if (read === 'report') found.set(`${read} of ${role}`, String(text));
    if (typeof content === 'string' && RENDERED_FILES.includes(String(filename)))
      found.set(`${filename} of ${role}`, content);
  }
  return found;
}

/** Kinds of nodes whose number a hostile text may change. */
const RUNNING = new Set(['paragraph', 'break', 'text', 'inlineCode']);

/** The parts of a document that no hostile text may change: its structure and diagrams. */
export interface Shape {
  /** The nodes with their depth, as GitHub would render them, except those of `RUNNING`. */
  readonly structure: readonly string[];
  readonly drawings: readonly string[];
}

export function shapeOf(markdown: string): Shape {
  const tree = treeOf(markdown);
  return { structure: structureOf(tree, 0), drawings: nodesOf(tree).flatMap(drawingIn) };
}

function structureOf(node: Node, depth: number): string[] {
  const isRunning = RUNNING.has(node.type);
  const { type, depth: level = '', ordered = '', checked = '', lang = '' } = node;
  const inner = (node.children ?? []).flatMap((child) => structureOf(child, isRunning ? depth : depth + 1));
  return isRunning ? inner : [`${depth} ${[type, level, ordered, checked, lang].join(' ').trimEnd()}`, ...inner];
}

const drawingIn = ({ type, lang, value = '' }: Node): string[] =>
  type === 'code' && lang === 'mermaid' ? value.split('\n') : [];

export const diffsIn = (readings: readonly Reading[]): string[] =>
  readings.flatMap(({ read, answer }) => (read === 'get_revision_diff' ? String(Object(answer).text).split('\n') : []));
