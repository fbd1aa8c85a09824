import type { OwnerInput } from '@parley/core/client';
import { CHOSEN_ID } from '@parley/core/text';
import {
  ABOUT_DOCUMENT,
  allSections,
  blocksIn,
  ID_ALONE,
  inlineText,
  isSection,
  type ListItem,
  meaningOf,
  NO_TITLE,
  type Node,
  OBJECTIVE_PREFIX,
  OBJECTIVES,
  REQUIREMENT_PREFIX,
  type Section,
  sectionsIn,
  sectionsOf,
  TITLE_PREFIX,
  textOf,
  WITH_ID,
} from './sections.ts';

/** The kinds of specifications that a session can name as its source. */
export type SourceKind = NonNullable<OwnerInput<'createSession'>['source']>['kind'];

interface DraftRequirement {
  readonly requirement_id: string;
  readonly text: string;
  readonly acceptance_criteria?: string[];
}

/** The members of a new session that a specification gives. A member that it does not give is absent. */
interface Draft {
  readonly title?: string;
  readonly objective?: string;
  readonly guardrails?: readonly string[];
  readonly requirements?: readonly DraftRequirement[];
}

/** A requirement as it was found: the id only if the source gives one. */
interface FoundRequirement {
  readonly id?: string | undefined;
  readonly text: string;
  readonly criteria: readonly string[];
}

/** The limit of createSession on the criteria of a requirement. */
const MAX_CRITERIA = 20;

/**
 * The requirements with their ids. An id of the source is kept if it is valid and no requirement before it has it; the
 * others get `req-1`, `req-2` and so on. A requirement with more criteria than a session takes becomes several with the
 * same text.
 */
function numbered(found: readonly FoundRequirement[]): DraftRequirement[] {
  const taken = new Set<string>();
  const own = found.map(({ id }) => {
    const isKept = id !== undefined && CHOSEN_ID.test(id) && !taken.has(id);
    if (isKept) taken.add(id);
    return isKept ? id : undefined;
  });
  let count = 0;
  const next = (): string => {
    count += 1;
    const id = `req-${count}`;
    if (taken.has(id)) return next();
    taken.add(id);
    return id;
  };
  return found.flatMap(({ text, criteria }, index) =>
    chunksOf(criteria).map((chunk, part) => ({
      requirement_id: (part === 0 ? own[index] : undefined) ?? next(),
      text,
      ...(chunk.length > 0 ? { acceptance_criteria: chunk } : {}),
    })),
  );
}

function chunksOf(criteria: readonly string[]): string[][] {
  const chunks: string[][] = [criteria.slice(0, MAX_CRITERIA)];
  for (let from = MAX_CRITERIA; from < criteria.length; from += MAX_CRITERIA)
    chunks.push(criteria.slice(from, from + MAX_CRITERIA));
  return chunks;
}

/** A document of a specification, parsed. `used` has the sections of which something was taken. */
interface Document {
  readonly path: string;
  readonly source: string;
  readonly root: Section;
  readonly used: Set<Section>;
}

/** The name in the first heading. Undefined if there is none, or if it only names the kind of the document. */
function titleIn({ root }: Document): string | undefined {
  const first = sectionsIn(root).find(({ depth }) => depth === 1);
  if (!first) return undefined;
  const title = first.heading.replace(TITLE_PREFIX, '').trim();
  return title === '' || NO_TITLE.test(first.heading) || NO_TITLE.test(title) ? undefined : title;
}

/** What the specification is for: the first section with such a heading, else what stands above all sections. */
function objectiveIn(document: Document): string | undefined {
  const { root, source, used } = document;
  const sections = allSections(root);
  for (const pattern of OBJECTIVES)
    for (const section of sections.filter(({ heading }) => pattern.test(heading))) {
      const text = textOf(blocksIn(section), source);
      if (text === '') continue;
      used.add(section);
      return text.replace(OBJECTIVE_PREFIX, '');
    }
  const above = sections.filter(({ depth }) => depth <= 1).find((section) => aboveText(section, source) !== '');
  if (!above) return undefined;
  used.add(above);
  return aboveText(above, source);
}

const isObjective = ({ heading }: { readonly heading: string }): boolean =>
  OBJECTIVES.some((pattern) => pattern.test(heading));

/** The text before the first list: a list may be the requirements. */
function aboveText(section: Section, source: string): string {
  const blocks = blocksIn(section);
  const list = blocks.findIndex(({ type }) => type === 'list');
  return textOf(list === -1 ? blocks : blocks.slice(0, list), source);
}

/** What must not happen, and what is not part of the work, each with its heading. */
function guardrailsIn(document: Document): string[] {
  const { root, source, used } = document;
  const below = (section: Section): string[] => {
    if (section.heading !== '' && meaningOf(section.heading) === 'other') return [];
    if (meaningOf(section.heading) !== 'guardrail') return sectionsIn(section).flatMap(below);
    const named = allSections(section).filter(({ heading }) => meaningOf(heading) !== 'other');
    return named.flatMap((part) => {
      const texts = itemsOrBlocks(part, source).filter((text) => !NOTHING.test(text));
      if (texts.length > 0) used.add(part);
      return texts.map((text) => `${part.heading}: ${text}`);
    });
  };
  return below(root);
}

const NOTHING = /^(?:n\/?a|none|nothing|-)\.?$/i;

/** The items of the lists of a section; of a section without lists its paragraphs. */
function itemsOrBlocks(section: Section, source: string): string[] {
  const blocks = blocksIn(section);
  const items = blocks.flatMap((block) => itemsOf(block));
  const texts =
    items.length > 0
      ? items.map(({ children }) => textOf(children, source))
      : blocks.map((block) => textOf([block], source));
  return texts.filter(Boolean);
}

/** The items of a list. An item that is only another list, such as in `1. - [ ] …`, counts as the items of that list. */
function itemsOf(node: Node): ListItem[] {
  if (node.type !== 'list') return [];
  return node.children.flatMap((item) => {
    const [only, ...others] = item.children;
    return only?.type === 'list' && others.length === 0 ? itemsOf(only) : item;
  });
}

/**
 * The requirements of a document, in the order of the source. Lists of work, such as `Tasks` or `Scope`, count only in a
 * document without requirements by name.
 */
function requirementsIn(document: Document): FoundRequirement[] {
  const headings = allSections(document.root).map(({ heading }) => heading);
  const isNamed = headings.some((heading) => ['requirement', 'list'].includes(meaningOf(heading) ?? ''));
  return walk(document, document.root, { ...EMPTY, isWork: !isNamed });
}

interface Place {
  /** Whether each item of a list is a requirement. */
  readonly isList: boolean;
  /** Whether lists of work are requirements too. */
  readonly isWork: boolean;
  /** The heading `REMOVED Requirements` of OpenSpec, if the section stands below it. */
  readonly removed: string | undefined;
}

const EMPTY: Place = { isList: false, isWork: false, removed: undefined };

function walk(document: Document, section: Section, place: Place): FoundRequirement[] {
  const meaning = meaningOf(section.heading);
  const id = idOf(section.heading);
  if (meaning === 'other' || meaning === 'guardrail') return [];
  if (meaning === 'requirement' || id.id !== undefined) return requirementOf(document, section, { ...id, place });
  const inner: Place = {
    ...place,
    isList:
      meaning === 'list' ||
      (meaning === 'work' && place.isWork) ||
      (place.isList && meaning === undefined && !isObjective(section)),
    removed: /^(?:removed|renamed) requirements/i.test(section.heading) ? section.heading : place.removed,
  };
  const own = meaning === 'criteria' ? [] : listed(document, section, inner);
  const criteria = meaning === 'criteria' ? criteriaOfAll(document, section) : [];
  return [...own, ...criteria, ...sectionsIn(section).flatMap((part) => walk(document, part, inner))];
}

/** The requirements in the lists and tables of a section: those with an id and, where `isList`, all others. */
function listed(document: Document, section: Section, { isList, removed }: Place): FoundRequirement[] {
  const { source, used } = document;
  const blocks = blocksIn(section);
  const entries = blocks.flatMap((block) => entriesOf(block, source)).filter(({ id }) => isList || id !== undefined);
  const isText = isList && entries.length === 0 && sectionsIn(section).length === 0;
  const texts = isText
    ? blocks.map((block) => ({ text: textOf([block], source) })).filter(({ text }) => text)
    : entries;
  if (texts.length > 0) used.add(section);
  return texts.map(({ text, ...rest }) => ({ ...rest, text: removed ? `${removed}\n${text}` : text, criteria: [] }));
}

interface Entry {
  readonly id?: string | undefined;
  readonly text: string;
}

function entriesOf(block: Node, source: string): Entry[] {
  if (block.type === 'table')
    return block.children.slice(1).flatMap(({ children: [first, ...others] }) => {
      const [, id] = ID_ALONE.exec(inlineText(first?.children ?? [], source)) ?? [];
      const cells = others.map(({ children }) => inlineText(children, source)).filter(Boolean);
      return id !== undefined && cells.length > 0 ? [{ id, text: cells.join('\n') }] : [];
    });
  return itemsOf(block)
    .map((item) => entryOf(item, source))
    .filter(({ text }) => text !== '');
}

/** An id counts if a sign follows it, or if it stands in bold type. */
function entryOf({ children }: ListItem, source: string): Entry {
  const [first] = children;
  const text = textOf(children, source);
  const [bold] = first?.type === 'paragraph' ? first.children : [];
  const [, id] = (bold?.type === 'strong' && ID_ALONE.exec(inlineText([bold], source))) || [];
  if (id === undefined) return idOf(text);
  const rest = text.replace(/^\[?[^\s:\]]+\]?\s*(?:\([^)]{1,40}\))?\s*[:.–—-]?\s*/, '');
  return rest === '' ? { text } : { id, text: rest };
}

function idOf(text: string): Entry {
  const match = WITH_ID.exec(text);
  const id = match?.[1] ?? match?.[2];
  return match && id !== undefined ? { id, text: text.slice(match[0].length) } : { text };
}

/** A section that is one requirement: its heading and text, and the criteria below it. */
function requirementOf(
  document: Document,
  section: Section,
  { id, text: name, place }: Entry & { readonly place: Place },
): FoundRequirement[] {
  const { source, used } = document;
  const criteria: string[] = [];
  const others: FoundRequirement[] = [];
  const texts = (part: Section): string[] => {
    used.add(part);
    return part.parts.flatMap((one) => {
      if (!isSection(one)) return textOf([one], source);
      const meaning = idOf(one.heading).id === undefined ? meaningOf(one.heading) : 'requirement';
      if (meaning === 'criteria' || meaning === 'scenario') criteria.push(...criteriaIn(document, one));
      else if (meaning === 'requirement' || meaning === 'list') others.push(...walk(document, one, EMPTY));
      else if (meaning === 'other' || meaning === 'guardrail') return [];
      else {
        const [first = '', ...rest] = texts(one);
        return first === '' && rest.length === 0 ? [one.heading] : [`${one.heading}: ${first}`, ...rest];
      }
      return [];
    });
  };
  const body = texts(section).filter(Boolean);
  const heading = name.replace(REQUIREMENT_PREFIX, '').trim();
  const text = [place.removed, heading, ...body].filter(Boolean).join('\n');
  return [{ id, text, criteria }, ...others];
}

/** The criteria of a section: a scenario is one, of another section each item or, without lists, each paragraph. */
function criteriaIn(document: Document, section: Section): string[] {
  const { source, used } = document;
  used.add(section);
  const inner = sectionsIn(section);
  if (meaningOf(section.heading) !== 'scenario')
    return [...itemsOrBlocks(section, source), ...inner.flatMap((part) => criteriaIn(document, part))];
  const name = section.heading.replace(/^scenario\s*:?\s*/i, '');
  const body = textOf(blocksIn(section), source);
  const texts = inner.flatMap((part) => [part.heading, ...criteriaIn(document, part)]);
  return [[name, body, ...texts].filter(Boolean).join('\n')];
}

/**
 * Criteria that belong to no requirement: those with an id are requirements. The others are the criteria of the user
 * story or, without a story, of the whole, whose title is put in the place of an empty text.
 */
function criteriaOfAll(document: Document, section: Section): FoundRequirement[] {
  const { source, root, used } = document;
  const entries = blocksIn(section).flatMap((block) => entriesOf(block, source));
  if (entries.some(({ id }) => id !== undefined)) return listed(document, section, { ...EMPTY, isList: true });
  const criteria = itemsOrBlocks(section, source);
  if (criteria.length === 0) return [];
  const story = outsideRequirements(root).find(({ heading }) => meaningOf(heading) === 'story');
  used.add(section);
  if (story) used.add(story);
  return [{ text: story ? textOf(blocksIn(story), source) : '', criteria }];
}

const outsideRequirements = (section: Section): Section[] =>
  meaningOf(section.heading) === 'requirement' ? [] : [section, ...sectionsIn(section).flatMap(outsideRequirements)];

/** All items of lists, if nothing else is a requirement: those with a box to check or, if no item has one, all. */
function anyItemsIn(document: Document): FoundRequirement[] {
  const { root, source, used } = document;
  const free = (section: Section): Section[] =>
    ['other', 'guardrail'].includes(meaningOf(section.heading) ?? '')
      ? []
      : [section, ...sectionsIn(section).flatMap(free)];
  const found = free(root).flatMap((section) =>
    blocksIn(section).flatMap((block) => itemsOf(block).map((item) => ({ section, item }))),
  );
  const boxes = found.filter(({ item }) => typeof item.checked === 'boolean');
  const others = found.filter(({ section }) => !isObjective(section));
  return (boxes.length > 0 ? boxes : others).flatMap(({ section, item }) => {
    const entry = entryOf(item, source);
    if (entry.text === '') return [];
    used.add(section);
    return [{ ...entry, criteria: [] }];
  });
}

/** The headings of the sections with a text of which nothing was taken. */
const leftIn = ({ root, source, used }: Document): string[] =>
  allSections(root)
    .filter((section) => !used.has(section) && !ABOUT_DOCUMENT.test(section.heading))
    .filter((section) => textOf(blocksIn(section), source) !== '')
    .map(({ heading }) => heading || 'the text above the first heading');

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

interface Taken {
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
  const documents = files.map(({ path, text }) => ({
    ...{ path, source: text, root: sectionsOf(text), used: new Set<Section>() },
    use: useOf(kind, path),
  }));
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
