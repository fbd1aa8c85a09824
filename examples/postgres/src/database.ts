export interface ExampleDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

/**
 * Opens the database whose URL is in DATABASE_URL. If that is not set, starts a private server, which is removed when
 * the database is closed.
 */
export async function openDatabase(): Promise<ExampleDatabase> {
  const url = process.env.DATABASE_URL;
  if (url) return { url, remove: async () => {} };
  const launcher = new URL('../../../scripts/dist/servers/postgres-server.js', import.meta.url).href;
  const { startPostgres } = (await import(launcher)) as typeof import('../../../scripts/servers/postgres-server.ts');
  const server = await startPostgres();
  if (!server) throw new Error('No PostgreSQL server is installed: set DATABASE_URL.');
  return { url: server.url, remove: () => server.stop() };
}
