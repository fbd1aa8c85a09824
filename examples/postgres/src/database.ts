export interface ExampleDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

/**
 * Returns the database whose URL is in DATABASE_URL. If DATABASE_URL is not set, starts a private server, which
 * `remove` stops.
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
