import type { OwnerListing } from '@parley/core';
import { kebabCase } from '@parley/core/routes';
import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

type Add = (program: Command, terminal: Terminal) => void;

/** Imports the module of a command. */
export type Loader = () => Promise<Add>;

/**
 * The commands that the help lists before the operations, in the order of the help. A loader imports the module of its
 * command only when the command is needed, so that other commands start faster.
 */
const FIRST: Readonly<Record<string, Loader>> = {
  serve: async () => (await import('./service/serve.ts')).addServe,
  demo: async () => {
    const [{ addDemo }, listings] = await Promise.all([import('./demo/demo.ts'), coreListings()]);
    return (program, terminal) => addDemo(program, terminal, listings);
  },
  connect: async () => (await import('./connect/connect.ts')).addConnect,
  mcp: async () => (await import('./mcp/mcp.ts')).addMcp,
  wait: async () => (await import('./agent/wait.ts')).addWait,
  hook: async () => (await import('./agent/hook.ts')).addHook,
  'commit-changes': async () => (await import('./agent/commit-changes.ts')).addCommitChanges,
  verify: async () => (await import('./verify/verify.ts')).addVerify,
  contract: async () => (await import('./contract/contract.ts')).addContract,
  run: async () => {
    const [{ addRun }, listings] = await Promise.all([import('./run/run.ts'), coreListings()]);
    return (program, terminal) => addRun(program, terminal, listings);
  },
  sessions: async () => (await import('./sessions/sessions.ts')).addSessions,
  group: async () => (await import('./sessions/group.ts')).addGroup,
  create: async () => (await import('./sessions/create.ts')).addCreate,
  delete: async () => (await import('./sessions/delete.ts')).addDelete,
  'export-log': async () => (await import('./sessions/export-log.ts')).addExportLog,
  waiting: async () => (await import('./sessions/waiting.ts')).addWaiting,
  find: async () => (await import('./sessions/find.ts')).addFind,
  audit: async () => (await import('./sessions/audit.ts')).addAudit,
  'moderator-entitlement': async () => (await import('./sessions/moderator-entitlement.ts')).addModeratorEntitlement,
  accounts: async () => (await import('./people/accounts.ts')).addAccounts,
  people: async () => (await import('./people/people.ts')).addPeople,
};

/** The commands that the help lists after the operations. */
const LAST: Readonly<Record<string, Loader>> = {
  followups: async () => (await import('./sessions/followups.ts')).addFollowups,
  show: async () => (await import('./sessions/show.ts')).addShow,
  watch: async () => (await import('./sessions/watch.ts')).addWatch,
  'verify-log': async () => (await import('./sessions/verify-log.ts')).addVerifyLog,
  'verify-certificate': async () => (await import('./sessions/verify-certificate.ts')).addVerifyCertificate,
  doctor: async () => (await import('./doctor/doctor.ts')).addDoctor,
  migrate: async () => (await import('./service/migrate.ts')).addMigrate,
  backup: async () => (await import('./service/backup.ts')).addBackup,
  retain: async () => (await import('./service/retain.ts')).addRetain,
  restore: async () => (await import('./service/restore.ts')).addRestore,
  completion: async () => (await import('./completion/completion.ts')).addCompletion,
};

const coreListings = async (): Promise<readonly OwnerListing[]> => (await import('@parley/core')).ownerListings;

const operationLoader =
  (listing: OwnerListing): Loader =>
  async () => {
    if (listing.name === 'transcript') {
      const { addTranscript } = await import('./sessions/transcript.ts');
      return (program, terminal) => addTranscript(program, terminal, listing);
    }
    const { addOperation } = await import('./sessions/operations.ts');
    return (program, terminal) => addOperation(program, terminal, listing);
  };

/** Returns the loader of a command. Commands that are neither in `FIRST` nor in `LAST` are operations of core. */
export const loaderOf =
  (name: string): Loader =>
  async () => {
    const own = FIRST[name] ?? LAST[name];
    if (own) return own();
    const listing = (await coreListings()).find((candidate) => kebabCase(candidate.name) === name);
    if (!listing) throw new Error(`No module has the command ${name}.`);
    return operationLoader(listing)();
  };

/**
 * The loaders of all commands, in the order of the help.
 *
 * @param listings the operations; default: the operations of core
 */
export async function loaders(listings?: readonly OwnerListing[]): Promise<Loader[]> {
  const given = listings ?? (await coreListings());
  const isTranscript = ({ name }: OwnerListing): boolean => name === 'transcript';
  const operations = [...given.filter((one) => !isTranscript(one)), ...given.filter(isTranscript)];
  return [...Object.values(FIRST), ...operations.map(operationLoader), ...Object.values(LAST)];
}
