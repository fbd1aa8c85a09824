import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Failure } from './failure.tsx';
import { useAction } from './use-action.ts';

interface ConfirmButtonProps {
  readonly label: string;
  readonly question: string;
  readonly onConfirm: () => Promise<unknown>;
}

/** A button that asks for confirmation before it acts. */
export function ConfirmButton({ label, question, onConfirm }: ConfirmButtonProps) {
  const isAsking = useSignal(false);
  const action = useAction();
  const yes = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking.value) yes.current?.focus();
  }, [isAsking.value]);
  const ask = (value: boolean): void => {
    action.clear();
    isAsking.value = value;
  };
  if (!isAsking.value)
    return (
      <div class="buttons">
        <button type="button" onClick={() => ask(true)}>
          {label}
        </button>
      </div>
    );
  const run = async (): Promise<void> => {
    if (await action.run(onConfirm)) isAsking.value = false;
  };
  return (
    <fieldset class="sure">
      <legend>{question}</legend>
      <Failure error={action.error} />
      <div class="buttons">
        <button type="button" class="primary" ref={yes} disabled={action.isBusy} onClick={() => void run()}>
          {`Yes, ${label.toLowerCase()}`}
        </button>
        <button type="button" onClick={() => ask(false)}>
          No
        </button>
      </div>
    </fieldset>
  );
}
