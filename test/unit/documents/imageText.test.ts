import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { imageLinks } from '../../../src/documents/imageLinks';
import { type ImageMarkup, imageText, standsAlone } from '../../../src/documents/insertion';
import type { Syntax } from '../../../src/documents/syntax';

/** Which texts each language supports, and a document around the new image. */
const languages: Readonly<
  Record<Syntax, { readonly keeps: readonly (keyof ImageMarkup)[]; readonly around: readonly [string, string] }>
> = {
  markdown: { keeps: ['alt', 'title'], around: ['Some words ', ' and more.\n\n- a list\n'] },
  mdx: { keeps: ['alt', 'title'], around: ["import A from './a'\n\n# Title\n\nSome words ", ' <b>and</b> more.\n'] },
  html: { keeps: ['alt', 'title', 'width', 'height'], around: ['<!doctype html>\n<p>Words ', '</p>\n'] },
  jsx: { keeps: ['alt', 'title', 'width', 'height'], around: ['const a = <p>It is ', " isn't it</p>;\n"] },
  vue: { keeps: ['alt', 'title', 'width', 'height'], around: ['<template><p>{{ a < b }} ', '</p></template>\n'] },
  svelte: { keeps: ['alt', 'title', 'width', 'height'], around: ["<p>{a < b ? 'x' : `y`} ", '</p>{#if a}b{/if}\n'] },
  astro: {
    keeps: ['alt', 'title', 'width', 'height'],
    around: ['---\nlet a;\n---\n<p>{a < b} ', '</p>{c && <b>d</b>}\n'],
  },
  css: { keeps: [], around: ['a { background: ', ' no-repeat; }\n'] },
  scss: { keeps: [], around: ['// a "comment\na { b { background: ', '; } }\n'] },
  latex: { keeps: ['alt'], around: ['\\begin{document}\nWords ', ' 50\\% % more\n\\end{document}\n'] },
  typst: { keeps: ['alt'], around: ['= Title\nWords ', ' *more* `code` // comment\n'] },
  restructuredtext: { keeps: ['alt', 'width', 'height'], around: ['Title\n=====\n\n', '\n\nWords::\n\n  code\n'] },
  asciidoc: { keeps: ['alt', 'title', 'width', 'height'], around: ['= Title\n\nWords.\n\n', '\n\n----\ncode\n----\n'] },
};

/** What has a meaning in one of the languages, between ordinary words. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '"',
          "'",
          '`',
          '``',
          '\\',
          '\\\\',
          '[',
          ']',
          '](',
          '(',
          ')',
          '{',
          '}',
          '{{',
          '${',
          '<',
          '>',
          '<!--',
          '-->',
          '/>',
        ],
        ...[
          '&',
          '&amp;',
          '&#34;',
          '%',
          '%41',
          '#',
          '?',
          '*',
          '**',
          '_',
          '~',
          '~~',
          '^',
          '$',
          '|',
          '!',
          '![',
          ':',
          '::',
          ';',
        ],
        ...['--', '---', "''", '..', ',', '=', '+', '++', '//', '/*', '*/', '@', 'width=3', '\n', '\n\n', '\t', '  '],
        ...[
          '```',
          '<script>',
          '</script>',
          '\\end{document}',
          '{/*',
          'image:',
          ':alt:',
          '\u2028',
          '\u00a0',
          '\u202e',
          'é',
          '赤い狐',
          '🦊',
        ],
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.constantFrom('A red fox', 'x', '1', ' '),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''));

const said = hostile.map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim());
/** Names of files and folders that systems allow. */
const segment = hostile
  .map((text) => text.replace(/[/\p{Cc}\u2028\u2029]/gu, '').trim())
  .filter((text) => text !== '' && text !== '.' && text !== '..');
const path = fc
  .tuple(fc.constantFrom('', '../', '/', './'), fc.array(segment, { maxLength: 2 }), segment)
  .map(([start, folders, name]) => `${start}${[...folders, name].join('/')}.png`);
const side = fc.option(fc.integer({ min: 1, max: 9999 }), { nil: undefined });

const imageParts: fc.Arbitrary<ImageMarkup> = fc.record({
  path,
  alt: said,
  title: fc.option(said, { nil: undefined }),
  width: side,
  height: side,
});

/** The path as any reader resolves it, with backslashes as browsers read them where it's an address. */
function asRead(syntax: Syntax, written: string): string {
  const namesFile = syntax === 'latex' || syntax === 'restructuredtext';
  const path = namesFile ? written : written.replaceAll('\\', '/');
  return path.replace(/^\.\//, '');
}

suite('The markup of a new image', () => {
  for (const [name, { keeps, around }] of Object.entries(languages)) {
    const syntax = name as Syntax;
    test(`in ${name} keeps its text, whatever that contains`, () => {
      fc.assert(
        fc.property(imageParts, (parts) => {
          const text = imageText(syntax, parts);
          const [before, after] = around;
          const links = imageLinks(before + text + after, syntax).filter(({ kind }) => kind !== 'import');
          assert.equal(links.length, 1, text);
          const [link] = links;
          assert.equal(asRead(syntax, link!.path), asRead(syntax, parts.path), text);
          if (keeps.includes('alt')) assert.equal(link!.alt?.text ?? '', parts.alt, text);
          if (keeps.includes('title')) assert.equal(link!.title?.text ?? '', parts.title ?? '', text);
          if (keeps.includes('width')) assert.equal(link!.width, parts.width);
          if (keeps.includes('height')) assert.equal(link!.height, parts.height);
          assert.deepEqual(
            link!.element,
            syntax === 'css' || syntax === 'scss' || !text.includes('\n') || standsAlone(syntax)
              ? { start: before.length, end: before.length + text.length }
              : link!.element,
            text,
          );
        }),
        { numRuns: 400 },
      );
    });
  }
});
