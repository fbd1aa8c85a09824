import { z } from 'zod';
import { refuseInput } from '../../kernel/operation/input.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { plural } from '../../kernel/text/readable.ts';
import { At } from '../fields.ts';
import { named } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { certificationLevel, certificationOf } from '../verify/certification.ts';
import { WHOLE_COMMIT } from '../verify/events.ts';
import { scenariosOf, standingDefects } from '../verify/scenarios.ts';
import { shortCommit } from '../verify/state.ts';
import { LinkFields, STATUS_CONTEXTS, StatusFields } from './events.ts';
import { isUnsettled, type Link } from './state.ts';

/** The most that GitHub accepts. */
const MAX_DESCRIPTION_CHARS = 140;

type Context = (typeof STATUS_CONTEXTS)[number];

/** What a commit status says. */
interface Said {
  readonly state: z.output<typeof StatusFields.state>;
  readonly description: string;
}

/** A commit status that the forge does not have yet. */
export interface DueStatus extends Said, Omit<Link, 'reports' | 'token_set' | 'number'> {
  readonly session_id: string;
  readonly context: Context;
  readonly commit: string;
}

/** Whether a commit is written in full. A forge takes no abbreviated one. */
const isWhole = (commit: string): boolean => WHOLE_COMMIT.test(commit);

const isEnded = ({ profile }: SessionState): boolean => profile.status === 'ENDED';

function contractSaid(state: SessionState): Said {
  const { current, count } = state.manifest;
  if (current)
    return { state: 'success', description: `${current.revision_id} is approved, SHA-256 ${current.content_hash}.` };
  if (isEnded(state)) return { state: 'failure', description: 'The session ended without an approved contract.' };
  const lapsed = count > 0 ? 'The approval of the contract has lapsed: changes were requested.' : undefined;
  return { state: 'pending', description: lapsed ?? 'No revision of the contract is approved yet.' };
}

function verifiedSaid(state: SessionState): Said {
  if (!state.manifest.current)
    return { state: isEnded(state) ? 'failure' : 'pending', description: 'No revision of the contract is approved.' };
  const scenarios = scenariosOf(state);
  const count = (sought: string) => scenarios.filter(({ status }) => status === sought).length;
  const open = certificationOf(state).filter(({ ok }) => !ok);
  if (open.length === 0) {
    const level = certificationLevel(state);
    return {
      state: 'success',
      description: `Certified: ${plural(scenarios.length, 'scenario')} passed, lowest level of evidence: ${level}.`,
    };
  }
  const [failed, stale, defects] = [count('FAILED'), count('STALE'), standingDefects(state).length];
  const facts = [
    `${count('PASSED')} of ${plural(scenarios.length, 'scenario')} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(stale > 0 ? [`${stale} stale`] : []),
    ...(defects > 0 ? [plural(defects, 'open defect')] : []),
  ];
  const checks = failed + stale + defects > 0 ? '' : ` Not met: ${named(open.map(({ check }) => check))}.`;
  const ended = isEnded(state) ? 'Ended without certification: ' : '';
  return {
    state: isEnded(state) || failed + defects > 0 ? 'failure' : 'pending',
    description: `${ended}${facts.join(', ')}.${checks}`.slice(0, MAX_DESCRIPTION_CHARS),
  };
}

const SAID: Readonly<Record<Context, (state: SessionState) => Said>> = {
  contract: contractSaid,
  verified: verifiedSaid,
};

/**
 * Whether the forge already has a status. GitLab refuses to replace a pending status by another one, so that there a new
 * description has to wait for the next state.
 */
const isReported = (
  { forge, reports }: Link,
  { context, commit, ...said }: Omit<DueStatus, keyof Link | 'session_id'>,
) =>
  reports.some(
    (one) =>
      one.context === context &&
      one.commit === commit &&
      one.state === said.state &&
      one.result !== 'delayed' &&
      (one.description === said.description || (forge === 'gitlab' && said.state === 'pending')),
  );

function dueOf(state: SessionState, link: Link): DueStatus[] {
  if (!link.token_set) return [];
  const commit = state.verify.handshakes[link.role]?.commit;
  const replaced =
    commit && ({ state: 'failure', description: `Replaced: ${shortCommit(commit)} is declared now.` } as const);
  const earlier = link.reports
    .filter((one) => one.commit !== commit && isUnsettled(one))
    .map(({ context, commit: before }) => ({ context, commit: before, ...(replaced || SAID[context](state)) }));
  const present =
    commit !== undefined && isWhole(commit)
      ? STATUS_CONTEXTS.map((context) => ({ context, commit, ...SAID[context](state) }))
      : [];
  const { reports: _, token_set: __, number: ___, ...target } = link;
  return [...earlier, ...present]
    .filter((status) => !isReported(link, status))
    .map((status) => ({ session_id: state.sessionId, ...target, ...status }));
}

/** The commit statuses that the forges do not have yet. Those that were refused are not among them. */
export const dueStatuses = (state: SessionState): DueStatus[] =>
  BUILDERS.flatMap((role) => {
    const link = state.links[role];
    return link ? dueOf(state, link) : [];
  });

/** Whether the tokens of a session are not needed any more: it has ended, and the forges have what they need. */
export const isSettled = (state: SessionState): boolean => isEnded(state) && dueStatuses(state).length === 0;

const LinkView = namedObject('ChangeLink', {
  ...LinkFields,
  number: LinkFields.number.unwrap().nullable(),
  url: z.string().nullable().describe('Web page of the pull or merge request, or of the repository.'),
  token_set: z.boolean().describe('Whether a token is kept. It is erased when the session has ended.'),
  waits_for: z.string().nullable().describe('Why no status is posted; null if nothing is missing.'),
  statuses: z.array(z.strictObject({ ...StatusFields, reason: z.string().nullable(), at: At })),
});

export const LinksView = namedObject('ChangeLinks', { links: z.array(LinkView) });

const CHANGES = { github: 'pull', gitlab: '-/merge_requests', gitea: 'pulls' } as const;

/** The web page of a link. Null if it does not follow from the address of the API. */
function pageOf({ forge, api, repository, number }: Link): string | null {
  const site = api === 'https://api.github.com' ? 'https://github.com' : api.replace(/\/api\/v\d$/, '');
  if (site === api || /^\d+$/.test(repository)) return null;
  return `${site}/${repository}${number === undefined ? '' : `/${CHANGES[forge]}/${number}`}`;
}

function waitsFor(state: SessionState, { role, token_set }: Link): string | null {
  const commit = state.verify.handshakes[role]?.commit;
  if (!token_set) return 'a token: link the repository again, with one';
  if (commit === undefined) return `${role} has declared no commit yet`;
  return isWhole(commit)
    ? null
    : `${role} has declared ${commit}, which is abbreviated: it has to declare all 40 digits`;
}

export const viewLinks = (state: SessionState): z.output<typeof LinksView> => ({
  links: BUILDERS.flatMap((role) => {
    const link = state.links[role];
    if (!link) return [];
    const { reports, token_set, number = null, ...target } = link;
    // In a fixed order: the statuses of a commit are posted at the same time.
    const statuses = STATUS_CONTEXTS.flatMap((context) => reports.filter((report) => report.context === context)).map(
      ({ reason = null, ...report }) => ({ ...report, reason }),
    );
    const kept = token_set && !isSettled(state);
    return [{ ...target, number, url: pageOf(link), token_set: kept, waits_for: waitsFor(state, link), statuses }];
  }),
});

const DEFAULT_APIS: Readonly<Record<Link['forge'], string | undefined>> = {
  github: 'https://api.github.com',
  gitlab: 'https://gitlab.com/api/v4',
  gitea: undefined,
};

type Given = Omit<Link, 'api' | 'reports' | 'token_set' | 'number'> & { readonly api?: string | undefined };

/** The repository that an input names, as it is stored. */
export function targetIn({ role, forge, repository, api }: Given) {
  const isNamed = forge === 'gitlab' ? PROJECT.test(repository) : OWNER_AND_NAME.test(repository);
  const words = forge === 'gitlab' ? 'the path of the project, such as group/name, or its number' : 'owner/name';
  if (!isNamed) refuseInput([{ path: 'repository', message: `Must be ${words}.` }]);
  return { role, forge, api: apiOf(forge, api), repository };
}

const PART = '[A-Za-z0-9_.-]*[A-Za-z0-9_-][A-Za-z0-9_.-]*';
const OWNER_AND_NAME = new RegExp(`^${PART}/${PART}$`);
const PROJECT = new RegExp(`^(?:[1-9]\\d*|${PART}(?:/${PART})+)$`);

function apiOf(forge: Link['forge'], given = DEFAULT_APIS[forge]): string {
  const url = given !== undefined && URL.canParse(given) ? new URL(given) : undefined;
  const isPlain = url && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isPlain && /^https?:$/.test(url.protocol)) return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  const message = 'Must be an address such as https://codeberg.org/api/v1, without a user, a query or a fragment.';
  return refuseInput([{ path: 'api', message }]);
}
