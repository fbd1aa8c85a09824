import { namedText } from '../../../../src/text/agent.ts';
import type { Blockers } from '../../api/types.ts';
import { Role, roleName, SafeText } from '../../ui/text/shown.tsx';

/** Lists what blocks certification. Each blocker has the role that must act and the call that removes the blocker. */
export function BlockersPanel({ blockers: { blockers, left_out } }: { readonly blockers: Blockers }) {
  if (blockers.length === 0) return null;
  return (
    <section class="card" aria-labelledby="blockers-head">
      <h2 id="blockers-head">What blocks the approval ({blockers.length + (left_out?.count ?? 0)})</h2>
      <ol class="blockers">
        {blockers.map(({ code, record, responsible, message, resolution }) => (
          <li key={`${code} ${record.id} ${responsible} ${message}`}>
            <p>
              <Role of={responsible} /> <code>{code}</code> <span class="muted">{record.id}</span>
            </p>
            <p>
              <SafeText text={namedText(message, roleName)} />
            </p>
            <p class="muted">
              <SafeText text={resolution.text} />
              {resolution.tool && (
                <>
                  {' '}
                  <code>{resolution.tool}</code>
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
