import { useSignal } from '@preact/signals';
import type { SessionView } from '../api/types.ts';
import { Failure } from '../ui/requests/failure.tsx';
import { useRecord } from '../ui/requests/use-record.ts';
import { LazyMarkdown } from '../ui/text/lazy-markdown.tsx';

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
