import { useSignal } from '@preact/signals';
import { visible } from '../../../src/text/visible.ts';
import type { SessionView } from '../api/answers.ts';
import { Failure, LazyMarkdown, useRecord } from '../ui/requests.tsx';
import { actorName, Role } from '../ui/text/shown.tsx';
import type { Decision } from './records.ts';

interface RecordTextProps {
  readonly view: SessionView;
  readonly type: keyof typeof TEXTS;
  readonly id: string;
  /**
   * The text of the record. Null for a closed record: its text is not part of the view, and is read when the user opens
   * the record.
   */
  readonly text: string | null;
}

export function RecordText({ view, type, id, text }: RecordTextProps) {
  return text === null ? <ClosedText view={view} type={type} id={id} /> : <LazyMarkdown text={text} />;
}

function ClosedText({ view, type, id }: Omit<RecordTextProps, 'text'>) {
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
      {(record ? TEXTS[type](record) : []).map((text) => (
        <LazyMarkdown key={text} text={text} />
      ))}
    </details>
  );
}

interface Texts {
  readonly position?: string | null;
  readonly text?: string | null;
  readonly resolution_criteria?: string | null;
  readonly response?: { readonly response: string | null } | null;
  readonly responses?: readonly { readonly text: string | null }[];
}

/** The functions that make the text of a complete record, by the type of the record. */
const TEXTS = {
  decision: ({ position }: Texts) => said(position),
  finding: ({ text, resolution_criteria, response }: Texts) => said(text, resolution_criteria, response?.response),
  intervention: ({ text, responses = [] }: Texts) => said(text, ...responses.map((response) => response.text)),
  recommendation: ({ text }: Texts) => said(text),
} as const;

const said = (...texts: readonly (string | null | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => typeof text === 'string')),
];

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
