import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { visibleLabel } from '../hidden-characters.ts';

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1{line-height:1.2}h2{margin-top:2rem;border-bottom:1px solid #8888;font-size:1.2rem}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #8888;padding:.3rem .5rem;text-align:left;vertical-align:top}
th{white-space:nowrap}code{font-size:.9em}pre{white-space:pre-wrap;border:1px solid #8888;padding:.5rem}
@media print{body{margin:0;max-width:none;font-size:11pt}h2{break-after:avoid}tr,li,pre{break-inside:avoid}}
@media (max-width:600px){table,thead,tbody,tr,th,td{display:block}thead{display:none}td{border-width:0 0 1px}}`;

/**
 * A report as an HTML page: a single file without scripts that loads nothing. HTML in the Markdown is escaped, and the
 * report has no links.
 * @param markdown the text that `reportMarkdown` made
 */
export function reportPage(title: string, markdown: string): string {
  const body = micromark(markdown, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}
</style>
</head>
<body>
${body}
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => visibleLabel(text, 200).replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
