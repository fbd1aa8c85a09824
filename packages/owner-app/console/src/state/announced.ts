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
