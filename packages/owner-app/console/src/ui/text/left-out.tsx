interface LeftOutProps {
  readonly of: { readonly count: number; readonly how: string } | undefined;
}

/** Shows how many records an answer does not contain because of its size. */
export function LeftOut({ of }: LeftOutProps) {
  if (!of) return null;
  return (
    <p class="muted" title={of.how}>
      {`Records that are not shown on this page: ${of.count}. To list all records, run: parley records <id of the session>`}
    </p>
  );
}
