import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AgentClient } from '@parley/core';
import { type CallTool, loadMission, type Mission, PARTS, runMission, withModerator } from '@parley/missions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ran, runLines } from '../support/owner-terminal.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { snippetsOf } from '../support/snippets.ts';

const snippets = snippetsOf('docs/owner-guide.md');
const page = readFileSync('docs/owner-guide.md', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'parley-owner-'));
let mission: Mission;
let service: RunningService;

beforeAll(async () => {
  mission = withModerator(await loadMission('payment-capture'));
  service = await runService();
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** The step before which playing stops: step number `place` among the steps named `call`. Default: the first. */
type Moment = readonly [call: string, place?: number];

/** For each block of the guide, in order: its heading, and how far the session is played before the block is run. */
const MOMENTS: readonly (readonly [heading: string, before: Moment | 'draft' | 'the same'])[] = [
  ['Create', 'draft'],
  ['Invite', 'draft'],
  ['Start', 'the same'],
  ['Start', 'the same'],
  ['Watch', ['never']],
  ['Watch', 'the same'],
  ['Watch', ['answerQuestion']],
  ['Answer, ask, direct', 'the same'],
  ['Answer, ask, direct', 'the same'],
  ['Findings, holds and advice', ['patch_contract', 2]],
  ['Findings, holds and advice', 'the same'],
  ['Findings, holds and advice', ['respondRecommendation']],
  ['Before you approve', ['approveContract']],
  ['Approve exact bytes', 'the same'],
  ['Approve exact bytes', 'the same'],
  ['Authorize the build', ['authorize']],
  ['Watch the verification', ['reassignDefect']],
  ['Watch the verification', 'the same'],
  ['Deploy, activate, end', ['authorize', 2]],
  ['Export, verify, erase', 'the same'],
  ['An agent is gone', ['submit_contract']],
  ['Nobody is elected, or the rounds are used up', ['submit_contract']],
  ['The moderator is in the way', ['patch_contract', 2]],
  ['An agent has used up its quota', 'the same'],
  ['A defect goes back and forth', ['reassignDefect']],
];

test('the guide has no block beyond those that are run here', () => {
  expect(snippets.map(({ heading, language }) => `${heading}: ${language}`)).toEqual(
    MOMENTS.map(([heading]) => `${heading}: sh`),
  );
});

describe('every command of the guide works where the guide has it', () => {
  let sessionId = '';

  test.each(MOMENTS.map(([heading, before], place) => ({ heading, before, place })))(
    '$place $heading',
    async (moment) => {
      if (moment.before === 'draft') sessionId = (await service.owner.createSession(mission.session)).session_id;
      else if (moment.before !== 'the same') sessionId = await playTo(...moment.before);
      const { revision_id, content_hash } = await service.owner.plan(sessionId);
      // Without flags, the command asks a person, which needs a terminal.
      const block = (snippets[moment.place]?.code ?? '')
        .replace(/approve-contract .*/, `$& --revision-id ${revision_id} --content-hash ${content_hash}`)
        .replace(/authorize .*/g, '$& --yes')
        .replace(/(approve-contract|authorize) .*/g, '$& --seen <seen>')
        .replaceAll('<session_id>', sessionId);
      const environment = { PARLEY_URL: service.url, PARLEY_OWNER_KEY: service.ownerKey };
      const ran: Ran[] = [];
      for (const line of block.trim().split('\n')) {
        const seen = line.includes('<seen>') ? (await service.owner.view(sessionId)).head.seq : '';
        ran.push(...(await runLines(line.replace('<seen>', String(seen)), folder, { environment })));
      }
      expect(ran.map(({ command, code, output }) => ({ command, code, ...(code === 0 ? {} : { output }) }))).toEqual(
        ran.map(({ command }) => ({ command, code: 0 })),
      );
    },
  );
});

test('the pictures are there, are small, and are all shown', () => {
  const shown = ['README.md', 'docs/owner-guide.md'].flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/!\[[^\]]{20,}\]\((?:docs\/)?(images\/\w+\.(?:png|svg))\)/g)].map(
      ([, file]) => file,
    ),
  );
  const files = readdirSync('docs/images').map((name) => `images/${name}`);
  expect(new Set(shown)).toEqual(new Set(files));
  expect(files.length).toBeLessThanOrEqual(6);
  for (const file of files) expect(statSync(`docs/${file}`).size).toBeLessThan(180_000);
});

test('pictures stand in docs/images alone, beside the icon of the console and the pictures of the benches', () => {
  const { stdout } = spawnSync('git', ['ls-files', '--', '*.png', '*.jpg', '*.jpeg', '*.gif', '*.webp', '*.svg'], {
    encoding: 'utf8',
  });
  const folders = stdout
    .trim()
    .split('\n')
    .map((file) => dirname(file));
  expect([...new Set(folders)]).toEqual(['bench/pictures', 'docs/images', 'packages/owner-app/console/public']);
});

test('what the console is said to have on its buttons, it has', () => {
  const place = 'packages/owner-app/console/src';
  const files = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const sources = files.map((file) => readFileSync(join(place, file), 'utf8'));
  const labels = [...page.matchAll(/\*\*Console:\*\*([\s\S]*?)\n\n/g)].flatMap(([, text = '']) =>
    [...text.matchAll(/(?<!\*)\*([A-Z][^*]+)\*(?!\*)/g)].map(([, label = '']) => label),
  );
  expect(labels.length).toBeGreaterThan(15);
  const isThere = (label: string): boolean => {
    // A label with a variable part, such as "Invite Agent A", consists of two strings in the source. Searches only the
    // first string.
    const [first = ''] = label.split(/ (?=Agent [AB]$|build$|deployment$)/);
    return sources.some((source) => source.includes(first.replace(/ the$/, '')));
  };
  expect(labels.filter((label) => !isThere(label))).toEqual([]);
});

/**
 * Plays the mission in process up to the occurrence number `place` of the step `call`, without this step. Plays the whole
 * mission if there is no such step.
 */
async function playTo(call: string, place = 1): Promise<string> {
  let seen = 0;
  const parts = PARTS.map((part) => [
    part,
    mission[part].filter((step) => {
      if (seen < place && step.call === call) seen += 1;
      return seen < place;
    }),
  ]);
  const agents = async ({ code }: { readonly code: string }): Promise<CallTool> =>
    (await service.agent(code)).call as AgentClient['call'] & CallTool;
  const { sessionId } = await runMission(
    { ...mission, ...Object.fromEntries(parts) },
    { owner: service.owner, agents },
  );
  return sessionId;
}
