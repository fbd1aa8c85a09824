import type { After } from '@parley/core/client';
import { signal } from '@preact/signals';

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
 * Announces what a call has done, in words that are loaded with the first call. If they cannot be loaded, or if the service sends
 * none, announces `Done.`.
 */
export async function announceCall(after: After | undefined): Promise<void> {
  const text = await import('./confirmation.ts').then(
    ({ confirmationOf }) => after && confirmationOf(after),
    () => undefined,
  );
  announce(text ?? 'Done.');
}
