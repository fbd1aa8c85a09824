interface LeftOutProps {
  readonly of: { readonly count: number; readonly how: string } | undefined;
}

/** Says how many records are missing in an answer because of its size. */
export function LeftOut({ of }: LeftOutProps) {
  if (!of) return null;
  return (
    <p class="muted" title={of.how}>
      {`Records that are not shown on this page: ${of.count}. To list all of them, run: parley records`}
    </p>
  );
}
