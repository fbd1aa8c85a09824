import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Me } from '../../api/types.ts';
import { Failure } from '../requests/failure.tsx';
import { useAction } from '../requests/use-action.ts';
import { ArmedButton } from './armed-button.tsx';
import { WriteButton } from './write-button.tsx';

interface ConfirmButtonProps {
  readonly label: string;
  /** The question. Null if the button calls `onConfirm` without a question. */
  readonly question: string | null;
  /** Label of the button that confirms. Default: `Yes, ` and `label` in lower case. */
  readonly yes?: string;
  /** The role that the call needs. Default `operator`. */
  readonly needs?: Me['role'];
  readonly isDangerous?: boolean;
  /** Whether the button is the main button of its place. */
  readonly isPrimary?: boolean;
  /** Called when the question is shown. */
  readonly onAsk?: () => void;
  readonly onConfirm: () => Promise<unknown>;
}

/**
 * A button that asks for confirmation before it calls `onConfirm`. A double click opens the question, but does not
 * confirm it.
 */
export function ConfirmButton({
  label,
  question,
  yes,
  needs = 'operator',
  isDangerous = false,
  isPrimary = false,
  onAsk,
  onConfirm,
}: ConfirmButtonProps) {
  const isAsking = useSignal(false);
  const action = useAction();
  const answer = useRef<HTMLButtonElement>(null);
  const asking = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking.value) answer.current?.focus();
  }, [isAsking.value]);
  const ask = (value: boolean): void => {
    action.clear();
    if (value) onAsk?.();
    isAsking.value = value;
    if (!value) requestAnimationFrame(() => asking.current?.focus());
  };
  const run = async (): Promise<void> => {
    if (await action.run(onConfirm)) ask(false);
  };
  if (!isAsking.value)
    return (
      <div class="buttons">
        <WriteButton
          needs={needs}
          class={isPrimary ? 'primary' : undefined}
          place={asking}
          disabled={action.isBusy}
          onClick={() => (question === null ? void action.run(onConfirm) : ask(true))}
        >
          {label}
        </WriteButton>
        {question === null && <Failure error={action.error} />}
      </div>
    );
  return (
    <fieldset class="sure">
      <legend>{question}</legend>
      <Failure error={action.error} />
      <div class="buttons">
        <ArmedButton
          class={isDangerous ? 'danger' : 'primary'}
          place={answer}
          disabled={action.isBusy}
          onConfirm={() => void run()}
        >
          {yes ?? `Yes, ${label.toLowerCase()}`}
        </ArmedButton>
        <button type="button" onClick={() => ask(false)}>
          No
        </button>
      </div>
    </fieldset>
  );
}
