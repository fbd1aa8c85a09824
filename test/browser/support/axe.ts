import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Returns impact, rule and element of each serious or critical violation that axe-core finds on the current page. */
export async function seriousIssues(page: Page): Promise<readonly string[]> {
  // Evaluates the script in the page, because the content security policy forbids a script element.
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) =>
      impact + ' ' + id + ': ' + html.slice(0, 200) + ' ' + failureSummary.replace(/\\s+/g, ' ').slice(0, 300))))`);
}
