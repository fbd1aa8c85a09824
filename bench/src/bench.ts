import type { ServerProcess, StartServer } from './server-process.ts';

/** The values measured in one round. The key of a value is the name of the measured quantity, `Figure.name`. */
export type Figures = Readonly<Record<string, number>>;

/** Runs one round and returns its measured values. `Bench.prepare` creates the data of the round beforehand. */
type Round = () => Promise<Figures>;

/** A target: a lower or an upper bound of a value. */
export type Bound = { readonly atLeast: number } | { readonly atMost: number };

export interface Figure {
  readonly name: string;
  readonly unit: string;
  /**
   * Name of the peer or floor (see `Prepared.floors`) with which the figure is compared. Absent if the bench has only
   * one.
   */
  readonly beside?: string;
  /** Target for the ratio: the value of the service divided by the value of the peer or floor. */
  readonly ratio?: Bound;
  /** Target for the value of the service, in `unit`. */
  readonly limit?: Bound;
}

export interface Prepared {
  /**
   * One function for each peer and floor (see `Bench.peers` and `Bench.floor`), by its name. If there is only one, its
   * name is `ONLY`.
   */
  readonly floors: Readonly<Record<string, Round>>;
  /**
   * Names of peers that this machine cannot run, each with the reason. The reason is printed, and their figures are left
   * out.
   */
  readonly leftOut?: Readonly<Record<string, string>>;
  /**
   * One function for each case of the service, by the name of the case. If there is only one case, its name is `ONLY`.
   * Every case is compared with the same peers and floors.
   */
  readonly ours: Readonly<Record<string, Round>>;
  /** True if each round starts a new process. A warm-up round would then have no effect. */
  readonly needsNoWarmUp?: true;
}

/** The name of the peer or floor if a bench has only one, and of the case if a bench has only one case. */
export const ONLY = '';

export interface Bench {
  readonly name: string;
  /** What the service does in this bench. */
  readonly ours: string;
  /** What the peers do in this bench. A peer is a program of another project, which a user could use instead. */
  readonly peers?: string;
  /** What the floor does in this bench. A floor is a simpler program, or the service itself with less to do. */
  readonly floor?: string;
  /** Figures in the order in which they are shown: those beside peers first. */
  readonly figures: readonly Figure[];
  /** The names of the peers' packages with their versions, such as `express 5.3.0`. */
  readonly peerVersions?: () => readonly string[];
  prepare(run: Run): Promise<Prepared>;
}

export interface Pace {
  /** Number of measured rounds of each floor and of each case of the service. */
  readonly rounds: number;
  /** Seconds that a round under load takes. A round ends earlier if a session has no turns left. */
  readonly seconds: number;
  /** Number of operations in a round without load. The operations run one after another. */
  readonly samples: number;
  /** True for a quick run, for which each bench prepares less data. */
  readonly isQuick: boolean;
}

export interface Surroundings extends Pace {
  /** Creates a database on the PostgreSQL server of the run. Returns its connection string. */
  openDatabase(): Promise<string>;
}

/**
 * The functions and settings that `Bench.prepare` gets. When the bench ends or fails, all functions that were
 * registered with `defer` are called.
 */
export interface Run extends Surroundings {
  /** Starts a server in a separate process, which is stopped when the bench ends. */
  startServer(...server: Parameters<StartServer>): Promise<ServerProcess>;
  /** Registers a clean-up function. The function that was registered last is called first. */
  defer(cleanUp: () => unknown): void;
}

export const CONNECTIONS = 32;
