import { announced } from '../../state/announced.ts';

/** The element for announcements to screen readers. It must be on the page before the first announcement. */
export function Announcements() {
  return (
    <p class="for-screen-readers" role="status">
      {announced.value}
    </p>
  );
}
