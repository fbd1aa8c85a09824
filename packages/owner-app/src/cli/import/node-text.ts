import type { fromMarkdown } from 'mdast-util-from-markdown';

/** A node of the syntax tree of Markdown. */
export type Node = ReturnType<typeof fromMarkdown>['children'][number];
export type ListItem = Extract<Node, { type: 'listItem' }>;

const COMMENT = /^\s*<!--/;
const LINE_BREAK = /^<br\s*\/?>$/i;

/**
 * The text of nodes without the marks of headings and emphasis. Code, links and tables stay as they are written, because
 * their marks carry meaning. Comments are left out.
 *
 * @param source the text of which the nodes were parsed
 */
export function textOf(nodes: readonly Node[], source: string): string {
  return nodes
    .map((node) => blockText(node, source, ''))
    .filter((text) => text.trim() !== '')
    .join('\n')
    .trim();
}

function blockText(node: Node, source: string, indent: string): string {
  switch (node.type) {
    case 'paragraph':
    case 'heading':
      return indented(inlineText(node.children, source), indent);
    case 'list':
      return node.children.map((item, index) => itemText(item, `${markOf(node, index)} `, source, indent)).join('\n');
    case 'blockquote':
      return blocksText(node.children, source, indent);
    case 'code':
      return indented(`\`\`\`${node.lang ?? ''}\n${node.value}\n\`\`\``, indent);
    case 'thematicBreak':
      return '';
    case 'html':
      return COMMENT.test(node.value) ? '' : indented(node.value, indent);
    default:
      return indented(inlineText([node], source), indent);
  }
}

const blocksText = (nodes: readonly Node[], source: string, indent: string): string =>
  nodes
    .map((node) => blockText(node, source, indent))
    .filter(Boolean)
    .join('\n');

function itemText({ children }: ListItem, mark: string, source: string, indent: string): string {
  const inner = blocksText(children, source, `${indent}  `);
  return `${indent}${mark}${inner.slice(indent.length + 2)}`;
}

const markOf = ({ ordered, start }: Extract<Node, { type: 'list' }>, index: number): string =>
  ordered ? `${(start ?? 1) + index}.` : '-';

const indented = (text: string, indent: string): string => text.replace(/^(?=.)/gm, indent);

/**
 * The text of the parts of a paragraph, on one line but for the line breaks that Markdown keeps. The patterns begin at the first blank
 * of several only: else their time grows with the square of the number of blanks.
 */
export function inlineText(nodes: readonly Node[], source: string): string {
  return nodes
    .map((node) => {
      switch (node.type) {
        case 'text':
          return node.value.replaceAll(/(?<![ \t])[ \t]*\n[ \t]*/g, ' ');
        case 'strong':
        case 'emphasis':
        case 'delete':
          return inlineText(node.children, source);
        case 'break':
          return '\n';
        case 'html':
          return COMMENT.test(node.value) ? '' : LINE_BREAK.test(node.value) ? '\n' : node.value;
        default:
          return source.slice(node.position?.start.offset, node.position?.end.offset);
      }
    })
    .join('')
    .replaceAll(/(?<![ \t])[ \t]+\n/g, '\n');
}
