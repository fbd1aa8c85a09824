import { computed, signal } from '@preact/signals';
import { goToRecord, leaveRecord, tabOfRecord } from './route.ts';

/**
 * The entries that were opened in the side panel of the session page, oldest first. The panel shows the newest entry. The list is
 * empty while the panel is closed. An entry is the id of a record, such as `d_4`, or of a part of the contract, such as a task.
 *
 * - A record is in the address of the page, and the entries follow the address ({@link followAddress}).
 * - A part of the contract is in no address.
 */
const trail = signal<readonly string[]>([]);

/** The id that the side panel shows. Null while the panel is closed. */
export const openedId = computed<string | null>(() => trail.value.at(-1) ?? null);

/** The id that the panel showed before. Null if there is none. */
export const earlierId = computed<string | null>(() => trail.value.at(-2) ?? null);

/** Shows an id in the side panel. */
export function openId(id: string): void {
  if (id === openedId.value) return;
  if (tabOfRecord(id)) goToRecord(id);
  followAddress(id);
}

/**
 * Makes the panel show the record that the address names. A new record is added to the trail. After a step back in the browser's
 * history, the panel shows the earlier entry again. If the address names no record, a part of the contract stays in the panel.
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

/** Empties the side panel, for another session. The address stays. */
export function forgetEntries(): void {
  trail.value = [];
}

/** Shows the previous entry in the side panel. If the entry is a record, the address of the page names it again. */
export function backToEarlier(): void {
  const earlier = earlierId.value;
  if (earlier === null) return;
  trail.value = trail.value.slice(0, -1);
  if (tabOfRecord(earlier)) goToRecord(earlier);
  else leaveRecord();
}

/** A media query: in a narrower window, the panel covers the page as a sheet. */
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
