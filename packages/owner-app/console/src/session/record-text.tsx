import { useSignal } from '@preact/signals';
import type { SessionView } from '../api/types.ts';
import { Failure } from '../ui/failure.tsx';
import { SafeText } from '../ui/shown.tsx';
import { useRead } from '../ui/use-read.ts';

interface RecordTextProps {
  readonly view: SessionView;
  readonly type: keyof typeof TEXTS;
  readonly id: string;
  /** Null for a closed record, whose texts the view leaves out. They are read when the user opens the record. */
  readonly text: string | null;
}

/** The text of a record. */
export function RecordText({ view, type, id, text }: RecordTextProps) {
  if (text === null) return <ClosedText view={view} type={type} id={id} />;
  return (
    <p>
      <SafeText text={text} />
    </p>
  );
}

function ClosedText({ view, type, id }: Omit<RecordTextProps, 'text'>) {
  const isOpen = useSignal(false);
  const path = `/sessions/${view.session_id}/records?type=${type}&id=${id}`;
  const { value, error } = useRead<{ readonly records: readonly object[] }>(isOpen.value ? path : null, 0);
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>{`What ${id} said`}</summary>
      {isOpen.value && !value && (error ? <Failure error={error} /> : <p class="waiting">Loading…</p>)}
      {value?.records.flatMap(TEXTS[type]).map((text) => (
        <p key={text}>
          <SafeText text={text} />
        </p>
      ))}
    </details>
  );
}

interface Texts {
  readonly position?: string;
  readonly text?: string;
  readonly resolution_criteria?: string | null;
  readonly response?: { readonly response: string } | null;
  readonly responses?: readonly { readonly text: string | null }[];
}

/** Functions that put the texts of a complete record together, by type of record. */
const TEXTS = {
  decision: ({ position }: Texts) => said(position),
  finding: ({ text, resolution_criteria, response }: Texts) => said(text, resolution_criteria, response?.response),
  intervention: ({ text, responses = [] }: Texts) => said(text, ...responses.map((response) => response.text)),
  recommendation: ({ text }: Texts) => said(text),
} as const;

const said = (...texts: readonly (string | null | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => typeof text === 'string')),
];
