import type { SessionView } from '../../api/types.ts';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import type { ContractPart } from '../shown-parts.ts';
import { PartBody } from './part-body.tsx';

interface PartProps {
  readonly view: SessionView;
  readonly part: ContractPart;
}

/** The kinds of parts whose title is shown in the heading. Other parts show their title in the body. */
const TITLED = new Set(['interface', 'data model', 'task', 'test', 'gate', 'risk', 'safety condition']);

export function Part({ view, part }: PartProps) {
  return (
    <div class="part" id={`part-${part.id}`}>
      <h4>
        <IdLink id={part.id} /> {TITLED.has(part.kind) && <LinkedText text={part.title} />}
      </h4>
      <PartBody view={view} part={part} />
    </div>
  );
}
