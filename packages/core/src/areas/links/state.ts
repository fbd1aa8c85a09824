import type { z } from 'zod';
import type { Builder } from '../../kernel/roles.ts';
import type { EventOf, Slice } from '../catalog.ts';
import type { VerifyState } from '../verify/state.ts';
import type { LinkFields, StatusFields } from './events.ts';

type Fields<T extends z.ZodRawShape> = Readonly<z.output<z.ZodObject<T>>>;

/** The latest report about a commit status. */
export interface Report extends Fields<typeof StatusFields> {
  readonly at: string;
}

export interface Link extends Fields<typeof LinkFields> {
  /** Whether the owner has sent a token for exactly this repository. */
  readonly token_set: boolean;
  /** Of the declared commit the latest report of each context, and of earlier commits those that are not settled. */
  readonly reports: readonly Report[];
}

export type Links = Readonly<Partial<Record<Builder, Link>>>;

/** The repository to which a token belongs. A token is sent to no other. */
export const targetOf = ({ forge, api, repository }: Pick<Link, 'forge' | 'api' | 'repository'>): string =>
  `${forge} ${api} ${repository}`;

/** Whether a status that was reported for another commit than the declared one still has to be replaced by one without success. */
export const isUnsettled = ({ state, result }: Report): boolean =>
  state === 'success' ? result === 'posted' : result === 'delayed';

function reported(
  links: Links,
  { at, data: { role, ...status } }: EventOf<'status.reported'>,
  handshakes: VerifyState['handshakes'],
): Links {
  const link = links[role];
  if (!link) return links;
  const declared = handshakes[role]?.commit;
  const others = link.reports.filter(({ context, commit }) => context !== status.context || commit !== status.commit);
  const kept = [...others, { ...status, at }].filter((one) => one.commit === declared || isUnsettled(one));
  return { ...links, [role]: { ...link, reports: kept } };
}

export const linksSlice: Slice<Links, { readonly verify: VerifyState }> = {
  empty: {},
  folds: {
    'change.linked': (links, { data: { new_token, ...link } }) => {
      const before = links[link.role];
      const isSame = before !== undefined && targetOf(before) === targetOf(link);
      const token_set = new_token || (isSame && before.token_set);
      return { ...links, [link.role]: { ...link, token_set, reports: [] } };
    },
    'change.unlinked': (links, { data: { role } }) => {
      const { [role]: _, ...others } = links;
      return others;
    },
    'status.reported': (links, event, { verify }) => reported(links, event, verify.handshakes),
  },
};
