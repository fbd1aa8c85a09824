import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { News } from '../../../../src/text/records/contract-news.ts';
import type { SessionView } from '../../api/types.ts';
import { IdLink, LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge } from '../../ui/text/shown.tsx';
import type { ContractPart } from '../shown-parts.ts';
import { PartBody } from './part-body.tsx';

interface PartProps {
  readonly view: SessionView;
  readonly part: ContractPart;
}

/** The kinds of parts whose title is shown in the heading. Other parts show their title in the body. */
const TITLED = new Set(['interface', 'data model', 'task', 'test', 'gate', 'risk', 'safety condition']);

/** The parts that are new or changed since the revision that the owner read last, by their ids. */
export const NewsOfParts = createContext<ReadonlyMap<string, News>>(new Map());

export function Part({ view, part }: PartProps) {
  const news = useContext(NewsOfParts).get(part.id);
  return (
    <div class="part" id={`part-${part.id}`}>
      <h4>
        <IdLink id={part.id} /> {TITLED.has(part.kind) && <LinkedText text={part.title} />}{' '}
        {news && <Badge tone={news === 'new' ? 'good' : 'live'}>{news}</Badge>}
      </h4>
      <PartBody view={view} part={part} />
    </div>
  );
}
