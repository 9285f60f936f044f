import { imageLink, type ImageLink } from './imageLink';
import { stringDecoded } from './literals';
import { Script, type FileImport } from './script';
import { sliceOf } from './span';
import type { Syntax } from './syntax';
import type { Tag } from './tag';
import { attribute, sizeOf, tagLinks, wordsOf } from './tagLinks';

/** The images of a script: those of its tags, and those it imports. */
export function scriptLinks(text: string, syntax: Syntax): ImageLink[] {
  const script = new Script(text).read();
  return linksOf(text, script, syntax);
}

/** The images of a script that is read. What a tag says about an image it imports is said about the import. */
export function linksOf(
  text: string,
  { tags, imports }: Pick<Script, 'tags' | 'imports'>,
  syntax: Syntax,
): ImageLink[] {
  const shownBy = new Map(tags.map((tag) => [sourceName(text, tag), tag] as const).reverse());
  return [
    ...tags.flatMap((tag) => tagLinks(text, tag, syntax)),
    ...imports.map((one) => importLink(text, one, syntax, one.name === undefined ? undefined : shownBy.get(one.name))),
  ];
}

function importLink(text: string, { element, path }: FileImport, syntax: Syntax, tag: Tag | undefined): ImageLink {
  const address = { ...path, text: stringDecoded(sliceOf(text, path)) };
  return imageLink({
    kind: 'import',
    syntax,
    element,
    address,
    ...(tag && { ...wordsOf(text, tag), ...sizeOf(text, tag) }),
  });
}

/** The name in `src={hero}`. */
function sourceName(text: string, tag: Tag): string | undefined {
  const source = attribute(tag, 'src');
  return source?.value && source.quote === '{' ? sliceOf(text, source.value).trim() : undefined;
}
