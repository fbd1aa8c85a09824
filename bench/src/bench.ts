/** The figures that one round of one side measured, by name. */
export type Figures = Readonly<Record<string, number>>;

/** Measures one round. Preparation happens before its clock starts. */
type Round = () => Promise<Figures>;

/** A value that must be reached, or must not be exceeded. */
export type Bound = { readonly atLeast: number } | { readonly atMost: number };

export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** Name of the floor it is compared with, if a bench has several. */
  readonly beside?: string;
  /** Target for our figure divided by the floor's. */
  readonly ratio?: Bound;
  /** Target for our figure itself, in its unit. */
  readonly limit?: Bound;
}

export interface Prepared {
  /** Floors by name; a bench with one floor calls it `ONLY`. */
  readonly floors: Readonly<Record<string, Round>>;
  /** Cases by name, for a bench that compares several of ours with the same floors; else `ONLY`. */
  readonly ours: Readonly<Record<string, Round>>;
  /** True if each round starts a new process, so that the first round counts too. */
  readonly needsNoWarmUp?: true;
  close(): Promise<void>;
}

/** The name of the only floor, or of the only case. */
export const ONLY = '';

export interface Bench {
  readonly name: string;
  /** The measured side of the service, in a sentence. */
  readonly ours: string;
  /** The floor or peer with which it is compared, in a sentence. */
  readonly floor: string;
  readonly figures: readonly Figure[];
  prepare(run: Run): Promise<Prepared>;
}

export interface Pace {
  /** Number of rounds that count, for each side. */
  readonly rounds: number;
  /** Seconds of a round under load. */
  readonly seconds: number;
  /** Number of single operations in a round that measures them one after the other. */
  readonly samples: number;
  /** Whether to prepare less data; the names of the cases give the size. */
  readonly isQuick: boolean;
}

export interface Run extends Pace {
  /** Creates a database on the run's PostgreSQL server; returns its connection string. */
  openDatabase(): Promise<string>;
}

export const CONNECTIONS = 32;
