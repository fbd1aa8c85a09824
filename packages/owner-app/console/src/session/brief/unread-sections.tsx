import { go, toSession } from '../../state/route.ts';
import { goToElement } from '../../ui/controls/go-to-element.ts';
import { Badge } from '../../ui/text/shown.tsx';
import { readingText, sectionOfMember } from '../reading/contract-model.ts';
import { shownSections } from '../shown-parts.ts';

interface UnreadSectionsProps {
  readonly sessionId: string;
  /** Top-level members of the contract that the owner has not read. */
  readonly unread: readonly string[];
  /** Called when the owner follows a link to a section. Closes the dialog. */
  readonly onLeave: () => void;
}

/**
 * Links to the unread sections. If the contract is not shown on this page, the link opens the tab of the contract
 * first.
 */
export function UnreadSections({ sessionId, unread, onLeave }: UnreadSectionsProps) {
  const sections = [...new Map(unread.map((member) => [sectionOfMember(member).id, sectionOfMember(member)])).values()];
  const follow = (id: string): void => {
    onLeave();
    // Waits for the next frame: when the dialog closes, the focus returns to the element that had the focus before the
    // dialog was opened.
    requestAnimationFrame(() => {
      if (!goToElement(`section-${id}`)) go(`${toSession(sessionId, 'contract')}#section-${id}`);
    });
  };
  return (
    <>
      <Badge tone="warn">
        {shownSections.value > 0 ? readingText(shownSections.value, sections.length) : `${sections.length} not read`}
      </Badge>
      {shownSections.value > 0 ? '; not read: ' : ' '}
      {sections.map(({ id, title }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a
            href={`${toSession(sessionId, 'contract')}#section-${id}`}
            onClick={(event) => {
              event.preventDefault();
              follow(id);
            }}
          >
            {title}
          </a>
        </span>
      ))}
    </>
  );
}
