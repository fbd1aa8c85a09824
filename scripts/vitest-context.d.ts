import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** A real PostgreSQL for this run, or null where none is installed. */
    databaseUrl: string | null;
    /** The compiled host that the project "processes" starts. */
    hostProgram: string;
  }
}
