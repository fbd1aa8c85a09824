import { readdirSync } from 'node:fs';
import type { Agent, Part, Step } from '@parley/missions';

/** Databases of earlier versions. Each is a folder named by its schema version and fold version. */
export const GOLDEN_DATABASES = new URL('../golden-databases/', import.meta.url);

export const GOLDEN_NAMES: readonly string[] = readdirSync(GOLDEN_DATABASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** The files of one database. The owner key has the file names that it has in a data folder. */
export const FILES = {
  record: 'record.json',
  key: 'owner-key',
  keyHash: 'owner-key.json',
  pglite: 'pglite.tar.br',
  postgres: 'postgresql.sql.gz',
} as const;

export interface GoldenSession {
  readonly stage: string;
  readonly session_id: string;
  readonly title: string;
  readonly status: string;
  readonly phase: string;
  readonly head: { readonly seq: number; readonly hash: string };
  readonly tokens: Readonly<Partial<Record<Agent, string>>>;
  /** The steps of the session's mission that follow in the same part. */
  readonly next: { readonly part: Part; readonly steps: readonly Step[] };
}

export type SignIn = Readonly<Record<'cookie' | 'parley-page-key', string>>;

/** What a stored database contains, as the version that wrote the database answered. */
export interface GoldenDatabase {
  /** ISO 8601. Tokens and sign-ins end some hours after this time, so a test sets the clock. */
  readonly made_at: string;
  readonly sign_in: SignIn;
  /** Code of an open invitation of the moderator to the session `draft`. */
  readonly invitation: string;
  /** Empty if the version has no people. */
  readonly people: readonly {
    readonly name: string;
    readonly role: string;
    readonly key: string;
    readonly sign_in: SignIn;
  }[];
  readonly sessions: readonly GoldenSession[];
}
