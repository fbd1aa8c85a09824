import { z } from 'zod';
import { BuilderRole, NoInput, text } from '../fields.ts';
import { Forge, LinkFields } from '../links/events.ts';
import { LinksView, targetIn, viewLinks } from '../links/rules.ts';
import { targetOf } from '../links/state.ts';
import { defineOperation } from '../operation.ts';
import { BuilderInput } from './rules.ts';

/** Shows the links, and the commit statuses that Parley has posted. */
export const changeLinks = defineOperation({
  name: 'changeLinks',
  summary: 'Show the linked repositories, and the last commit status of each with what the forge answered.',
  access: { owner: true },
  input: NoInput,
  output: LinksView,

  reply: viewLinks,
});

const FORGE_NAMES = { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea' } as const;

/** Links the commits of a builder with a repository, to which Parley then posts commit statuses. */
export const linkChange = defineOperation({
  name: 'linkChange',
  summary: "Link an agent's commits with a repository or pull request, to which Parley posts commit statuses.",
  access: { owner: true },
  input: z.strictObject({
    role: BuilderRole,
    forge: Forge.describe('gitea also stands for Forgejo.'),
    api: text(300)
      .optional()
      .describe(
        'Address of the API; by default that of github.com or gitlab.com. Of Gitea: that of the host, with /api/v1.',
      ),
    repository: text(300).describe('owner/name; of GitLab the path of the project or its number.'),
    number: LinkFields.number
      .unwrap()
      .min(1)
      .max(999_999_999)
      .optional()
      .describe('Number of the pull or merge request.'),
    token: z
      .string()
      .regex(/^[\x21-\x7e]{8,500}$/, 'Must be 8 to 500 visible ASCII characters.')
      .optional()
      .describe('Token that may set commit statuses; never shown again. Left out: the present one stays.')
      .meta({ writeOnly: true }),
  }),
  output: LinksView,

  said({ input: { role, forge, repository }, answer: { links }, nameOf }) {
    const waits = links.find((link) => link.role === role)?.waits_for;
    const linked = `The commits of ${nameOf(role)} are linked with ${repository} on ${FORGE_NAMES[forge]}.`;
    return waits === undefined || waits === null ? linked : `${linked} No status is posted yet, for want of ${waits}.`;
  },

  decide({ links }, { token, number, ...given }) {
    const before = links[given.role];
    const link = { ...targetIn(given), ...(number === undefined ? {} : { number }) };
    const isSame = before && targetOf(before) === targetOf(link) && before.number === number;
    return isSame && token === undefined
      ? []
      : [{ kind: 'change.linked', data: { ...link, new_token: token !== undefined } }];
  },

  reply: viewLinks,
});

export const unlinkChange = defineOperation({
  name: 'unlinkChange',
  summary: 'Remove the link of an agent with a repository, and erase its token. Posted statuses stay.',
  access: { owner: true },
  worksAtLimit: true,
  input: BuilderInput,
  output: LinksView,

  said: ({ input: { role }, nameOf }) => `The commits of ${nameOf(role)} are linked with no repository any more.`,

  decide: ({ links }, { role }) => (links[role] ? [{ kind: 'change.unlinked', data: { role } }] : []),

  reply: viewLinks,
});
