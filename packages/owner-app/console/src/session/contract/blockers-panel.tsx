import { namedText } from '../../../../src/text/agent.ts';
import type { Blockers } from '../../api/types.ts';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Role, roleName } from '../../ui/text/shown.tsx';

/**
 * Lists what blocks certification. Each blocker has the role that must act and, if this is the owner, what the owner can
 * do. The instructions for agents are left out, because they name tools that only agents call.
 */
export function BlockersPanel({ blockers: { blockers, left_out } }: { readonly blockers: Blockers }) {
  if (blockers.length === 0) return null;
  return (
    <section class="card" aria-labelledby="blockers-head">
      <h2 id="blockers-head">What blocks the approval ({blockers.length + (left_out?.count ?? 0)})</h2>
      <ol class="blockers">
        {blockers.map(({ code, record, responsible, message, resolution }) => (
          <li key={`${code} ${record.id} ${responsible} ${message}`}>
            <p>
              <Role of={responsible} isMine={responsible === 'owner'} />
            </p>
            <p>
              <LinkedText text={namedText(message, roleName)} isOfService />
            </p>
            {responsible === 'owner' && (
              <p class="muted">
                <LinkedText text={resolution.text} isOfService />
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
