interface Headed {
  readonly head: { readonly seq: number };
}

/** The newer of two views. Reads overlap, so an answer about an older state may arrive later. */
export const newestOf = <T extends Headed>(known: T | null, read: T): T =>
  known !== null && known.head.seq > read.head.seq ? known : read;
