/** Where the server finds its data, and where it is to be cut off. */
export interface ServerOptions {
  readonly place: { readonly folder: string } | { readonly databaseUrl: string };
  readonly cut?: Cut;
}

/** The append, counted from 1, at which the process ends as in a power cut. */
export interface Cut {
  readonly append: number;
  /** While the storage works on it, or when it is stored and the answer is not yet sent. */
  readonly moment: 'while storing' | 'before answering';
}

/** What the server says when it wants to be killed. */
export const STORING = 'storing';
