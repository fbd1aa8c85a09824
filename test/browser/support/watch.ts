import type { Page } from 'playwright-core';

/** Records what a page does although it must not. */
export interface Watch {
  /** Dialogs, other windows, downloads, uncaught errors, and requests outside `EXPECTED`. */
  readonly seen: string[];
  /** Returns violations of the content security policy, and whether a script has set `injected`. */
  look(): Promise<readonly string[]>;
}

const EXPECTED =
  /^\/owner\/(?:|new|audit|sessions(?:\/[\w-]+(?:\/[a-z]+(?:_\d+)?)?)?|icon\.svg|assets\/[\w.-]+|api\/overview|api\/inbox|api\/find|api\/me|api\/people|api\/accounts|api\/audit|api\/sign-in|api\/sessions(?:\/[\w-]+(?:\/[a-z-]+)?)?)$/;

/** Starts to watch the page. The page must not have loaded anything before. */
export async function watchOver(page: Page, url: string): Promise<Watch> {
  const seen: string[] = [];
  const { origin } = new URL(url);
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => seen.push(`window: ${popup.url()}`));
  page.on('download', (download) => seen.push(`download: ${download.url()}`));
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const asked = new URL(request.url());
    if (asked.origin !== origin || !EXPECTED.test(asked.pathname)) seen.push(`request: ${request.url()}`);
  });
  await page.addInitScript(
    "globalThis.refusals = []; addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => refusals.push(violatedDirective + ' ' + blockedURI));",
  );
  return {
    seen,
    async look() {
      const refusals: string[] = await page.evaluate('refusals');
      const marker: string = await page.evaluate('typeof injected');
      return [...refusals, ...(marker === 'undefined' ? [] : [`injected is a ${marker}`])];
    },
  };
}

export interface Census {
  readonly names: readonly string[];
  /**
   * Counts of elements that load something, run a script, open a frame, submit a form or change styles, by element
   * name.
   */
  readonly active: Readonly<Record<string, number>>;
  /** Targets of links, and all other addresses in the document. */
  readonly addresses: readonly string[];
  readonly text: string;
  /** Texts and attributes that contain characters which hide, reorder or control text. */
  readonly unreadable: readonly string[];
  /** Attributes of elements that could run code or load something: event handlers, and styles that contain a URL. */
  readonly attributes: readonly string[];
}

const CENSUS = String.raw`(() => {
  const all = [...document.querySelectorAll('*')];
  // The console adds links to its own files when it loads parts of itself, at times that differ between two visits.
  const of = (name) => document.querySelectorAll(name === 'link' ? 'link:not([href*="/owner/assets/"])' : name).length;
  const active = ['script','img','iframe','frame','object','embed','applet','form','link','style','base','meta','svg','math',
    'template','video','audio','source','track','picture','portal','area','map','marquee','noscript','textarea','select','input'];
  const written = all.flatMap((element) => [...element.attributes].map(({ name, value }) => ({ element, name: name.toLowerCase(), value })));
  const isAddress = ({ name }) => /^(?:href|src|srcset|action|formaction|data|poster|background|ping|cite|xlink:href|srcdoc|manifest)$/.test(name);
  const UNSAFE = /[^\P{Cc}\t\n]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/u;
  const place = (element) => [element.parentElement, element].map(({ localName, className, id }) => localName + '.' + (className || id)).join(' > ');
  function* texts() {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (UNSAFE.test(walker.currentNode.data)) yield place(walker.currentNode.parentElement) + ': ' + JSON.stringify(walker.currentNode.data.slice(0, 100));
  }
  return {
    names: [...new Set(all.map(({ localName, namespaceURI }) => namespaceURI === 'http://www.w3.org/1999/xhtml' ? localName : namespaceURI + localName))].sort(),
    active: Object.fromEntries(active.map((name) => [name, of(name)])),
    text: document.body.textContent,
    unreadable: [...texts(), ...written.filter(({ value }) => UNSAFE.test(value)).map(({ element, name, value }) => place(element) + ' ' + name + '=' + value)],
    addresses: [...new Set(written.filter(isAddress).map(({ value }) => value))].sort(),
    attributes: written.filter(({ name, value }) => name.startsWith('on') || (name === 'style' && /url|expression|image-set/i.test(value))).map(({ name, value }) => name + '=' + value),
  };
})()`;

export const census = (page: Page): Promise<Census> => page.evaluate(CENSUS);
