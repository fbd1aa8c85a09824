/** File descriptors reserved for the database, the log and connections to other services. */
const RESERVED = 192;
/** Minimum number of connections. A server whose limit of open files is tiny uses this number. */
const LEAST = 32;

/**
 * Maximum number of connections with which the process has file descriptors left. Without a free descriptor the embedded
 * database cannot open its files.
 *
 * @param limit the limit of open files, as the process report names it
 */
export const connectionsWithin = (limit: unknown): number =>
  typeof limit === 'number' ? Math.max(LEAST, limit - RESERVED) : Number.POSITIVE_INFINITY;

/** The maximum for this process. Reads the soft limit of open files, which Node raises to the hard limit when it starts. */
export function connectionLimit(): number {
  const { userLimits } = Object(process.report.getReport());
  return connectionsWithin(userLimits?.open_files?.soft);
}
