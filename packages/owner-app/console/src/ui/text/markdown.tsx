import '../../styles/markdown.css';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { isQuickToParse } from '../../../../src/text/markdown-work.ts';
import { visible } from '../../../../src/text/visible.ts';
import { LinkedText } from './linked-text.tsx';
import { SafeText } from './shown.tsx';

interface WideBoxProps {
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A box that scrolls sideways, such as around a table. It can be reached by keyboard. */
export const WideBox = ({ class: className = '', children }: WideBoxProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
  <div class={`scroll-x ${className}`.trim()} tabIndex={0}>
    {children}
  </div>
);

/** A box with a long text as it is, such as JSON. It can be reached by keyboard. */
export const TextBox = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
  <pre class="json" tabIndex={0}>
    <SafeText text={text} />
  </pre>
);

type Root = ReturnType<typeof fromMarkdown>;
/** A node of the syntax tree, with the members that this file uses. */
interface Node {
  readonly type: string;
  readonly children?: readonly Node[];
  readonly value?: string;
  readonly depth?: number;
  readonly ordered?: boolean | null;
  readonly start?: number | null;
  readonly checked?: boolean | null;
  readonly lang?: string | null;
  readonly align?: readonly (string | null)[] | null;
  readonly url?: string;
  readonly title?: string | null;
  readonly alt?: string | null;
  readonly identifier?: string;
  readonly label?: string | null;
}

const parse = (text: string): Root => fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/**
 * Shows Markdown as elements that are built from its syntax tree, so nothing is parsed as HTML. Addresses are shown as
 * text, so that a text of an agent cannot make the browser load anything. Addresses, titles, alternative texts and
 * definitions are all shown, so that an owner approves no words that the page hides. Only ids of records and of parts
 * of the contract become links.
 */
export function Markdown({ text }: { readonly text: string }) {
  const tree = useMemo(() => (isQuickToParse(text) ? parse(text) : null), [text]);
  return tree ? <div class="markdown">{childrenOf(tree as Node)}</div> : <PlainText text={text} />;
}

function PlainText({ text }: { readonly text: string }) {
  return (
    <div class="markdown">
      <p class="muted">This text has too much Markdown markup to format. It is shown as plain text.</p>
      <TextBox text={text} />
    </div>
  );
}

const childrenOf = ({ children = [] }: Node): ComponentChildren =>
  children.map((child, index) => <Element key={`${index} ${child.type}`} node={child} />);

function Element({ node }: { readonly node: Node }): ComponentChildren {
  const show = ELEMENTS[node.type];
  if (show) return show(node);
  return node.value === undefined ? childrenOf(node) : <LinkedText text={node.value} />;
}

/** The address and the title of a link, image or definition. */
const targetOf = ({ url = '', title }: Node): string => (title ? `${url} "${title}"` : url);

const nameOf = ({ label, identifier = '' }: Node): string => label ?? identifier;

const textOf = ({ value = '', children = [] }: Node): string => value + children.map(textOf).join('');

/** Whether a link has no title and its text is its address, possibly without `http://` or `mailto:`. */
const isSaid = (link: Node): boolean =>
  !link.title && ['', 'http://', 'mailto:'].some((scheme) => scheme + textOf(link) === link.url);

/** The HTML element for each level of a Markdown heading. Level 1 is an h3, because the page itself uses h1 and h2. */
const HEADINGS = ['h3', 'h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;

const ELEMENTS: Readonly<Record<string, (node: Node) => ComponentChildren>> = {
  paragraph: (node) => <p>{childrenOf(node)}</p>,
  heading: (node) => {
    const Heading = HEADINGS[node.depth ?? 1] ?? 'h6';
    return <Heading>{childrenOf(node)}</Heading>;
  },
  emphasis: (node) => <em>{childrenOf(node)}</em>,
  strong: (node) => <strong>{childrenOf(node)}</strong>,
  delete: (node) => <del>{childrenOf(node)}</del>,
  blockquote: (node) => <blockquote>{childrenOf(node)}</blockquote>,
  inlineCode: (node) => <LinkedText in="code" text={node.value ?? ''} isCode />,
  code: (node) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard.
    <pre tabIndex={0}>
      <code>{visible(node.value ?? '')}</code>
    </pre>
  ),
  link: (node) => (
    <>
      {childrenOf(node)}
      {!isSaid(node) && <SafeText text={` (${targetOf(node)})`} />}
    </>
  ),
  image: (node) => <SafeText text={`[image: ${node.alt || 'no description'} (${targetOf(node)})]`} />,
  linkReference: (node) => (
    <>
      {childrenOf(node)}
      <SafeText text={` [${nameOf(node)}]`} />
    </>
  ),
  imageReference: (node) => <SafeText text={`[image: ${node.alt || 'no description'} [${nameOf(node)}]]`} />,
  definition: (node) => <SafeText in="p" text={`[${nameOf(node)}]: ${targetOf(node)}`} />,
  footnoteReference: (node) => <SafeText text={`[^${nameOf(node)}]`} />,
  footnoteDefinition: (node) => (
    <div>
      <SafeText text={`[^${nameOf(node)}]:`} />
      {childrenOf(node)}
    </div>
  ),
  break: () => <br />,
  thematicBreak: () => <hr />,
  list: (node) => (node.ordered ? <ol start={node.start ?? 1}>{childrenOf(node)}</ol> : <ul>{childrenOf(node)}</ul>),
  listItem: (node) => (
    <li>
      {typeof node.checked === 'boolean' && <span>{node.checked ? '☑ ' : '☐ '}</span>}
      {childrenOf(node)}
    </li>
  ),
  table: (node) => <Table node={node} />,
};

function Table({ node }: { readonly node: Node }): JSX.Element {
  const [head, ...rows] = node.children ?? [];
  return (
    <WideBox>
      <table>
        <thead>
          <tr>
            {head?.children?.map((cell, index) => (
              <th key={`${index} ${cell.type}`}>{childrenOf(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index} ${row.type}`}>
              {row.children?.map((cell, column) => (
                <td key={`${column} ${cell.type}`}>{childrenOf(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideBox>
  );
}
