import { encodedPath } from './address';
import { quotedText } from './asciidoc';
import { attributeText } from './entities';
import * as latex from './latexText';
import * as markdown from './markdownText';
import * as rst from './restructuredText';
import type { Syntax } from './syntax';
import * as typst from './typst';

/** The parts of a new image's markup. */
export interface ImageParts {
  /** As `linkPath` gives it: relative to the document, or from a site's root. Not encoded. */
  readonly path: string;
  readonly alt: string;
  readonly title?: string;
  /** In pixels. */
  readonly width?: number;
  /** In pixels. */
  readonly height?: number;
}

/** Languages in which an image needs lines to itself. */
const ownLine: ReadonlySet<Syntax> = new Set(['restructuredtext', 'asciidoc']);

/** Whether the result of `imageText` must start and end a line. */
export function standsAlone(syntax: Syntax): boolean {
  return ownLine.has(syntax);
}

/**
 * The markup that shows an image in a document. Every text displays literally, whatever it contains; its white space
 * becomes single spaces. Omits texts that the language has no syntax for. Line breaks are `\n`.
 */
export function imageText(syntax: Syntax, parts: ImageParts): string {
  const said = {
    ...parts,
    alt: oneLine(parts.alt),
    title: parts.title === undefined ? undefined : oneLine(parts.title),
  };
  switch (syntax) {
    case 'markdown':
    case 'mdx':
      return markdownImage(said);
    case 'html':
    case 'vue':
    case 'svelte':
    case 'astro':
      return tag(said, '>', (number) => `"${number}"`);
    case 'jsx':
      return tag(said, ' />', (number) => `{${number}}`);
    case 'css':
    case 'scss':
      return `url("${encodedPath(parts.path)}")`;
    case 'latex':
      return latexImage(said);
    case 'typst':
      return typstImage(said);
    case 'restructuredtext':
      return directive(said);
    case 'asciidoc':
      return macro(said);
  }
}

function markdownImage({ path, alt, title }: ImageParts): string {
  return `![${markdown.escapedText(alt)}](${encodedPath(path)}${title ? ` ${markdown.quotedTitle(title)}` : ''})`;
}

function tag(
  { path, alt, title, width, height }: ImageParts,
  close: string,
  number: (value: number) => string,
): string {
  const attributes = [
    `src="${encodedPath(path)}"`,
    `alt="${attributeText(alt)}"`,
    ...(title ? [`title="${attributeText(title)}"`] : []),
    ...(width === undefined ? [] : [`width=${number(width)}`]),
    ...(height === undefined ? [] : [`height=${number(height)}`]),
  ];
  return `<img ${attributes.join(' ')}${close}`;
}

function latexImage({ path, alt }: ImageParts): string {
  const words = alt === '' ? '' : `,alt={${latex.escapedText(alt)}}`;
  return `\\includegraphics[width=\\linewidth${words}]{${latex.escapedPath(path)}}`;
}

function typstImage({ path, alt }: ImageParts): string {
  const words = alt === '' ? '' : `, alt: "${typst.stringText(alt)}"`;
  return `#image("${typst.stringText(path)}"${words})`;
}

function directive({ path, alt, width, height }: ImageParts): string {
  return [
    `.. image:: ${rst.escapedPath(path)}`,
    ...(alt === '' ? [] : [`   :alt: ${rst.escapedText(alt)}`]),
    ...(width === undefined ? [] : [`   :width: ${width}px`]),
    ...(height === undefined ? [] : [`   :height: ${height}px`]),
  ].join('\n');
}

function macro({ path, alt, title, width, height }: ImageParts): string {
  const size =
    width === undefined && height === undefined ? '' : `,${width ?? ''}${height === undefined ? '' : `,${height}`}`;
  const named = title ? `,title=${quotedText(title)}` : '';
  return `image::${macroPath(path)}[${quotedText(alt)}${size}${named}]`;
}

/** Asciidoctor accepts spaces as they are, and requires them for printed documents. */
function macroPath(path: string): string {
  return encodedPath(path).replace(/(?<!^)%20(?!$)/g, ' ');
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
