import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Serious and critical findings of axe-core on the current page: rule, severity and element. */
export async function seriousIssues(page: Page): Promise<readonly string[]> {
  // Injected through the browser's protocol, because the content security policy would refuse a script element.
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) =>
      impact + ' ' + id + ': ' + html.slice(0, 200) + ' ' + failureSummary.replace(/\\s+/g, ' ').slice(0, 300))))`);
}
