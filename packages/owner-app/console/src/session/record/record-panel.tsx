import { recordTypeOf } from '../../../../src/text/records/record-types.ts';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { toSession } from '../../state/route.ts';
import { backToEarlier, closeSheet, earlierId } from '../../state/side-panel.ts';
import { SidePanel } from '../../ui/controls/side-panel.tsx';
import { Link } from '../../ui/text/link.tsx';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { PartBody } from '../reading/part-body.tsx';
import { type ContractPart, shownParts } from '../shown-parts.ts';
import { RecordDetails } from './record-details.tsx';
import '../../styles/reading.css';

interface RecordPanelProps {
  readonly live: LiveSession;
  readonly id: string;
  readonly onClose: () => void;
}

/** The side panel that shows a record of the session or a part of the contract. */
export function RecordPanel({ live, id, onClose }: RecordPanelProps) {
  const part = shownParts.value.get(id);
  const view = live.view.value;
  if (!view) return null;
  return (
    <SidePanel
      title={[part?.kind ?? recordTypeOf(id), id].filter(Boolean).join(' ')}
      of={id}
      onClose={onClose}
      controls={
        earlierId.value !== null && (
          <button type="button" class="quiet" onClick={backToEarlier}>
            ← {earlierId.value}
          </button>
        )
      }
    >
      {part ? <PartDetails view={view} part={part} /> : <RecordDetails key={id} live={live} view={view} id={id} />}
    </SidePanel>
  );
}

/** Shows a part of the contract, with a link to this part in the whole contract. */
function PartDetails({ view, part }: { readonly view: SessionView; readonly part: ContractPart }) {
  return (
    <div class="part">
      {part.kind !== 'requirement' && (
        <h3>
          <LinkedText text={part.title} />
        </h3>
      )}
      <PartBody view={view} part={part} />
      <p>
        <Link to={`${toSession(view.session_id, 'contract')}#part-${part.id}`} onFollow={closeSheet}>
          Show this part in the contract
        </Link>
      </p>
    </div>
  );
}
