import '../../styles/verify.css';
import type { ComponentChildren } from 'preact';
import { namedText } from '../../../../src/text/agent.ts';
import { ageText } from '../../../../src/text/time.ts';
import { visible } from '../../../../src/text/visible.ts';
import type { Message } from '../../../../src/transcript/message.ts';
import type { Board } from '../../api/answers.ts';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Level } from '../../ui/text/marks.tsx';
import { Badge, clock, Role, roleName, SafeText, When } from '../../ui/text/shown.tsx';
import { scenarioElement } from '../shown-parts.ts';
import { Attachments, type Attempt, BothSides, evidenceIn, type SeenEvidence } from './evidence.tsx';

interface OwesProps {
  readonly owes: Board['scenarios'][number]['owes'];
}

/** Shows what each builder must do before the scenario can pass, and since when. */
export function Owes({ owes }: OwesProps) {
  if (owes.length === 0) return null;
  return (
    <ul class="owes">
      {owes.map(({ role, what, since }) => (
        <li key={`${role} ${what}`}>
          <Role of={role} /> owes <LinkedText text={what} />, since <When at={since} />{' '}
          <span class="muted">({ageText(since, clock.value)})</span>
        </li>
      ))}
    </ul>
  );
}

type Scenario = Board['scenarios'][number];
type CarriedPass = NonNullable<Scenario['carried']>;

const TONES: Readonly<Record<Scenario['status'], 'plain' | 'good' | 'warn' | 'bad' | 'live'>> = {
  WAITING: 'plain',
  READY: 'live',
  OPEN: 'live',
  AWAITING_VERDICT: 'warn',
  PASSED: 'good',
  FAILED: 'bad',
  STALE: 'warn',
};

interface ScenarioItemProps {
  readonly scenario: Scenario;
  readonly events: readonly Message[];
  /** Whether links to the scenario lead to this element. True only on the tab. */
  readonly isTarget?: boolean;
  /** Shown below the facts: what the owner can do with the scenario. */
  readonly children?: ComponentChildren;
}

/** Shows a scenario with its attempts and the evidence of both agents. */
export function ScenarioItem({ scenario, events, isTarget = false, children }: ScenarioItemProps) {
  const { scenario_id, title, status, reason, executor, responsible, requirements, depends_on, attempts } = scenario;
  return (
    <li id={isTarget ? scenarioElement(scenario_id) : undefined}>
      <h3>
        <code>{visible(scenario_id)}</code> <SafeText text={title} /> <Badge tone={TONES[status]}>{status}</Badge>{' '}
        {scenario.level && <Level of={scenario.level} />} {scenario.carried && <Badge tone="warn">carried over</Badge>}
      </h3>
      <p class="facts">
        <span>
          run by <Role of={executor} />
        </span>
        <span>
          fixed by <Role of={responsible} />
        </span>
        {requirements.length > 0 && <LinkedText in="span" text={`proves ${requirements.join(', ')}`} />}
        {depends_on.length > 0 && status !== 'WAITING' && (
          <LinkedText in="span" text={`runs after ${depends_on.join(', ')}`} />
        )}
      </p>
      {reason !== null && <LinkedText in="p" class="muted" text={namedText(reason, roleName)} isOfService />}
      {scenario.carried && <Carried carried={scenario.carried} />}
      <Owes owes={scenario.owes} />
      {children}
      {attempts.toReversed().map((attempt, index) => (
        <AttemptDetails
          key={attempt.attempt}
          attempt={attempt}
          evidence={evidenceIn(events, scenario_id, attempt)}
          isLatest={index === 0}
        />
      ))}
    </li>
  );
}

/** How the pass counts for other commits without a rerun: who carried it over and why, and what was declared. */
const Carried = ({ carried: { by, reason, commits, changes, carried_at } }: { readonly carried: CarriedPass }) => (
  <div class="facts">
    <p>
      Not run on these commits: <Role of={by} /> carried the pass over <When at={carried_at} />:{' '}
      <LinkedText text={reason} />
    </p>
    {changes.map(({ declared_by, since, paths }) => (
      <p key={declared_by} class="muted">
        <code>{since.slice(0, 9)}</code> → <code>{commits[declared_by].slice(0, 9)}</code>: {paths} changed{' '}
        {paths === 1 ? 'path' : 'paths'}, declared by <Role of={declared_by} />
      </p>
    ))}
  </div>
);

interface AttemptProps {
  readonly attempt: Attempt;
  readonly evidence: readonly SeenEvidence[];
  readonly isLatest: boolean;
}

function AttemptDetails({ attempt, evidence, isLatest }: AttemptProps) {
  const { attempt: number, status, started_by, started_at, commits, evidence_count, evaluation, verdict } = attempt;
  // For an open attempt, `Owes` shows what is missing.
  const missing = status === 'OPEN' || status === 'PASSED' ? [] : evaluation.missing;
  const lacks = [...missing, ...(status === 'PASSED' ? [] : evaluation.failing)];
  return (
    <details open={isLatest && status !== 'PASSED'}>
      <summary>
        Attempt {number}: {status}, {evidence_count} {evidence_count === 1 ? 'item' : 'items'} of evidence
        {attempt.level === null ? '' : `, ${attempt.level}`}
      </summary>
      <p class="facts">
        <span>
          started by <Role of={started_by} /> <When at={started_at} />
        </span>
        <span>
          on <code>{commits.agent_a.slice(0, 9)}</code> and <code>{commits.agent_b.slice(0, 9)}</code>
        </span>
      </p>
      {attempt.reason !== null && (
        <LinkedText in="p" class="muted" text={namedText(attempt.reason, roleName)} isOfService />
      )}
      {!evaluation.met && lacks.length > 0 && (
        <ul class="lacks">
          {lacks.map((lack) => (
            <LinkedText key={lack} in="li" text={namedText(lack, roleName)} isOfService />
          ))}
        </ul>
      )}
      <BothSides evidence={evidence} verdict={verdict} isWhole={evidence.length >= evidence_count} />
      <Attachments files={attempt.attachments} />
    </details>
  );
}
