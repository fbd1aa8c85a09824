import { signal } from '@preact/signals';

/** A sentence that confirms an action of the owner. Each announcement is a new object, also if the text is the same. */
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
