import * as vscode from 'vscode';
import { isGivenImage, type GivenImage } from '../../base/givenImage';
import { appendLine, oneLine } from '../../base/plain';
import { formatSize } from '../../base/size';
import { inputText } from '../rendering/model/inputText';
import type { Span } from '../../documents/span';
import { givenPlaces } from '../../renderFiles/givenPlaces';
import { appendPicture } from './entryMarkdown';
import type { ReadFile, RenderFiles } from './renderFiles';

/** The images that a text in a render file leads to: several if it has variables. */
export interface GivenAt {
  readonly place: Span;
  readonly images: readonly { readonly uri: vscode.Uri; readonly image: GivenImage }[];
}

/** Of a text with more images, the first ones are shown. */
const mostImages = 8;

/** The given images at an offset; undefined if there's no path of any. */
export async function givenAt(
  offset: number,
  { file, folder }: ReadFile,
  files: RenderFiles,
): Promise<GivenAt | undefined> {
  const place = givenPlaces(file).find(({ start, end }) => start <= offset && offset <= end);
  const pictures = files.picturesOf(folder);
  const images: { uri: vscode.Uri; image: GivenImage }[] = [];
  for (const path of place?.paths.slice(0, mostImages) ?? []) {
    const image = await pictures.given(path);
    if (isGivenImage(image)) images.push({ uri: vscode.Uri.joinPath(folder, path), image });
  }
  return place && images.length > 0 ? { place, images } : undefined;
}

/** What given images look like. Contains no links, no commands, and nothing that is read as markup. */
export async function givenMarkdown(images: GivenAt['images']): Promise<vscode.MarkdownString> {
  const markdown = new vscode.MarkdownString();
  await appendPicture(
    markdown,
    images.map(({ uri }) => uri),
  );
  for (const { image } of images)
    appendLine(
      markdown,
      oneLine(`${inputText(image)} · ${formatSize(image.bytes, vscode.env.language)}`),
    ).appendMarkdown('\n\n');
  return markdown;
}
