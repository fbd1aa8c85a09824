/** The first 12 characters of a commit or checksum. A shorter text is returned unchanged. */
export const shortHash = (hash: string): string => (hash.length > 12 ? `${hash.slice(0, 12)}…` : hash);
