import { useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentProps, Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Me } from '../../api/answers.ts';
import { hasRole } from '../../api/client.ts';
import { setting } from '../../state/setting.ts';
import { Failure, useAction } from '../requests.tsx';

interface WriteButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'ref'> {
  /** The role that the call needs. Default `operator`. */
  readonly needs?: Me['role'];
  readonly disabled?: boolean;
  readonly place?: Ref<HTMLButtonElement>;
}

/**
 * A button that makes a call which changes something. If the person's role does not allow the call, the button is
 * disabled and its tooltip contains the required role.
 */
export function WriteButton({
  needs = 'operator',
  disabled = false,
  place = null,
  children,
  ...rest
}: WriteButtonProps) {
  const isAllowed = hasRole(needs);
  return (
    <button
      type="button"
      {...rest}
      ref={place}
      disabled={disabled || !isAllowed}
      title={isAllowed ? undefined : `You need the role ${needs}.`}
    >
      {children}
    </button>
  );
}

interface ArmedButtonProps extends Pick<WriteButtonProps, 'class' | 'disabled' | 'place' | 'children'> {
  readonly onConfirm: () => void;
}

/** Milliseconds before the button accepts a click, so that it ignores the second click of a double click. */
const ARMING_MS = 600;

/**
 * A button for a step that cannot be undone. It appears at the position of another button, so it ignores the second
 * click of a double click and repeats of a held key. A click counts only if it began on this button after `ARMING_MS`.
 */
export function ArmedButton({
  class: className,
  disabled = false,
  place = null,
  onConfirm,
  children,
}: ArmedButtonProps) {
  const isArmed = useSignal(false);
  const wasPressed = useRef(false);
  useEffect(() => {
    const timer = setTimeout(setting(isArmed, true), ARMING_MS);
    return () => clearTimeout(timer);
  }, [isArmed]);
  const take = (event: MouseEvent): void => {
    // For a click by keyboard or by assistive technology, `detail` is 0.
    const isByPointer = event.detail > 0;
    if (!isArmed.value || event.detail > 1 || (isByPointer && !wasPressed.current)) return;
    wasPressed.current = false;
    onConfirm();
  };
  return (
    <button
      type="button"
      class={className}
      ref={place}
      disabled={disabled}
      aria-disabled={!isArmed.value}
      onPointerDown={() => {
        wasPressed.current = isArmed.value;
      }}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
      onClick={take}
    >
      {children}
    </button>
  );
}

interface ConfirmButtonProps extends Pick<WriteButtonProps, 'needs'> {
  readonly label: string;
  /** The question. Null if the button calls `onConfirm` without a question. */
  readonly question: string | null;
  /** Label of the button that confirms. Default: `Yes, ` and `label` in lower case. */
  readonly yes?: string;
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

interface DialogButtonProps extends Pick<WriteButtonProps, 'needs' | 'class' | 'disabled'> {
  readonly label: string;
  /** Whether the button is shown. While its dialog is open, the button stays, so that the dialog can say what has changed. */
  readonly isOffered?: boolean;
  /** Makes the dialog. */
  readonly children: (onClose: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function DialogButton({ label, isOffered = true, children, ...button }: DialogButtonProps) {
  const isOpen = useSignal(false);
  if (!isOffered && !isOpen.value) return null;
  return (
    <>
      <WriteButton {...button} onClick={setting(isOpen, true)}>
        {label}
      </WriteButton>
      {isOpen.value && children(setting(isOpen, false))}
    </>
  );
}
