interface Headed {
  readonly head: { readonly seq: number };
}

/** Reads overlap: what was read of an earlier state never takes the place of a later one. */
export const newestOf = <T extends Headed>(known: T | null, read: T): T =>
  known !== null && known.head.seq > read.head.seq ? known : read;
