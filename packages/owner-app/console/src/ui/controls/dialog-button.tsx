import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Me } from '../../api/types.ts';
import { WriteButton } from './write-button.tsx';

interface DialogButtonProps {
  readonly label: string;
  /** The role that the call of the dialog needs. Default `operator`. */
  readonly needs?: Me['role'];
  readonly class?: string | undefined;
  readonly disabled?: boolean;
  /** Whether the button is shown. While its dialog is open, the button stays, so that the dialog can say what has changed. */
  readonly isOffered?: boolean;
  /** Makes the dialog. */
  readonly children: (onClose: () => void) => ComponentChildren;
}

/** A button that opens a dialog. */
export function DialogButton({ label, isOffered = true, children, ...button }: DialogButtonProps) {
  const isOpen = useSignal(false);
  const open = (value: boolean) => (): void => {
    isOpen.value = value;
  };
  if (!isOffered && !isOpen.value) return null;
  return (
    <>
      <WriteButton {...button} onClick={open(true)}>
        {label}
      </WriteButton>
      {isOpen.value && children(open(false))}
    </>
  );
}
