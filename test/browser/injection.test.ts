import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { playStory } from '../http/hostile/support/story.ts';
import { INJECTIONS, UNCLOSED } from './injections/injections.ts';
import { openPage } from './support/browser.ts';
import { goToTab, openEverything, openSession, signIn, TABS } from './support/console.ts';
import { listen } from './support/site.ts';
import { type Census, census, watchOver } from './support/watch.ts';

/** Steps of the played story. Every tab is opened after each of them. */
const MOMENTS = ['questions asked', 'schema broken', 'objections', 'ended'];
const TEXT_CHARS = 900;

/** Reverses the direction of text, then breaks the line twice. No page may contain U+202E unchanged. */
const REORDERS = '\u202e\n\n';

/**
 * Fills a text with injections, which differ by `index`. Every seventh text has a single injection, from `UNCLOSED`,
 * which would swallow the others.
 */
function injectionsFor(index: number): string {
  if (index % 7 === 6) return REORDERS + UNCLOSED[Math.trunc(index / 7) % UNCLOSED.length];
  let text = REORDERS;
  for (let next = index * 5; ; next += 1) {
    const longer = `${text}${INJECTIONS[next % INJECTIONS.length]}\n\n`;
    if (longer.length > TEXT_CHARS) return text;
    text = longer;
  }
}

interface Seen {
  readonly pages: ReadonlyMap<string, Census>;
  /** What a page did although it must not, such as a request to another host. Includes errors of the page. */
  readonly wrong: readonly string[];
}

async function lookAt(textAt: (index: number) => string): Promise<Seen> {
  const pages = new Map<string, Census>();
  const wrong: string[] = [];
  await playStory({
    textAt,
    names: 'plain',
    async look({ parley, sessionId }, moment) {
      if (!MOMENTS.includes(moment)) return;
      const site = await listen({ parley, ownerId: 'team' });
      const { page, errors } = await openPage({ viewport: { width: 1280, height: 4_000 } });
      const watch = await watchOver(page, site.url);
      await signIn(page, site.url);
      await openEverything(page);
      pages.set(`${moment}: inbox`, await census(page));
      await openSession(page, site.url, sessionId);
      for await (const view of allViews(page)) pages.set(`${moment}: ${view}`, await census(page));
      wrong.push(...watch.seen, ...errors, ...(await watch.look()));
      await site.die();
    },
  });
  return { pages, wrong };
}

/** Opens every tab, and in the tab Contract also every view and artifact. Yields the name of each opened place. */
async function* allViews(page: Page): AsyncGenerator<string> {
  for (const tab of TABS) {
    await goToTab(page, tab);
    await openEverything(page);
    yield tab;
    if (tab !== 'Contract') continue;
    for (const way of await page.getByRole('group', { name: 'Show as' }).getByRole('button').all()) {
      await way.click();
      await openEverything(page);
      yield `${tab} as ${await way.textContent()}`;
    }
    for (const artifact of await page.getByRole('row').getByRole('button').all()) {
      await artifact.click();
      await page.getByRole('dialog').waitFor();
      await openEverything(page);
      yield `${tab}, ${await artifact.textContent()}`;
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
  }
}

test('nothing that agents wrote becomes markup, runs, loads or leads anywhere', async () => {
  expect(new Set([...INJECTIONS, ...UNCLOSED]).size).toBeGreaterThanOrEqual(300);
  const plain = await lookAt((index) => `Plain words, number ${index}.`);
  const hostile = await lookAt(injectionsFor);

  expect(hostile.wrong).toEqual([]);
  const words = [...hostile.pages.values()].map(({ text }) => text).join('\n');
  const shown = [...INJECTIONS, ...UNCLOSED].filter((text) => words.includes(text));
  expect(shown.length).toBeGreaterThanOrEqual(300);
  expect([...hostile.pages.keys()].length).toBeGreaterThan(30);
  expect([...new Set([...hostile.pages.values()].flatMap(({ unreadable }) => unreadable))]).toEqual([]);
  for (const [place, { active, addresses, attributes }] of hostile.pages) {
    expect(active, place).toEqual(plain.pages.get(place)?.active);
    expect(
      addresses.filter((address) => !isOwn(address)),
      place,
    ).toEqual([]);
    expect(attributes, place).toEqual([]);
  }
  const known = new Set([...namesOn(plain), ...MARKDOWN_ELEMENTS]);
  expect(namesOn(hostile).filter((name) => !known.has(name))).toEqual([]);
});

const namesOn = ({ pages }: Seen): string[] => [...new Set([...pages.values()].flatMap(({ names }) => names))];

/** Matches the address of a page of the console, or of a place in a page, such as `#m-4`. */
const OWN =
  /^(?:\/owner\/[\w./-]*(?:\?(?:against=r_\d+|show=(?:read|changes)|idle=\d+&order=up))?(?:#(?:m-\d+|(?:section|part|authorize|scenario)-[\w.-]+|changes|report))?|#main|#m-\d+|#(?:section|part|scenario)-[\w.-]+)$/;
/** Matches the address of a script, a style or the icon of the console. */
const ASSET = /^(?:http:\/\/127\.0\.0\.1:\d+\/owner\/assets\/[\w.-]+|\.\/icon\.svg)$/;

/** The page of a group, whose name, which may be any text, is encoded. */
const GROUP = /^\/owner\/group\?name=[\w.*+%-]*$/;

const isOwn = (address: string): boolean =>
  GROUP.test(address) || ((OWN.test(address) || ASSET.test(address)) && !address.includes('evil'));

/** Elements that rendered Markdown may add to a page. */
const MARKDOWN_ELEMENTS =
  'p strong em del code pre br hr blockquote ul ol li table thead tbody tr th td h3 h4 h5 h6 div span'.split(' ');

test('what watches a page sees an element, an address, a script and a request that do not belong there', async () => {
  await playStory({
    textAt: () => 'Words.',
    names: 'plain',
    async look({ parley, sessionId }, moment) {
      if (moment !== 'first turn') return;
      const site = await listen({ parley, ownerId: 'team' });
      const { page } = await openPage();
      const watch = await watchOver(page, site.url);
      await signIn(page, site.url);
      await openSession(page, site.url, sessionId);
      const before = await census(page);
      await put(page, 'img', { src: 'https://evil.example/p.png' });
      await put(page, 'img', { src: '/owner/evil.png', style: 'background:url(/owner/evil.css)' });
      await page.evaluate('globalThis.injected = 1; void alert("x")');
      const after = await census(page);
      expect((after.active.img ?? 0) - (before.active.img ?? 0)).toBe(2);
      expect(after.attributes).toEqual(['style=background:url(/owner/evil.css)']);
      expect(after.addresses.filter((address) => !isOwn(address))).toEqual([
        '/owner/evil.png',
        'https://evil.example/p.png',
      ]);
      expect(await watch.look()).toEqual(
        expect.arrayContaining(['img-src https://evil.example/p.png', 'injected is a number']),
      );
      expect(watch.seen).toEqual(expect.arrayContaining(['dialog: x', `request: ${site.url}/owner/evil.png`]));
      await site.die();
    },
  });
});

const put = (page: Page, name: string, attributes: Readonly<Record<string, string>>): Promise<unknown> =>
  page.evaluate(
    `Object.entries(${JSON.stringify(attributes)}).reduce((element, [name, value]) => (element.setAttribute(name, value), element), document.body.appendChild(document.createElement(${JSON.stringify(name)}))).localName`,
  );
