import { type ContentType, contentTexts, type RecordText as Labelled } from '@parley/core/words';
import { Fragment } from 'preact';
import { visible } from '../../../src/text/visible.ts';
import type { SessionView } from '../api/answers.ts';
import { Unfolded } from '../ui/card.tsx';
import { LazyMarkdown, Pending, useRecord } from '../ui/requests.tsx';
import { actorName, Role } from '../ui/text/shown.tsx';
import type { Decision } from './records.ts';

interface RecordTextProps {
  readonly view: SessionView;
  readonly type: ContentType;
  readonly id: string;
  /**
   * The record, or those of its members that are shown. The texts of a closed record are not part of the view, and are
   * read when the user opens the record.
   */
  readonly record: Readonly<Record<string, unknown>>;
}

export function RecordText({ view, type, id, record }: RecordTextProps) {
  const texts = contentTexts(type, record);
  if (texts.length > 0) return <Texts of={texts} />;
  return <Unfolded summary={`Text of ${id}`}>{() => <ClosedText view={view} type={type} id={id} />}</Unfolded>;
}

/** Shows texts one below the other, each of them once. The first has no label, because it says what the record is about. */
export function Texts({ of }: { readonly of: readonly Labelled[] }) {
  return (
    <>
      {of.map(({ label, text }, index) =>
        of.findIndex((other) => other.text === text) < index ? null : (
          <Fragment key={text}>
            {index > 0 && <p class="muted">{label}:</p>}
            <LazyMarkdown text={text} />
          </Fragment>
        ),
      )}
    </>
  );
}

function ClosedText({ view, type, id }: Omit<RecordTextProps, 'record'>) {
  const { record, error } = useRecord(view.session_id, type, id);
  return record ? <Texts of={contentTexts(type, record)} /> : <Pending error={error} />;
}

/** Returns the name of a role in this session. Makes unsafe characters of the name visible. */
export const nameIn = ({ agents }: Pick<SessionView, 'agents'>, role: string): string =>
  visible(agents.find((agent) => agent.role === role)?.name ?? actorName(role));

export const DECISION_TONES = {
  PROPOSED: 'warn',
  RESOLVED: 'good',
  WITHDRAWN: 'plain',
  REJECTED: 'bad',
  SUPERSEDED: 'plain',
} as const;

/** Shows who proposed a decision, and which builders have accepted it. */
export function DecisionStatus({ view, decision }: { readonly view: SessionView; readonly decision: Decision }) {
  return (
    <p class="facts">
      <span>
        by <Role of={decision.proposed_by} name={nameIn(view, decision.proposed_by)} />
      </span>
      {(['agent_a', 'agent_b'] as const).map((role) => {
        const hasAccepted = decision.accepted_by.includes(role);
        return (
          <span key={role} class={hasAccepted ? 'accepted' : 'not-accepted'}>
            {hasAccepted ? '✓ ' : '○ '}
            {hasAccepted ? 'accepted by' : 'not yet'} <Role of={role} name={nameIn(view, role)} />
          </span>
        );
      })}
    </p>
  );
}
