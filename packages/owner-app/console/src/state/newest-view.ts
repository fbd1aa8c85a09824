interface Headed {
  readonly head: { readonly seq: number };
}

/** The newer of two views. Several reads can be in progress, so the answer that arrives last may be about an older state. */
export const newestOf = <T extends Headed>(known: T | null, read: T): T =>
  known !== null && known.head.seq > read.head.seq ? known : read;
