interface Headed {
  readonly head: { readonly seq: number };
}

/**
 * Returns the newer of two views. If several reads are in progress, the answer that arrives last can contain an older
 * view than an answer before it.
 */
export const newestOf = <T extends Headed>(known: T | null, read: T): T =>
  known !== null && known.head.seq > read.head.seq ? known : read;
