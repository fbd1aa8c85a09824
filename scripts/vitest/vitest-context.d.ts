import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of a real PostgreSQL for this run. Null if none is installed. */
    databaseUrl: string | null;
    /** URLs of the workers if the PostgreSQL is the coordinator of Citus. */
    citusWorkers: readonly string[];
    /** Path of the compiled host program that the project "processes" starts. */
    hostProgram: string;
    /** Path of the compiled program of a moderator that reads events over MCP, which the project "processes" starts. */
    readerProgram: string;
    /** The browser for tests, and the environment variables for its process. */
    chromium: { readonly executablePath: string; readonly env: Readonly<Record<string, string>> };
    /** The tag of the image that was built from the Dockerfile; null if no tool can build it. */
    image: string | null;
    /** Address of the registry on loopback to which the packages of this repository are published, with a slash at its end. */
    registry: string;
    /** Paths of the archives of the published packages. */
    archives: readonly string[];
    /** Path of the console that was built for the browser tests. */
    consoleFolder: string;
  }
}
