import { useEffect, useMemo } from 'preact/hooks';
import type { Members } from '../../../../src/transcript/message.ts';
import type { SessionView } from '../../api/types.ts';
import { shownParts } from '../shown-parts.ts';
import { requirementParts, type Section, sectionsOf } from './contract-model.ts';
import { SectionBody } from './section-body.tsx';
import { SectionEnd } from './section-end.tsx';
import type { ReadMarks } from './use-read-marks.ts';

/**
 * Returns the sections of a contract. Stores their parts in `shownParts`, so that the ids of these parts, in all texts
 * about the session, become links to the parts.
 */
export function useSections(view: SessionView, contract: Members | null): readonly Section[] {
  const sections = useMemo(
    () => (contract ? sectionsOf(contract, requirementParts(view.requirements)) : []),
    [contract, view.requirements.length],
  );
  useEffect(() => {
    shownParts.value = new Map(sections.flatMap(({ parts }) => parts).map((part) => [part.id, part]));
  }, [sections]);
  return sections;
}

interface ContractTextProps {
  readonly view: SessionView;
  readonly contract: Members;
  readonly sections: readonly Section[];
  readonly marks: ReadMarks;
}

export function ContractText({ view, contract, sections, marks }: ContractTextProps) {
  return (
    <div class="contract-text">
      {sections.map((section) => (
        <section
          key={section.id}
          id={`section-${section.id}`}
          class="contract-section"
          aria-labelledby={`head-${section.id}`}
        >
          <h3 id={`head-${section.id}`}>{section.title}</h3>
          <SectionBody view={view} contract={contract} section={section} />
          <SectionEnd section={section} marks={marks} />
        </section>
      ))}
    </div>
  );
}
