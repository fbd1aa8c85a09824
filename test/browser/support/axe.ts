import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Runs axe-core on the current page. Returns rule, severity and element of each serious or critical finding. */
export async function seriousIssues(page: Page): Promise<readonly string[]> {
  // Runs the script through the browser's protocol, because the content security policy forbids a script element.
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) =>
      impact + ' ' + id + ': ' + html.slice(0, 200) + ' ' + failureSummary.replace(/\\s+/g, ' ').slice(0, 300))))`);
}
