import { encodedPath } from './address';
import { quotedText } from './asciidoc';
import { attributeText } from './entities';
import * as latex from './latexText';
import * as markdown from './markdownText';
import * as rst from './restructuredText';
import type { Syntax } from './syntax';

/** The texts of a new image. */
export interface ImageParts {
  /** As `linkPath` gives it: relative to the document, or from the root of a site. Not encoded. */
  readonly path: string;
  readonly alt: string;
  readonly title?: string;
  /** In pixels. */
  readonly width?: number;
  /** In pixels. */
  readonly height?: number;
}

/** Languages in which an image has its lines for itself. */
const ownLine: ReadonlySet<Syntax> = new Set(['restructuredtext', 'asciidoc']);

/** True when what `imageText` gives must begin a line, and end one. */
export function standsAlone(syntax: Syntax): boolean {
  return ownLine.has(syntax);
}

/**
 * The text that shows an image in a document. Every text is shown as it is, whatever it holds; white space in it
 * becomes single spaces. Texts that a language has no place for are left out. Lines are ended by a plain newline.
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
      return tag(said, '>', (number) => `"${number}"`);
    case 'jsx':
      return tag(said, ' />', (number) => `{${number}}`);
    case 'css':
    case 'scss':
      return `url("${encodedPath(parts.path)}")`;
    case 'latex':
      return latexImage(said);
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

/** Asciidoctor takes spaces as they are, and for a printed document needs them so. */
function macroPath(path: string): string {
  return encodedPath(path).replace(/(?<!^)%20(?!$)/g, ' ');
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
