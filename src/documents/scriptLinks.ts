import { imageEndings } from './imageEndings';
import { imageLink, type ImageLink } from './imageLink';
import { stringDecoded } from './literals';
import { endingOf } from './paths';
import { Script, type FileImport } from './script';
import { sliceOf } from './span';
import type { Syntax } from './syntax';
import type { Tag } from './tag';
import { namesImage, saidBy, tagLinks } from './tagLinks';

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
  if (tags.length === 0 && imports.length === 0) return [];
  const showing = tagsShowing(imports.length === 0 ? [] : [...around, ...tags], imports);
  return [
    ...tagLinks(text, tags, syntax),
    ...imports
      .map((one) => importLink(text, one, syntax, showing.get(one)))
      .filter(({ path }) => imageEndings.has(endingOf(path))),
  ];
}

/** `tag` is the one with the call: `<img src={require('./hero.png')}>`. */
function importLink(
  text: string,
  { element, path, name, isFromRoot }: FileImport,
  syntax: Syntax,
  tag?: Tag,
): ImageLink {
  const address = { ...path, text: stringDecoded(sliceOf(text, path)) };
  const kind = isFromRoot ? 'value' : 'import';
  const link = imageLink({
    ...{ kind, syntax, element, address, ...(name !== undefined && { name }) },
    ...(tag && saidBy(text, tag)),
  });
  return isFromRoot ? { ...link, path: `/${link.path.replace(/^\//, '')}` } : link;
}

/** The tags with a file in an expression for what they show. */
function tagsShowing(tags: readonly Tag[], imports: readonly FileImport[]): ReadonlyMap<FileImport, Tag> {
  const values = tags
    .flatMap((tag) =>
      tag.attributes.flatMap(({ name, quote, value }) =>
        value && quote === '{' && namesImage(name) ? [{ tag, ...value }] : [],
      ),
    )
    .sort((a, b) => a.start - b.start);
  const showing = new Map<FileImport, Tag>();
  let at = 0;
  for (const one of imports.toSorted((a, b) => a.element.start - b.element.start)) {
    while (at + 1 < values.length && (values[at + 1]?.start ?? 0) <= one.element.start) at += 1;
    const value = values[at];
    if (value && value.start <= one.element.start && one.element.end <= value.end) showing.set(one, value.tag);
  }
  return showing;
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
