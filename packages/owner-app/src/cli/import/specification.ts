import { type Draft, type FoundRequirement, numbered, type SourceKind } from './draft.ts';
import {
  anyItemsIn,
  type Document,
  documentOf,
  guardrailsIn,
  leftIn,
  objectiveIn,
  requirementsIn,
  titleIn,
} from './take.ts';

export interface SpecFile {
  /** Relative to the folder of the specification, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface Specification {
  readonly kind: SourceKind;
  readonly files: readonly SpecFile[];
  /** The title if no heading gives one, such as the title of an issue or the name of a folder. */
  readonly name?: string | undefined;
}

export interface Taken {
  readonly draft: Draft;
  /** Parts of the source of which nothing was taken, such as `spec.md: "Edge Cases"`. */
  readonly left: readonly string[];
}

/** What is taken of a file. `whole` is all; of `limits` only the guardrails. */
type Use = 'whole' | 'requirements' | 'about' | 'limits' | 'fallback';

const USES: Readonly<Record<SourceKind, readonly (readonly [path: RegExp, use: Use])[]>> = {
  'spec-kit': [
    [/^spec\.md$/i, 'whole'],
    [/^plan\.md$/i, 'limits'],
  ],
  openspec: [
    [/^(?:specs\/.+\/)?spec\.md$/i, 'requirements'],
    [/^proposal\.md$/i, 'about'],
    [/^design\.md$/i, 'limits'],
    [/^tasks\.md$/i, 'fallback'],
  ],
  kiro: [
    [/^requirements\.md$/i, 'whole'],
    [/^design\.md$/i, 'limits'],
  ],
  issue: [[/./, 'whole']],
  markdown: [[/./, 'whole']],
};

/** Whether a file of a folder is read for this kind of specification. */
export const isRead = (kind: SourceKind, path: string): boolean => USES[kind].some(([form]) => form.test(path));

const useOf = (kind: SourceKind, path: string): Use | undefined => USES[kind].find(([form]) => form.test(path))?.[1];

/** Takes a session out of a specification. Nothing is added: each text is one of the source, without Markdown's marks. */
export function takeFrom({ kind, files, name }: Specification): Taken {
  const documents = files.map(({ path, text }) => ({ ...documentOf(path, text), use: useOf(kind, path) }));
  const used = (...uses: readonly Use[]): Document[] =>
    documents.filter(({ use }) => use !== undefined && uses.includes(use));
  const about = [...used('about'), ...used('whole', 'requirements')];
  const title = (kind === 'issue' ? name : undefined) ?? firstOf(about, titleIn) ?? name;
  const objective = firstOf(about, objectiveIn) ?? (kind === 'issue' ? title : undefined);
  const guardrails = documents.flatMap((document) => (document.use === 'fallback' ? [] : guardrailsIn(document)));
  const found = requirementsOf(used).map(({ text, ...rest }) => ({ ...rest, text: text || (title ?? '') }));
  const requirements = found.length === 0 && kind === 'issue' && title ? [{ text: title, criteria: [] }] : found;
  return {
    draft: {
      ...(title === undefined ? {} : { title }),
      ...(objective === undefined ? {} : { objective }),
      ...(guardrails.length === 0 ? {} : { guardrails }),
      ...(requirements.length === 0 ? {} : { requirements: numbered(requirements) }),
    },
    left: documents.flatMap((document) => leftText(document)),
  };
}

function requirementsOf(used: (...uses: readonly Use[]) => readonly Document[]): FoundRequirement[] {
  const attempts: readonly (() => FoundRequirement[])[] = [
    () => used('whole', 'requirements').flatMap(requirementsIn),
    () => used('about').flatMap(requirementsIn),
    () => used('fallback').flatMap(anyItemsIn),
    () => used('whole', 'about').flatMap(anyItemsIn),
  ];
  for (const attempt of attempts) {
    const found = attempt();
    if (found.length > 0) return found;
  }
  return [];
}

function firstOf<T>(documents: readonly Document[], read: (document: Document) => T | undefined): T | undefined {
  for (const document of documents) {
    const value = read(document);
    if (value !== undefined) return value;
  }
  return undefined;
}

function leftText(document: Document & { readonly use: Use | undefined }): string[] {
  if (document.use === 'limits' || document.use === 'fallback')
    return document.used.size === 0
      ? [document.path]
      : [`${document.path}: all but ${namesOf([...new Set([...document.used].map(({ heading }) => heading))])}`];
  const left = [...new Set(leftIn(document))];
  return left.length === 0 ? [] : [`${document.path}: ${namesOf(left)}`];
}

const namesOf = (headings: readonly string[]): string => headings.map((heading) => `"${heading}"`).join(', ');
