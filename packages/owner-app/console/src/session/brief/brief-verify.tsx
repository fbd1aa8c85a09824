import type { BriefAnswer } from '../../api/types.ts';
import { Level } from '../../ui/text/level.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Badge, Role, SafeText, When } from '../../ui/text/shown.tsx';

/** The part of a brief about the verification: builders' commits, accepted deviations, defects, reports on gates. */
export function BriefVerify({ brief }: { readonly brief: BriefAnswer }) {
  const { stage, handshakes, levels, deviations, carried, defects, defects_reassigned, gate_reports } = brief;
  if (stage !== 'deployment' && stage !== 'activation') return null;
  return (
    <>
      <dl class="facts-list">
        {handshakes.map(({ by, commit, service, version, environment, declared_at }) => [
          <dt key={by}>
            Commit of <Role of={by} />
          </dt>,
          <dd key={`${by} commit`}>
            <code>{commit}</code> <SafeText text={`${service} ${version}, ${environment}`} />, declared{' '}
            <When at={declared_at} />
          </dd>,
        ])}
      </dl>
      {levels.length > 0 && (
        <section>
          <h3>What each pass rests on</h3>
          <ul>
            {levels.map(({ scenario_id, level }) => (
              <li key={scenario_id}>
                <IdLink id={scenario_id} /> <Level of={level} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {deviations.length === 0 ? (
        <p class="muted">No scenario was passed with a deviation from the contract.</p>
      ) : (
        <section>
          <h3>Deviations from the contract in scenarios that passed</h3>
          <ul>
            {deviations.flatMap(({ scenario_id, by, deviations: named }) =>
              named.map((text) => (
                <li key={`${scenario_id} ${text}`}>
                  <IdLink id={scenario_id} /> <Role of={by} />: <SafeText text={text} />
                </li>
              )),
            )}
          </ul>
        </section>
      )}
      {carried.length > 0 && (
        <section>
          <h3>Passes carried over from other commits, without a rerun</h3>
          <ul>
            {carried.map(({ scenario_id, attempt, carried: { by, reason, changes } }) => (
              <li key={scenario_id}>
                <IdLink id={scenario_id} /> attempt {attempt}, by <Role of={by} />: <SafeText text={reason} />
                {changes.map(({ declared_by, since, paths }) => (
                  <span key={declared_by} class="muted">
                    {' '}
                    {paths} changed {paths === 1 ? 'path' : 'paths'} since <code>{since.slice(0, 9)}</code>, declared by{' '}
                    <Role of={declared_by} />
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </section>
      )}
      {defects.length > 0 && (
        <section>
          <h3>Defects</h3>
          <ul>
            {defects.map(({ defect_id, scenario_id, status, assigned_to, refusal }) => (
              <li key={defect_id}>
                <IdLink id={defect_id} /> on <IdLink id={scenario_id} /> <Badge>{status}</Badge>{' '}
                <Role of={assigned_to} />
                {defects_reassigned.includes(defect_id) && <span class="muted"> reassigned</span>}
                {refusal && <SafeText text={` ${refusal.stage} refused: ${refusal.reason}`} />}
              </li>
            ))}
          </ul>
        </section>
      )}
      {gate_reports.length > 0 && (
        <section>
          <h3>Reports on the gates</h3>
          <ul>
            {gate_reports.map(({ role, reported, note }) => (
              <li key={role}>
                <Role of={role} />:{' '}
                {reported ? (
                  <SafeText text={note ?? 'reported without a note'} />
                ) : (
                  <span class="muted">has not reported yet</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
