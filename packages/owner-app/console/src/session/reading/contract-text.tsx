import { plural } from '@parley/core/text';
import { useEffect, useMemo } from 'preact/hooks';
import type { Json } from '../../../../src/text/read-as.ts';
import { newsOfParts } from '../../../../src/text/records/contract-news.ts';
import type { Changes, SessionView } from '../../api/types.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { useCall } from '../../ui/requests/use-read.ts';
import { Badge } from '../../ui/text/shown.tsx';
import { shownParts } from '../shown-parts.ts';
import { newsOfSections, nextUnread, requirementParts, type Section, sectionsOf } from './contract-model.ts';
import { NewsOfParts } from './part.tsx';
import { SectionEnd } from './read-so-far.tsx';
import { SectionBody } from './section-body.tsx';
import type { ReadMarks } from './use-read-marks.ts';

/**
 * Returns the sections of a contract. Stores their parts in `shownParts`, so that the ids of these parts, in all texts
 * about the session, become links to the parts.
 */
export function useSections(view: SessionView, contract: Json | null): readonly Section[] {
  const sections = useMemo(
    () => (contract ? sectionsOf(contract, requirementParts(view.requirements)) : []),
    [contract, view.requirements.length],
  );
  useEffect(() => {
    shownParts.value = new Map(sections.flatMap(({ parts }) => parts).map((part) => [part.id, part]));
  }, [sections]);
  return sections;
}

interface ContractTextProps extends SessionProps {
  readonly revisionId: string;
  readonly contract: Json;
  readonly sections: readonly Section[];
  readonly marks: ReadMarks;
}

/** The whole contract. Parts that are new or changed since the revision that the owner read last are marked. */
export function ContractText({ live, view, revisionId, contract, sections, marks }: ContractTextProps) {
  const asked = { session_id: live.sessionId, revision_id: revisionId };
  const { value } = useCall('changes', marks.brief?.since == null ? null : asked, 0);
  const changed = value?.sections ?? NOTHING;
  const parts = useMemo(() => newsOfParts(changed), [changed]);
  const counts = useMemo(() => newsOfSections(changed), [changed]);
  return (
    <NewsOfParts.Provider value={parts}>
      <div class="contract-text">
        {value?.left_out && (
          <p class="muted">{`Only the first ${value.sections.length} changed sections are marked.`}</p>
        )}
        {sections.map((section) => (
          <section
            key={section.id}
            id={`section-${section.id}`}
            class="contract-section"
            aria-labelledby={`head-${section.id}`}
          >
            <h3 id={`head-${section.id}`}>
              {section.title}
              <SectionNews count={counts.get(section.id) ?? 0} since={value?.since ?? ''} />
            </h3>
            <SectionBody view={view} contract={contract} section={section} />
            <SectionEnd section={section} marks={marks} next={nextUnread(sections, marks.isRead, section.id)} />
          </section>
        ))}
      </div>
    </NewsOfParts.Provider>
  );
}

const NOTHING: Changes['sections'] = [];

function SectionNews({ count, since }: { readonly count: number; readonly since: string }) {
  if (count === 0) return null;
  return (
    <>
      {' '}
      <Badge tone="live">{`${plural(count, 'change')} since ${since}`}</Badge>
    </>
  );
}
