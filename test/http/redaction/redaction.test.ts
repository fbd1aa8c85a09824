import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { startCli } from '../../../packages/owner-app/test/child.ts';
import { bearer, callTool } from '../../support/requests.ts';
import { misplace, misplaceAsModerator } from './misplaced.ts';
import {
  beRefused,
  type Cast,
  moderate,
  openSession,
  play,
  redeem,
  runIntoLimits,
  seat,
  type Tokens,
} from './story.ts';
import { embeddedPlace, filesIn, type Place, serverPlace } from './support/place.ts';
import { commandLines } from './support/processes.ts';
import { type Server, startServer } from './support/server.ts';
import { createVault, type Vault } from './support/vault.ts';
import { createVisitor, type Visitor } from './support/visitor.ts';

const databaseUrl = inject('databaseUrl');
const GIVEN_KEY = `pok_${['Qm7xT2vB9k', 'R4wZ8nLc3H', 'y6DfJ1sPgU', 'e5KqMa0VtXbN3'].join('')}`;

interface PlaceRow {
  readonly name: string;
  readonly open: () => Promise<Place>;
  /** The owner key. Absent if the server creates the key at its first start. */
  readonly givenKey?: string;
}

const PLACES: readonly PlaceRow[] = [
  { name: 'PGlite, with the key that the first start makes', open: embeddedPlace },
  ...(databaseUrl === null
    ? []
    : [{ name: 'PostgreSQL, with a given key', open: () => serverPlace(databaseUrl), givenKey: GIVEN_KEY }]),
];

/** Makes a call that waits while the server ends. Ignores errors, because the answer may be lost. */
const hold = (visitor: Visitor, token: string): Promise<unknown> =>
  visitor.send(`/api/public/mcp/${token}`, { body: callTool('wait_for_my_turn', { wait: 20 }) }).catch(() => undefined);

async function runCommands(place: Place, server: Server, cast: Cast): Promise<readonly string[]> {
  const key = place.environment.DATABASE_URL ? { PARLEY_OWNER_KEY: cast.ownerKey } : {};
  const environment = { PARLEY_URL: server.url, PARLEY_DATA: place.folder, ...key };
  const run = async (...args: string[]): Promise<string> => {
    const child = startCli(args, environment);
    const seen = child.ended.then(() => '');
    for (let list = ''; list === ''; ) {
      expectNone(cast.vault, { 'the list of processes': await commandLines() });
      list = await Promise.race([seen.then(() => 'over'), delay(300, '')]);
    }
    return child.out() + child.err();
  };
  const invited = await run('invite', cast.sessionId, '--role', 'agent_a', '--json');
  const code = cast.vault.keep(String(JSON.parse(invited).code), cast.sessionId);
  cast.vault.keep(await redeem(cast, code), cast.sessionId);
  return [await run('sessions'), await run('export-log', cast.sessionId), await run('view', 'prt_nonsense')];
}

function expectNone(vault: Vault, texts: Readonly<Record<string, string | Buffer>>): void {
  for (const [where, text] of Object.entries(texts))
    expect({ where, found: vault.findIn(text) }).toEqual({ where, found: [] });
}

/** Reads the session's event stream until the server ends the stream. */
async function follow(url: string, { sessionId, ownerKey }: Cast): Promise<string> {
  const { Authorization } = bearer(ownerKey);
  const path = `/owner/api/sessions/${sessionId}/events`;
  const response = await fetch(url + path, { headers: { Authorization: String(Authorization) } });
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    // A killed server breaks the stream.
  }
  return text;
}

describe.each(PLACES)('secrets on $name', ({ open, givenKey }) => {
  test('stand nowhere but where they are handed over', async () => {
    const place = await open();
    const vault = createVault();
    for (const secret of place.secrets) vault.keep(secret);
    const environment = givenKey === undefined ? {} : { PARLEY_OWNER_KEY: givenKey };
    const servers = [await startServer(place, environment)];
    const present = (): Server => servers.at(-1) ?? expect.unreachable();
    const visitor = createVisitor(() => present().url);
    const ownerKey = vault.keep(givenKey ?? (await keyOf(present())));
    const sessionId = await openSession(visitor, ownerKey);
    const cast: Cast = { visitor, vault, ownerKey, sessionId };
    const tokens: Tokens = {
      agentA: await seat(cast, 'agent_a'),
      agentB: await seat(cast, 'agent_b'),
      moderator: await seat(cast, 'moderator'),
    };
    const streamed = [follow(present().url, cast)];

    await play(cast, tokens);
    await moderate(cast, tokens);
    await beRefused(cast, tokens);
    for (const secret of [tokens.agentA, ownerKey]) {
      await misplace(secret, { visitor, sessionId, ownerKey, token: tokens.agentB });
      await misplaceAsModerator(secret, { visitor, sessionId, ownerKey, token: tokens.moderator });
    }
    await place.withoutStorage?.(async () => {
      await visitor.send(`/api/public/mcp/${tokens.moderator}`, { body: callTool('read_task') });
      await visitor.send(`/api/public/agent/sessions/${sessionId}/task`, { headers: bearer(tokens.moderator) });
      await visitor.send(`/owner/api/sessions/${sessionId}`, { headers: bearer(ownerKey) });
      await visitor.send('/readyz');
    });
    const commands = await runCommands(place, present(), cast);

    const scrapes = [await present().metrics()];
    const held = hold(visitor, tokens.moderator);
    await delay(200);
    await present().end('SIGKILL');
    servers.push(await startServer(place, environment));
    streamed.push(follow(present().url, cast));
    await runIntoLimits(cast, tokens.moderator);
    const drained = hold(visitor, tokens.agentB);
    await delay(200);
    scrapes.push(await present().metrics());
    await present().end('SIGTERM');
    await Promise.all([held, drained]);

    const files = await filesIn(place.folder).catch(() => []);
    const keyFile = files.find(({ path }) => path.endsWith('/owner-key'));
    const [first = '', ...later] = servers.map((server) => server.printed());
    expect(givenKey === undefined ? first.split(ownerKey).length - 1 : 1).toBe(1);
    expect([...visitor.statuses].toSorted()).toEqual(
      expect.arrayContaining([200, 400, 401, 403, 404, 405, 413, 422, 429]),
    );
    expect(visitor.statuses.has(503)).toBe(place.withoutStorage !== undefined);
    expect(visitor.statuses).not.toContain(500);
    for (const server of servers) expect(server.printed()).toContain('"path":"/api/public/mcp/:token"');
    for (const answer of visitor.heard) expectNone(vault, { [`an answer: ${answer.slice(-300)}`]: answer });
    for (const output of [first.replace(givenKey ?? ownerKey, ''), ...later])
      expectNone(vault, { 'what the server printed': output });
    for (const text of await Promise.all(streamed)) expectNone(vault, { 'the event stream': text });
    for (const text of scrapes) {
      expectNone(vault, { 'the metrics': text });
      expect(text.includes(sessionId)).toBe(false);
      expect(text).toContain('parley_errors_total{code="');
    }
    for (const text of commands) expectNone(vault, { 'what a command printed': text });
    expectNone(vault, { 'the database': await place.dump(sessionId) });
    for (const { path, content } of files) if (path !== keyFile?.path) expectNone(vault, { [path]: content });
    for (const { path, mode } of files.filter(({ path }) => path.includes('owner-key')))
      expect([path, mode]).toEqual([path, '600']);
    // Two secrets, sent in a question, a finding, a hold and a recommendation, over REST and over MCP: 16 refusals.
    const rejected = visitor.heard.filter((answer) => answer.includes('CREDENTIAL_REJECTED'));
    expect(rejected.length).toBeGreaterThanOrEqual(16);
    expect(vault.count).toBeGreaterThanOrEqual(10);
  });
});

/** The owner key that the first start of the server prints. */
const keyOf = async ({ child }: Server): Promise<string> => (await child.says(/^ {2}key {6}(pok_\S+)$/m))[1] ?? '';
