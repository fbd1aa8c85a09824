import type { ComponentProps, Ref } from 'preact';
import type { Me } from '../../api/types.ts';
import { hasRole } from '../../state/me.ts';

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
