import { describe, expect, test } from 'vitest';
import { findInTexts } from '../../src/areas/credentials/rules.ts';
import { createSigns, filledIn, type Signs } from './made-up.ts';
import { ORDINARY_TEXTS } from './ordinary-texts.ts';

const FORMS: readonly string[] = [
  'commit {x:40}\nAuthor: agent_a',
  'Merge {x:7}..{x:7}, tree {x:40}, parent {x:40}',
  'sha256:{x:64}',
  '{x:64}  dist/orders-{d:2}.{d:1}.tgz',
  'content_hash {x:64} of r_{d:2}',
  'id {x:8}-{x:4}-4{x:3}-a{x:3}-{x:12}',
  'request_id={x:8}-{x:4}-7{x:3}-9{x:3}-{x:12} answered {d:3}',
  'idempotency_key: {x:8}-{x:4}-7{x:3}-9{x:3}-{x:12}',
  'x-request-id: 01{U:24}',
  'order {a:22} in session {a:22}',
  'trace_id={x:32} span_id={x:16}',
  'traceparent: 00-{x:32}-{x:16}-01',
  'ETag: "{x:32}"',
  'ETag: W/"{a:27}"',
  '"integrity": "sha512-{s:86}=="',
  'integrity sha1-{s:27}=',
  'resolved https://registry.npmjs.org/pkg-{l:5}/-/pkg-{d:1}.{d:2}.{d:1}.tgz#{x:40}',
  'data:image/png;base64,{s:200}==',
  'body (Base64, 120 bytes): {s:160}',
  'attachment: {s:64}\n{s:64}\n{s:40}=',
  '-----BEGIN CERTIFICATE-----\nMII{s:61}\n{s:64}\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMII{s:61}\n{s:64}\n-----END PUBLIC KEY-----',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{s:43} agent@build',
  'at handle{l:6} (/app/dist/chunk-{U:8}.js:{d:3}:{d:2})',
  '    at Object.<anonymous> (/srv/{l:6}/node_modules/{l:7}/lib/{l:5}.js:{d:3}:{d:2})',
  'GET /orders/{a:22}?cursor={a:16}&limit=50 200 {d:2}ms',
  'POST /orders 201 {d:2}.{d:1}ms bytes={d:4} user_agent="curl/8.{d:1}.0"',
  '{"order_id":"{a:20}","count":{d:2},"etag":"{x:16}","at":"2026-01-05T09:0{d:1}:1{d:1}.{d:3}Z"}',
  'http_request_duration_seconds_bucket{le="0.{d:2}",pod="orders-{x:9}-{n:5}"} {d:6}',
  'pod/orders-{x:10}-{n:5} 1/1 Running',
  'image registry.internal/orders@sha256:{x:64}',
  "UPDATE stock SET count = {d:2} WHERE sku = '{U:3}-{d:4}' AND version = {d:3};",
  'nonce-{s:22}== and sha256-{s:43}=',
  'css .a{x:6}{color:#{x:6}}.b{n:5}{margin:{d:1}px}',
  'var a={l:1}.{l:1}({d:2}),{l:1}=function(e){return e.{l:4}[{d:1}]||{l:2}};',
  'index {x:7}..{x:7} 100644\n-  token: {l:7}\n+  token: {l:9}',
  'fe80::{x:4}:{x:4}:{x:4}:{x:4} from {d:2}.{d:2}.{d:1}.{d:1}:{d:5}',
  'boundary=----WebKitFormBoundary{a:16}',
  'Set-Cookie: lang=en; Expires=Mon, 05 Jan 2026 09:{d:2}:00 GMT; Path=/',
  'chunk-{U:8}.js {d:3}.{d:2} kB, vendor-{b:8}.js {d:3} kB',
  'arn:aws:s3:::orders-{d:12}/exports/{x:32}.parquet',
  'key orders/{d:4}/{d:2}/{x:32}.json ({d:5} bytes)',
  'password=**** token=[secret] request={x:16}',
  'cache key: tenant:{d:4}:orders:{x:12}',
  'kid={a:27}, x5t={b:27}, alg RS256',
];
const OF_EACH = 25;

function generated(signs: Signs): string[] {
  return FORMS.flatMap((form) => Array.from({ length: OF_EACH }, () => filledIn(form, signs)));
}

describe('ordinary texts', () => {
  const texts = [...ORDINARY_TEXTS, ...generated(createSigns(7))];
  const refused = (certainty: 'certain' | 'likely') =>
    texts.flatMap((text) => findInTexts([text], certainty).map(({ kind }) => `${kind}: ${text}`));

  test('are more than a thousand different texts', () => {
    expect(new Set(texts).size).toBeGreaterThan(1_000);
  });

  test('contain no text that is certainly a credential', () => {
    expect(refused('certain')).toEqual([]);
  });

  test('contain almost no text that is likely a credential', () => {
    const found = refused('likely');
    expect(found.length / texts.length, found.join('\n')).toBeLessThanOrEqual(0.01);
  });

  test('written by hand contain no such text', () => {
    expect(ORDINARY_TEXTS.filter((text) => findInTexts([text], 'likely').length > 0)).toEqual([]);
  });
});
