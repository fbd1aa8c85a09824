import type { SessionCallName } from '@parley/core/client';
import { signal } from '@preact/signals';
import type { Done } from './confirmation.ts';

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
 */
export async function announceCall<N extends SessionCallName>(name: N, done: Done<N>): Promise<void> {
  const text = await import('./confirmation.ts').then(
    ({ confirmationOf }) => confirmationOf(name, done),
    () => 'Done.',
  );
  announce(text);
}
