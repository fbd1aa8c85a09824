import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { inlineText, type Node } from './node-text.ts';

/**
 * A heading of a document with what stands below it, in the order of the source. A label, such as `**Acceptance
 * Scenarios**:` at the beginning of a line, counts as a heading of the lowest depth: specifications use both in the same
 * places.
 */
export interface Section {
  /** Without marks, numbers and remarks such as `(mandatory)`. Empty for what stands before the first heading. */
  readonly heading: string;
  readonly depth: number;
  readonly parts: readonly (Node | Section)[];
}

export const isSection = (part: Node | Section): part is Section => 'parts' in part;
export const sectionsIn = ({ parts }: Section): Section[] => parts.filter(isSection);
export const blocksIn = ({ parts }: Section): Node[] => parts.flatMap((part) => (isSection(part) ? [] : [part]));

/** A section and all sections below it, in the order of the source. */
export const allSections = (section: Section): Section[] => [section, ...sectionsIn(section).flatMap(allSections)];

interface Open extends Section {
  readonly parts: (Node | Section)[];
}

const LABEL_DEPTH = 7;

/** Parses a text as Markdown as GitHub does. The first section has depth 0 and contains all others. */
export function sectionsOf(source: string): Section {
  const root: Open = { heading: '', depth: 0, parts: [] };
  const open: Open[] = [root];
  const current = (): Open => open.at(-1) ?? root;
  const begin = (heading: string, depth: number, parts: Node[]): void => {
    closeTo(open, depth);
    const section: Open = { heading, depth, parts };
    current().parts.push(section);
    open.push(section);
  };
  for (const node of fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children) {
    if (node.type === 'heading') begin(headingText(inlineText(node.children, source)), node.depth, []);
    else if (node.type === 'paragraph')
      for (const { label, children } of piecesOf(node, source)) {
        if (label !== undefined) begin(label, LABEL_DEPTH, children.length > 0 ? [{ ...node, children }] : []);
        else {
          closeTo(open, LABEL_DEPTH);
          current().parts.push({ ...node, children });
        }
      }
    else current().parts.push(node);
  }
  return root;
}

function closeTo(open: Open[], depth: number): void {
  while (open.length > 1 && (open.at(-1)?.depth ?? 0) >= depth) open.pop();
}

type Paragraph = Extract<Node, { type: 'paragraph' }>;

interface Piece {
  readonly label: string | undefined;
  readonly children: Paragraph['children'];
}

/** Divides a paragraph at the labels that begin its lines. */
function piecesOf({ children }: Paragraph, source: string): Piece[] {
  const pieces: Piece[] = [];
  let label: Node | undefined;
  children.forEach((node, index) => {
    const before = children[index - 1];
    const text = isAtLineStart(before) && node.type === 'strong' ? inlineText([node], source) : '';
    const isLabel =
      text.endsWith(':') || (text !== '' && (children.length === 1 || beginsWithColon(children[index + 1])));
    if (isLabel) {
      label = node;
      pieces.push({ label: headingText(text), children: [] });
    } else {
      const kept = node.type === 'text' && before !== undefined && before === label ? withoutColon(node) : node;
      if (pieces.length === 0) pieces.push({ label: undefined, children: [] });
      pieces.at(-1)?.children.push(kept);
    }
  });
  return pieces.map((piece) => ({ ...piece, children: trimmed(piece.children) }));
}

type Text = Extract<Node, { type: 'text' }>;

const isAtLineStart = (before: Node | undefined): boolean =>
  !before || before.type === 'break' || (before.type === 'text' && before.value.endsWith('\n'));
const beginsWithColon = (node: Node | undefined): boolean => node?.type === 'text' && /^\s*:/.test(node.value);
const withoutColon = (node: Text): Text => ({ ...node, value: node.value.replace(/^\s*:\s*/, '') });

/** Without the line breaks and blanks that divided the piece from the others. */
function trimmed(children: Paragraph['children']): Paragraph['children'] {
  const isEmpty = (node: Node | undefined): boolean =>
    node?.type === 'break' || (node?.type === 'text' && node.value.trim() === '');
  let [from, to] = [0, children.length];
  while (from < to && isEmpty(children[from])) from += 1;
  while (to > from && isEmpty(children[to - 1])) to -= 1;
  return children.slice(from, to);
}

/** A heading without the number of its chapter, symbols before it, and remarks about it. */
function headingText(text: string): string {
  return text
    .replace(/^[^\p{L}\p{N}`"'«([<]+/u, '')
    .replace(/^\d+(?:\.\d+)*[.)]?\s+(?=\S)/, '')
    .replace(/(?<!\s)\s*\((?:mandatory|required|optional|include[^()]*)\)\s*$/i, '')
    .replace(/(?<!\s)\s*:\s*$/, '')
    .trim();
}
