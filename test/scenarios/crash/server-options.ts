/** Where the server stores its data, and the append at which it is killed. */
export interface ServerOptions {
  readonly place: { readonly folder: string } | { readonly databaseUrl: string };
  readonly cut?: Cut;
}

/** The append at which the process is killed, as by a power cut. The first append has the number 1. */
export interface Cut {
  readonly append: number;
  /**
   * `while storing`: while the storage works on the append. `before answering`: after it is stored, before the answer is sent.
   */
  readonly moment: 'while storing' | 'before answering';
}

/** The line that the server prints when the test must kill it. */
export const STORING = 'storing';
