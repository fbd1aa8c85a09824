import { visible } from '../../../../src/text/visible.ts';

/** Removed words. A hidden text announces that they are removed, because few screen readers announce the element `del`. */
export function Removed({ text }: { readonly text: string }) {
  return (
    <del>
      <span class="unseen">removed: </span>
      {visible(text)}
      <span class="unseen"> (end of removed)</span>
    </del>
  );
}

/** Added words. A hidden text announces to screen readers that they are added. */
export function Inserted({ text }: { readonly text: string }) {
  return (
    <ins>
      <span class="unseen">inserted: </span>
      {visible(text)}
      <span class="unseen"> (end of inserted)</span>
    </ins>
  );
}
