import { type ContentType, contentTexts } from '@parley/core/words';
import { useSignal } from '@preact/signals';
import { visible } from '../../../src/text/visible.ts';
import type { SessionView } from '../api/answers.ts';
import { Failure, LazyMarkdown, useRecord } from '../ui/requests.tsx';
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
  return texts.length === 0 ? <ClosedText view={view} type={type} id={id} /> : <Texts of={texts} />;
}

/** Shows texts one below the other, each of them once. */
function Texts({ of }: { readonly of: readonly { readonly text: string }[] }) {
  return (
    <>
      {[...new Set(of.map(({ text }) => text))].map((text) => (
        <LazyMarkdown key={text} text={text} />
      ))}
    </>
  );
}

function ClosedText({ view, type, id }: Omit<RecordTextProps, 'record'>) {
  const isOpen = useSignal(false);
  const { record, error } = useRecord(view.session_id, type, isOpen.value ? id : null);
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{`Text of ${id}`}</summary>
      {isOpen.value && !record && (error ? <Failure error={error} /> : <p class="waiting">Loading…</p>)}
      {record && <Texts of={contentTexts(type, record)} />}
    </details>
  );
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
