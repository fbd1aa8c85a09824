/** The server's data, and the append at which it is killed. */
export interface ServerOptions {
  readonly place: { readonly folder: string } | { readonly databaseUrl: string };
  readonly cut?: Cut;
}

/** The append, counted from 1, at which the process is killed as by a power cut. */
export interface Cut {
  readonly append: number;
  /** While the storage works on the append, or after it is stored and before the answer is sent. */
  readonly moment: 'while storing' | 'before answering';
}

/** Printed by the server when the test must kill it. */
export const STORING = 'storing';
