import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Settings of podman. docker ignores them. */
const CONTAINERS_CONF = fileURLToPath(new URL('containers.conf', import.meta.url));

export interface Printed {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ContainerTool {
  readonly name: 'podman' | 'docker';
  run(...args: readonly string[]): Printed;
  /**
   * Runs a command and returns what it printed to stdout. Throws an error with the command and its messages if the
   * command fails.
   */
  must(...args: readonly string[]): string;
  /** Runs a command whose messages go to the terminal. */
  show(...args: readonly string[]): void;
}

/** Throws an error with the program's messages if the program fails. */
export function mustRun(program: string, args: readonly string[], options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    maxBuffer: 2 ** 28,
    ...options,
    encoding: 'utf8',
  });
  if (status === 0) return stdout ?? '';
  throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${error?.message ?? stderr}`);
}

export const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

/** Finds podman, if run as root, or docker, if its service answers. Returns what is missing if neither can be used. */
export function findContainerTool(): ContainerTool | string {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && isInstalled('podman')) return toolOf('podman', isInstalled('runc') ? ['--runtime', 'runc'] : []);
  if (spawnSync('docker', ['info'], { timeout: 20_000 }).status === 0) return toolOf('docker', []);
  return isRoot
    ? 'install podman, runc and debootstrap (apt-get install podman runc debootstrap), or start a docker service'
    : 'run it as root with podman installed, or start a docker service';
}

/** `flags` are global flags, which stand before each command. */
function toolOf(name: ContainerTool['name'], flags: readonly string[]): ContainerTool {
  const options: SpawnSyncOptions = { env: { ...process.env, CONTAINERS_CONF } };
  return {
    name,
    run(...args) {
      const { status, stdout, stderr } = spawnSync(name, [...flags, ...args], { ...options, encoding: 'utf8' });
      return { code: status, out: stdout, err: stderr };
    },
    must: (...args) => mustRun(name, [...flags, ...args], options),
    show: (...args) => void mustRun(name, [...flags, ...args], { ...options, stdio: ['ignore', 'inherit', 'inherit'] }),
  };
}
