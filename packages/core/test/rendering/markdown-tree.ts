import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

export interface Node {
  readonly type: string;
  readonly value?: string;
  readonly depth?: number;
  readonly ordered?: boolean | null | undefined;
  readonly checked?: boolean | null | undefined;
  readonly lang?: string | null | undefined;
  readonly children?: readonly Node[];
}

/** Parses Markdown as GitHub does, with an independent parser. */
export const treeOf = (markdown: string): Node =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** Describes a tree without its texts: one line for each other node, indented by depth. */
export function skeletonOf(node: Node, indent = ''): string[] {
  if (node.type === 'text' || node.type === 'inlineCode') return [];
  const { type, depth = '', ordered = '', checked = '', lang = '' } = node;
  const inner = (node.children ?? []).flatMap((child) => skeletonOf(child, `${indent} `));
  return [`${indent}${[type, depth, ordered, checked, lang].join(' ').trimEnd()}`, ...inner];
}

export const nodesOf = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(nodesOf)];

/** The visible text of a node and of all nodes below it, without whitespace. */
export const wordsOf = (node: Node): string =>
  nodesOf(node)
    .map(({ value = '' }) => value)
    .join('')
    .replaceAll(/\s/g, '');
