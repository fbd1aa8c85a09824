import { signal } from '@preact/signals';
import type { SessionView } from '../api/types.ts';

/** A sentence that confirms an action of the owner. Each action makes a new object, so an equal text counts as new. */
interface Announcement {
  readonly text: string;
}

/** The confirmation on the page. Null while none is shown. */
export const announced = signal<Announcement | null>(null);

export function announce(text: string): void {
  announced.value = { text };
}

export function dismiss(): void {
  announced.value = null;
}

/**
 * Announces that a call was made, in words that are loaded with the first call. If they cannot be loaded, announces `Done.`.
 *
 * @param answer the answer to the call
 * @param view the session after the call. Null if it could not be read
 */
export async function announceCall(
  operation: string,
  { input, answer }: { readonly input: unknown; readonly answer: unknown },
  view: SessionView | null,
): Promise<void> {
  const text = await import('./confirmation.ts').then(
    ({ confirmationOf }) => confirmationOf(operation, { input, answer }, view),
    () => 'Done.',
  );
  announce(text);
}
