import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

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

/** What a section is, by its heading. The first row that matches counts. */
type Meaning = (typeof MEANINGS)[number][0];

const anyOf = (...words: readonly string[]): RegExp => new RegExp(`^(?:${words.join('|')})`, 'iu');

/** Requirements of Kiro in the languages in which it writes them, with their number. */
const NUMBERED = '(?:requirement|requisito|anforderung|exigence|требование|需求|要件|要求|요구\\s?사항)\\s*\\d+';

const MEANINGS = [
  ['scenario', anyOf('scenario\\s*(?::|\\d)', 'scenario outline')],
  [
    'criteria',
    anyOf(
      ...[
        '(?:pass|exit) criteria',
        'acceptance (?:criteria|scenarios?|tests?|checklist)',
        'definition of done',
        'done when',
        'dod\\b',
      ],
      ...[
        'success criteria',
        'critères d.acceptation',
        'criterios de aceptación',
        'critérios de aceita',
        'akzeptanzkriterien',
      ],
      ...['критерии при', '验收标准', '驗收標準', '验收准则', '受け?入れ?基準', '수용 기준', '인수 기준'],
    ),
  ],
  ['requirement', anyOf('requirement\\s*:', NUMBERED, 'user (?:story|journey) (?:us-?)?\\d', 'us-?\\d')],
  [
    'guardrail',
    anyOf(
      ...['non-?\\s?goals?', 'out[- ]of[- ]scope', 'not in scope', '(?:what )?must not', 'guardrails?', 'prohibited'],
      '(?:[\\p{L}-]+ )?constraints?(?! check)',
    ),
  ],
  [
    'other',
    anyOf(
      ...[
        '(?:key |data )?entit',
        'assumption',
        'edge cases?',
        'clarification',
        'open questions?',
        '(?:\\p{L}+ )?dependenc',
      ],
      ...[
        'glossary',
        'definitions',
        '(?:\\p{L}+ )?checklist',
        'review',
        'execution',
        'notes?$',
        'references?$',
        'links?$',
      ],
      ...['environment', 'steps to reproduce', 'logs?$', 'screenshots?', 'additional (?:context|info)', 'alternatives'],
      ...[
        'risks?',
        'impact$',
        'capabilities$',
        'decisions?$',
        'test(?:ing| plan)',
        'quick guidelines',
        'section requirements',
      ],
      ...[
        'for ai generation',
        'related',
        'document conventions',
        'pre-?requisites',
        'why this priority',
        'priority$',
        'type$',
      ],
      ...[
        'status$',
        'estimate',
        'constitution',
        'revision history',
        'changelog',
        'table of contents',
        'contents$',
        'appendix',
      ],
    ),
  ],
  ['story', anyOf('(?:primary )?user (?:story|journey)$', 'story$')],
  ['list', anyOf(...['(?:[\\p{L}/&-]+ ){0,3}requirements?$', 'user stories', 'measurable outcomes'])],
  [
    'work',
    anyOf(
      ...[
        'what changes',
        '(?:proposed |key )?changes$',
        '(?:\\p{L}+ )?tasks?$',
        'what should',
        'to-?\\s?do',
        'deliverables?$',
        'scope$',
        'in[- ]scope',
      ],
      ...[
        'features$',
        'needs?$',
        'what$',
        '(?:describe )?the solution',
        '(?:proposed |suggested )?solution',
        'proposal$',
      ],
      ...['expected behaviou?r', 'what to do', 'approach$', 'implementation$', 'acceptance$'],
    ),
  ],
] as const;

/** Labels below the first heading that describe the document itself. */
export const ABOUT_DOCUMENT =
  /^(?:feature branch|branch|created|date|updated|last updated|status|author|owner|version|priority|type|epic|labels?|assignees?)$/i;

/** Undefined for a heading that says nothing of what stands below it. */
export const meaningOf = (heading: string): Meaning | undefined =>
  MEANINGS.find(([, pattern]) => pattern.test(heading))?.[0];

/** Headings of what a specification is for, the best first. */
export const OBJECTIVES: readonly RegExp[] = [
  anyOf(
    'why(?! this priority)\\b',
    'objectives?$',
    'purpose$',
    'goals?$',
    'executive summary',
    'summary$',
    'overview$',
    'tl;?dr',
  ),
  anyOf(
    'problem',
    'motivation',
    'introduction$',
    'abstract',
    'is your feature request',
    '介紹|介绍|简介|はじめに|概要|소개|введение',
  ),
  anyOf('(?:feature )?description$', 'background$', 'context$', 'input$'),
  anyOf('(?:primary )?user (?:story|journey)$', 'story$'),
];

/** Words that the template of Spec Kit puts before what the user said. */
export const OBJECTIVE_PREFIX = /^user description:\s*/i;

/** Words before the name of a specification in its first heading, and first headings that are no name. */
export const TITLE_PREFIX =
  /^(?:feature specification|feature|specification|spec|change|proposal|requirements document|requirements)\s*[:–—-]\s*/i;
export const NO_TITLE =
  /^(?:requirements?|design|proposal|spec|specification|feature specification|change|tasks)(?: document)?$|^需求文[檔档]$|^要件定義書?$/i;

const ID_FORM = '[A-Z][A-Za-z]{0,15}(?:-[A-Za-z0-9]+)*-\\d+(?:\\.\\d+)*[a-z]?|[A-Z]{1,6}\\d+(?:\\.\\d+)*';
/** A text that begins with an id and a sign after it, such as `FR-001: …` or `[NFR-2] …`. */
export const WITH_ID = new RegExp(
  `^(?:\\[(${ID_FORM})\\]\\s*[:.)–—-]?|(${ID_FORM})(?:\\s*\\([^)]{1,40}\\))?\\s*[:.)–—-])\\s+(?=\\S)`,
);
/** A text that is an id alone. */
export const ID_ALONE = new RegExp(`^\\[?(${ID_FORM})\\]?[:.]?$`);
/** What stands before the name of a requirement in its heading. */
export const REQUIREMENT_PREFIX = new RegExp(`^(?:requirement\\s*:|${NUMBERED})\\s*[:：.–—-]?\\s*`, 'iu');
