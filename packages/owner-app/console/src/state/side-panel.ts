import { computed, signal } from '@preact/signals';
import { goToRecord, leaveRecord, tabOfRecord } from './route.ts';

/**
 * The ids that were opened in the side panel, oldest first. The panel shows the last id. The list is empty while the
 * panel is closed.
 *
 * - The id of a record, such as `d_4`, is also in the address of the page. When the address changes, `followAddress`
 * adds this id to the list.
 * - The id of a part of the contract, such as a task, is never in the address.
 */
const trail = signal<readonly string[]>([]);

/** The id that the side panel shows. Null while the panel is closed. */
export const openedId = computed<string | null>(() => trail.value.at(-1) ?? null);

/** The id that the panel showed before `openedId`. Null if there is none. */
export const earlierId = computed<string | null>(() => trail.value.at(-2) ?? null);

export function openId(id: string): void {
  if (id === openedId.value) return;
  if (tabOfRecord(id)) goToRecord(id);
  followAddress(id);
}

/**
 * Updates the trail after a change of the address. A new record is added. After a step back in the browser's history,
 * the previous id is shown again. If the address contains no record, a part of the contract stays open.
 *
 * @param id the record in the address; null if there is none
 */
export function followAddress(id: string | null): void {
  const shown = openedId.value;
  if (id === shown) return;
  if (id === null) trail.value = shown !== null && !tabOfRecord(shown) ? [shown] : [];
  else if (id === earlierId.value) trail.value = trail.value.slice(0, -1);
  else trail.value = [...trail.value, id];
}

/** Empties the side panel when another session is opened. The address does not change. */
export function forgetEntries(): void {
  trail.value = [];
}

/** Shows the previous id in the side panel, and updates the address. */
export function backToEarlier(): void {
  const earlier = earlierId.value;
  if (earlier === null) return;
  trail.value = trail.value.slice(0, -1);
  if (tabOfRecord(earlier)) goToRecord(earlier);
  else leaveRecord();
}

/** The media query for narrow windows, in which the panel covers the page. */
export const SHEET = '(max-width: 47.99rem)';

/** Closes the panel if it covers the page, so that the user can see the target of a link. */
export function closeSheet(): void {
  if (matchMedia(SHEET).matches) closePanel();
}

/** Closes the side panel, and removes its record from the address. */
export function closePanel(): void {
  if (trail.value.length > 0) trail.value = [];
  leaveRecord();
}
