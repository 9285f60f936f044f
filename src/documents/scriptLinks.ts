import { imageEndings } from './imageEndings';
import { imageLink, type ImageLink } from './imageLink';
import { stringDecoded } from './literals';
import { endingOf } from './paths';
import { Script, type FileImport } from './script';
import { sliceOf } from './span';
import type { Syntax } from './syntax';
import type { Tag } from './tag';
import { attribute, saidBy, tagLinks } from './tagLinks';

/** The images of a script: those of its tags and of its imports. */
export function scriptLinks(text: string, syntax: Syntax): ImageLink[] {
  return linksOf(text, new Script(text).read(), syntax);
}

/** The images of a script; `around` holds the document's tags that were read before it. */
export function linksOf(
  text: string,
  { tags, imports }: Pick<Script, 'tags' | 'imports'>,
  syntax: Syntax,
  around: readonly Tag[] = [],
): ImageLink[] {
  const shownBy = bySource(text, [...around, ...tags]);
  return [
    ...tagLinks(text, tags, syntax),
    ...imports
      .map((one) => importLink(text, one, syntax, shownBy.get(one.element.start)))
      .filter(({ path }) => imageEndings.has(endingOf(path))),
  ];
}

/** `tag` is the one with the call: `<img src={require('./hero.png')}>`. */
function importLink(text: string, { element, path, name }: FileImport, syntax: Syntax, tag?: Tag): ImageLink {
  const address = { ...path, text: stringDecoded(sliceOf(text, path)) };
  const link = { kind: 'import', syntax, element, address, ...(name !== undefined && { name }) } as const;
  return imageLink({ ...link, ...(tag && saidBy(text, tag)) });
}

/** Tags by the offset of their source expression. */
function bySource(text: string, tags: readonly Tag[]): ReadonlyMap<number, Tag> {
  return new Map(
    tags.flatMap((tag) => {
      const { value, quote } = attribute(tag, 'src') ?? {};
      const before = value && quote === '{' ? /^\s*/.exec(sliceOf(text, value)) : undefined;
      return value && before ? [[value.start + before[0].length, tag] as const] : [];
    }),
  );
}

/** Links without tags that show an import by name. The import gets the description of the first such tag. */
export function withoutUses(links: readonly ImageLink[]): ImageLink[] {
  const uses = new Map<string, ImageLink>();
  for (const link of links) if (isUse(link) && !uses.has(link.name)) uses.set(link.name, link);
  return links
    .filter((link) => !isUse(link))
    .map((link) => {
      const use = link.name === undefined ? undefined : uses.get(link.name);
      return use ? { ...link, ...said(use) } : link;
    });
}

function isUse(link: ImageLink): link is ImageLink & { readonly name: string } {
  return link.kind === 'tag' && link.name !== undefined;
}

function said({ alt, title, width, height }: ImageLink): Partial<ImageLink> {
  return {
    ...(alt && { alt }),
    ...(title && { title }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}
