import { visible } from '../../../../src/text/visible.ts';

/** Shows removed words. A hidden text announces the removal, because few screen readers announce the element `del`. */
export function Removed({ text }: { readonly text: string }) {
  return (
    <del>
      <span class="unseen">removed: </span>
      {visible(text)}
      <span class="unseen"> (end of removed)</span>
    </del>
  );
}

/** Shows added words. A hidden text announces the addition to screen readers. */
export function Inserted({ text }: { readonly text: string }) {
  return (
    <ins>
      <span class="unseen">inserted: </span>
      {visible(text)}
      <span class="unseen"> (end of inserted)</span>
    </ins>
  );
}
