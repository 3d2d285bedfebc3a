import type { Encoding } from './encoding.ts';
import type { Format } from './extraction.ts';

/** The kind of a text: by the name's ending where that says something, else by how it begins. */
export function formatOf(name: string, head: Uint8Array, encoding: Encoding): Format {
  const base = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  if (base.startsWith('.env') || base.endsWith('.env')) return 'env';
  const format = byEnding.get(base.slice(base.lastIndexOf('.') + 1));
  if (format === undefined) return sniff(opening(head, encoding));
  return format === 'eml' && !HEADER_LINE.test(opening(head, encoding)) ? 'text' : format;
}

const endings: Readonly<Record<Exclude<Format, 'text' | 'env'>, string>> = {
  csv: 'csv',
  tsv: 'tsv tab',
  json: 'json geojson har ipynb webmanifest',
  ndjson: 'ndjson jsonl',
  xml: 'xml svg xsd xsl xslt rss atom plist wsdl kml gpx',
  html: 'html htm xhtml',
  markdown: 'md markdown mdx',
  log: 'log',
  ini: 'ini cfg conf cnf properties toml editorconfig',
  yaml: 'yaml yml',
  eml: 'eml',
  code:
    'ts tsx mts cts js jsx mjs cjs py rb go rs java kt kts scala groovy gradle c h cc cpp cxx hpp cs fs vb swift m mm ' +
    'php pl pm lua r jl ex exs erl clj hs ml dart sh bash zsh fish ps1 psm1 bat cmd sql tf tfvars hcl css scss less ' +
    'vue svelte proto graphql gql dockerfile makefile cmake sol zig nim',
};

const byEnding = new Map<string, Format>();
for (const [format, list] of Object.entries(endings)) {
  for (const ending of list.split(' ')) byEnding.set(ending, format as Format);
}

const HEADER_LINE = /^(From .*\r?\n)?[!-9;-~]+:/;
const JSON_START = /^\s*(\{\s*["}]|\[\s*([[{"\]]|(-?\d[\d.eE+-]*|true|false|null)\s*[,\]]))/;
const MAIL_NAMES = /^(from|to|cc|subject|date|message-id|mime-version|received|return-path|delivered-to):/gim;

function sniff(text: string): Format {
  if (JSON_START.test(text)) return /^\s*\{.*\}\s*\n\s*\{/.test(text) ? 'ndjson' : 'json';
  if (/^\s*<\?xml/i.test(text)) return /<!doctype html|<html/i.test(text) ? 'html' : 'xml';
  if (/^\s*<(!doctype html|html)/i.test(text)) return 'html';
  if (looksLikeMail(text)) return 'eml';
  return 'text';
}

/** It begins with a header line, and three of the usual ones stand before the first empty line. */
function looksLikeMail(text: string): boolean {
  if (!/^[A-Za-z][\w-]*:/.test(text)) return false;
  const [headers = ''] = text.split(/\r?\n\r?\n/, 1);
  const names = new Set(Array.from(headers.matchAll(MAIL_NAMES), ([, found]) => found!.toLowerCase()));
  return names.size >= 3;
}

/** The first characters, whatever their width: enough to see ASCII in its place. */
function opening(head: Uint8Array, { width, little, mark }: Encoding): string {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, mark + 2048 * width));
  if (width === 1) return bytes.toString('latin1', mark);
  const low = little ? 0 : width - 1;
  let text = '';
  for (let i = mark; i + width <= bytes.length; i += width) text += String.fromCharCode(bytes[i + low]!);
  return text;
}
