import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { visible } from '../../../../src/text/visible.ts';
import { closeSheet, go } from '../../state/route.ts';
import { type FramedProps, SafeText } from './shown.tsx';

interface LinkProps {
  readonly to: string;
  readonly class?: string | undefined;
  readonly current?: boolean | undefined;
  /** Called when the link is followed inside the console. */
  readonly onFollow?: () => void;
  /** Follows the link inside the console. Default: `go`. */
  readonly follow?: (to: string) => void;
  /** The text of a person or an agent that the link shows. */
  readonly text?: string;
  readonly children?: ComponentChildren;
}

/**
 * A link inside the console. If a modifier key is held, the browser handles the click, for example to open a new tab.
 */
export function Link({ to, class: className, current, onFollow, follow = go, text, children }: LinkProps) {
  const onClick = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onFollow?.();
    follow(to);
  };
  return (
    <a href={to} class={className} aria-current={current ? 'page' : undefined} onClick={onClick}>
      {text === undefined ? children : <SafeText text={text} />}
    </a>
  );
}

export interface IdLinks {
  /** Returns the address of the record, part of the contract or scenario with this id. Undefined if there is none. */
  addressOf(id: string): string | undefined;
  /** Returns the address of the message with this number. */
  addressOfMessage(number: number): string;
  open(id: string): void;
}

/** The links of a session's page. Null on other pages, whose texts contain no ids of records. */
export const IdLinksContext = createContext<IdLinks | null>(null);

const WORD = /[A-Za-z0-9][A-Za-z0-9_.-]{0,59}/g;
/**
 * Matches a word that may be an id. The word must have a letter and, after it, a digit, `_`, `.` or `-`, so that a
 * plain word such as "captures" is not a link.
 */
const LOOKS_LIKE_ID = /[a-z].*[\d_.-]/i;

interface LinkedTextProps extends FramedProps {
  /** Whether the text is a code span, in which a plain word can also be an id. */
  readonly isCode?: boolean;
  /** Whether the service wrote the text. Then the number of a message, written as `#12`, is a link too. */
  readonly isOfService?: boolean;
}

/** Shows a text like `SafeText`. The ids of records, of parts of the contract and of scenarios are links. */
export function LinkedText(props: LinkedTextProps): ComponentChildren {
  const { text, isCode = false, isOfService = false, in: Frame, class: name } = props;
  const links = useContext(IdLinksContext);
  const shown = links ? linked(visible(text), links, { isCode, isOfService }) : visible(text);
  return Frame ? <Frame class={name}>{shown}</Frame> : shown;
}

function linked(
  text: string,
  links: IdLinks,
  { isCode, isOfService }: Required<Pick<LinkedTextProps, 'isCode' | 'isOfService'>>,
): ComponentChildren[] {
  const pieces: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const id = word.replace(/[.-]+$/, '');
    if (isOfService && /^[1-9]\d{0,8}$/.test(id) && text.charAt(index - 1) === '#') {
      pieces.push(text.slice(end, index - 1), <MessageLink key={index} number={Number(id)} />);
      end = index + id.length;
      continue;
    }
    if (!isCode && !LOOKS_LIKE_ID.test(id)) continue;
    const address = links.addressOf(id);
    if (address === undefined) continue;
    pieces.push(text.slice(end, index), <IdAnchor key={index} id={id} address={address} open={links.open} />);
    end = index + id.length;
  }
  return [...pieces, text.slice(end)];
}

/** Shows the number of a message, such as `#12`, as a link. On a page without `IdLinksContext`, as plain text. */
export function MessageLink({ number }: { readonly number: number }) {
  const links = useContext(IdLinksContext);
  if (!links) return <>{`#${number}`}</>;
  return (
    <Link class="id-link" to={links.addressOfMessage(number)} onFollow={closeSheet}>
      {`#${number}`}
    </Link>
  );
}

/** Shows an id as a link, or as plain text if `addressOf` knows no address for this id. */
export function IdLink({ id }: { readonly id: string }) {
  const links = useContext(IdLinksContext);
  const address = links?.addressOf(id);
  if (!links || address === undefined) return <code>{visible(id)}</code>;
  return (
    <code>
      <IdAnchor id={id} address={address} open={links.open} />
    </code>
  );
}

interface IdAnchorProps extends Pick<IdLinks, 'open'> {
  readonly id: string;
  readonly address: string;
}

const IdAnchor = ({ id, address, open }: IdAnchorProps) => (
  <Link to={address} class="id-link" follow={() => open(id)}>
    {visible(id)}
  </Link>
);
