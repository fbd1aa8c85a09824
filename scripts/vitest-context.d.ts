import 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** A real PostgreSQL for this run, or null where none is installed. */
    databaseUrl: string | null;
    /** The compiled host that the project "processes" starts. */
    hostProgram: string;
    /** The compiled moderator that the same project starts: it reads events over MCP. */
    readerProgram: string;
    /** The browser of the browser tests, and what its process needs in its environment. */
    chromium: { readonly executablePath: string; readonly env: Readonly<Record<string, string>> };
    /** The folder of the console that was built for the browser tests. */
    consoleFolder: string;
  }
}
