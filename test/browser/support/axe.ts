import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Serious and critical findings of axe-core on what is shown now: the rule, how bad, and the element. */
export async function seriousIssues(page: Page): Promise<readonly string[]> {
  // The protocol of the browser is not bound by the content security policy, a script element would be.
  await page.evaluate(axe.source);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, nodes }) => nodes.map(({ html, failureSummary }) =>
      impact + ' ' + id + ': ' + html.slice(0, 200) + ' ' + failureSummary.replace(/\\s+/g, ' ').slice(0, 300))))`);
}
