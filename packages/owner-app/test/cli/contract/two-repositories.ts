import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadMission, type Mission, type MissionName, PARTS, runMission } from '@parley/missions';
import { runCli } from '../../../src/cli/program.ts';
import { UNLIMITED } from '../../../src/text/page.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';
import { KEY, runApp } from '../../running-app.ts';

type Builder = 'agent_a' | 'agent_b';

interface Made {
  /** The parts of the mission that are run. Default: all. */
  readonly upTo?: (typeof PARTS)[number];
  readonly mission?: MissionName;
}

/** The session of a mission, the repository of each side, and functions that run `parley contract` in them. */
export async function twoRepositories({ upTo = 'verification', mission: name = 'payment-capture' }: Made = {}) {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const mission = await loadMission(name);
  const run = PARTS.slice(0, PARTS.indexOf(upTo) + 1);
  const cut: Mission = {
    ...mission,
    ...Object.fromEntries(PARTS.map((part) => [part, run.includes(part) ? mission[part] : []])),
  };
  const tokens: Record<Builder, string> = { agent_a: '', agent_b: '' };
  const { sessionId, agents } = await runMission(cut, {
    owner,
    agents: async ({ code, role }) => {
      const { token } = await parley.redeem({ code });
      if (role === 'agent_a' || role === 'agent_b') tokens[role] = token;
      return parley.agent(token).call;
    },
  });
  const folders: Record<Builder, string> = { agent_a: await newFolder(), agent_b: await newFolder() };
  for (const folder of Object.values(folders)) execFileSync('git', ['init', '--quiet', folder]);
  const command = async (environment: Record<string, string>, args: readonly string[]) => {
    const terminal = fakeTerminal(environment, UNLIMITED);
    const code = await runCli(args, terminal);
    return { code, out: terminal.output(), err: terminal.errors() };
  };
  return {
    ...{ url, owner, sessionId, agents, folders, tokens },
    /** Runs `parley contract` with the token of one side, in its repository. */
    contract: (by: Builder, action: string, ...args: readonly string[]) =>
      command({ PARLEY_URL: url, PARLEY_TOKEN: tokens[by] }, [
        ...['contract', action, '--folder', folders[by], ...args],
      ]),
    /** Runs a command with the owner key. */
    ownerCommand: (...args: readonly string[]) => command({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY }, args),
    /** Runs `parley contract check` without an address, a token or a key. */
    offline: (by: Builder, ...args: readonly string[]) =>
      command({}, ['contract', 'check', '--folder', folders[by], ...args]),
    read: (by: Builder, file: string) => readFile(join(folders[by], file), 'utf8'),
    write: (by: Builder, file: string, text: string) => writeFile(join(folders[by], file), text),
    /** Lets the owner request changes, and approve the revision that follows them. */
    async nextRevision() {
      const before = await owner.view(sessionId);
      await owner.requestChanges(sessionId, { reason: 'Shorten the title.', seen: before.head.seq });
      const { revision_id } = await owner.plan(sessionId);
      await agents.agent_b('patch_contract', {
        expected_parent_id: revision_id,
        reason: 'The title is shorter.',
        ops: [{ op: 'replace', path: '/title', value: 'One capture, one entry' }],
      });
      const plan = await owner.plan(sessionId);
      const reviewed = { revision_id: plan.revision_id, content_hash: plan.content_hash };
      for (const by of ['agent_a', 'agent_b'] as const)
        await agents[by]('submit_final_review', { ...reviewed, verdict: 'APPROVE' });
      const { head } = await owner.view(sessionId);
      await owner.approveContract(sessionId, {
        revision_id: plan.revision_id ?? '',
        content_hash: plan.content_hash ?? '',
        seen: head.seq,
      });
    },
  };
}
