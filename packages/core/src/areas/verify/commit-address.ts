/** The text between the repository and the hash in the address of a commit, for each known host. */
const COMMIT_PATHS: ReadonlyMap<string, string> = new Map([
  ['github.com', 'commit'],
  ['gitlab.com', '-/commit'],
  ['bitbucket.org', 'commits'],
  ['codeberg.org', 'commit'],
  ['gitea.com', 'commit'],
  ['git.sr.ht', 'commit'],
]);

/**
 * Matches `https://host/path` and `ssh://host/path`. A user before the host, and the port 22 after it, are optional.
 */
const ADDRESS = /^(?:https|ssh):\/\/(?:[^@/\s]*@)?([A-Za-z0-9.-]+)(?::22)?\/(.+)$/;
/** Matches `git@host:path`, the short form of an ssh address. */
const SHORT_SSH = /^[A-Za-z0-9._-]+@([A-Za-z0-9.-]+):(.+)$/;
const PATH = /^[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)+$/;

/**
 * The https address of the web page that shows a commit. Null if the repository is not an https or ssh address on a
 * known host.
 * @param repository the repository of an agent as the owner wrote it; it may be any text
 */
export function commitAddress(repository: string, commit: string): string | null {
  const [, host = '', rest = ''] = ADDRESS.exec(repository) ?? SHORT_SSH.exec(repository) ?? [];
  const kind = COMMIT_PATHS.get(host.toLowerCase());
  const path = rest.replace(/\/+$/, '').replace(/\.git$/, '');
  const isPath = PATH.test(path) && !path.split('/').some((part) => part === '.' || part === '..');
  return kind !== undefined && isPath ? `https://${host.toLowerCase()}/${path}/${kind}/${commit}` : null;
}
