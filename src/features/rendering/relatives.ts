import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { forEachLimit } from '../../base/concurrency';
import { type GivenImage, givenImagesIn } from '../../base/givenImage';
import type { JsonObject } from '../../base/json';
import { formatNames } from '../../base/numbers';
import { oneLine } from '../../base/plain';
import { exists } from '../../editor/exists';
import { openFolders, readUpTo } from '../../editor/workspaceFiles';
import { type GivenImages, imagesOf } from '../../files/givenImages';
import { fileNameOf } from '../../files/names';
import { fileMetadataOf } from '../../files/provenance';
import { isInside, sha256Of } from '../../files/sameFile';
import { isOfProject } from '../../renders/library';
import { ancestorsOf, childrenOf, type Parent, parentsOf } from '../../renders/lineage';
import type { RenderRecord } from '../../renders/record';
import { stagedFolder } from '../../renders/placement';
import { thumbnailsFolder } from '../../renders/thumbnails';
import { largestOrigin, readable } from './fileOrigin';
import { thumbnailOf } from './thumbnailsOf';
import type { Memory, Renders } from './renders';

/** An image that another one was made from, or a result that was made from it. */
export interface Relative {
  readonly name: string;
  /** What a page shows of it, if it may load `relativeFolders`. */
  readonly picture?: vscode.Uri;
  readonly image?: GivenImage;
  /** The render of ours that saved it. */
  readonly record?: RenderRecord;
  /** Its file, where only that says what it was made from. */
  readonly file?: vscode.Uri;
}

/** More of one kind aren't shown. */
const mostShown = 100;

/** Of a folder with more images, the others aren't looked at. */
const mostLookedAt = 500;
/** A larger image isn't read for its metadata, bytes. */
const largestNear = 8 * 1024 * 1024;
/** Of one folder, no more is read in all, bytes. */
const mostReadBytes = 64 * 1024 * 1024;

/** Finds and shows the images that others came from and led to, for one project. */
export class Relatives {
  private readonly images: GivenImages;

  constructor(
    private readonly renders: Renders,
    private readonly memory: Memory,
  ) {
    this.images = imagesOf(memory);
  }

  /** The images that inputs name. */
  async parents(inputs: JsonObject): Promise<readonly Relative[]> {
    const found = await parentsOf([inputs], (isWanted) => this.renders.library.find(isWanted));
    return found.slice(0, mostShown).map((one) => this.ofParent(one));
  }

  /** These, and those that they were made from in turn. */
  async ancestors(inputs: JsonObject): Promise<readonly Relative[]> {
    const found = await ancestorsOf(inputs, (isWanted) => this.renders.library.find(isWanted));
    return found.map((one) => this.ofParent(one));
  }

  /** The results of the project that were made from an image with one of these hashes, newest first. */
  async children(hashes: ReadonlySet<string>): Promise<readonly Relative[]> {
    const records = await childrenOf(hashes, this.renders.library.slices());
    const folders = openFolders();
    return records
      .filter((record) => isOfProject(record, folders))
      .slice(0, mostShown)
      .map((record) => ({ name: oneLine(fileNameOf(record.file ?? '')), picture: this.pictureOf(record), record }));
  }

  /**
   * What only the metadata of files next to `near` says so of, such as a colleague's results; none of `known` (URIs).
   * Reads no more than the newest few, while `isWanted`. What can't be read has no metadata: never rejects.
   */
  async statedNear(
    near: vscode.Uri,
    hashes: ReadonlySet<string>,
    known: ReadonlySet<string | undefined>,
    isWanted: () => boolean,
  ): Promise<readonly Relative[]> {
    const folder = vscode.Uri.joinPath(near, '..');
    if (hashes.size === 0 || !isInProject(folder)) return [];
    const found: Relative[] = [];
    for (const { name, uri: file } of await imagesNear(folder)) {
      if (!isWanted() || found.length === mostShown) break;
      if (known.has(file.toString()) || file.toString() === near.toString()) continue;
      const read = await readable(file, this.renders.log).catch(() => undefined);
      const { record } = (read && (await fileMetadataOf(read, systemClock))) ?? {};
      const given = givenImagesIn(record?.provenance.inputs ?? {});
      if (given.some(({ sha256 }) => hashes.has(sha256))) found.push({ name: oneLine(name), picture: file, file });
    }
    return found;
  }

  /** A file with exactly its bytes: where it was saved or taken from, else the copy that was sent. */
  async fileOf({ image, record, file }: Relative): Promise<vscode.Uri | undefined> {
    if (file) return (await exists(file)) ? file : undefined;
    const sha256 = image?.sha256 ?? record?.spooled?.sha256;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const places = [
      ...(record?.file === undefined ? [] : [vscode.Uri.parse(record.file, true)]),
      // Anybody can write a path into a file's metadata.
      ...(image?.file ? folders.map(({ uri }) => vscode.Uri.joinPath(uri, image.file)).filter(isInProject) : []),
    ];
    for (const place of places) {
      const bytes = (await exists(place)) ? await readUpTo(place, largestOrigin, this.renders.log) : undefined;
      if (bytes && (await sha256Of([bytes], systemClock)) === sha256) return place;
    }
    return image && this.images.has(image) ? vscode.Uri.file(this.images.pathOf(image)) : undefined;
  }

  private ofParent({ image, record }: Parent): Relative {
    const copy = this.images.has(image) ? vscode.Uri.file(this.images.pathOf(image)) : undefined;
    const picture = (record && thumbnailOf({ record }, this.renders.results.thumbnails)) ?? copy;
    const name = record?.file === undefined ? fileNameOf(image.file) : fileNameOf(record.file);
    return { name: oneLine(name) || formatNames([image.type]), picture, image, record };
  }

  /** Its thumbnail, else the image itself where a page may load it. */
  private pictureOf(record: RenderRecord): vscode.Uri | undefined {
    const { file = '' } = record;
    const mayLoad = relativeFolders(this.memory).some((folder) => isInside(file, folder.toString()));
    return (
      thumbnailOf({ record }, this.renders.results.thumbnails) ?? (mayLoad ? vscode.Uri.parse(file, true) : undefined)
    );
  }
}

/** The images that may have metadata, in themselves or next to them. */
const carriesMetadata = /\.(png|jpe?g|webp|gif|avif)$/i;

/** The newest images of a folder that aren't links, within the limits on what is read; none if it can't be. */
async function imagesNear(folder: vscode.Uri): Promise<readonly { readonly name: string; readonly uri: vscode.Uri }[]> {
  const { fs } = vscode.workspace;
  const entries = await Promise.resolve(fs.readDirectory(folder)).catch(() => []);
  const names = entries.filter(([name, type]) => type === vscode.FileType.File && carriesMetadata.test(name));
  const found: { readonly name: string; readonly uri: vscode.Uri; readonly stat: vscode.FileStat }[] = [];
  await forEachLimit(names.slice(0, mostLookedAt), 8, async ([name]) => {
    const uri = vscode.Uri.joinPath(folder, name);
    const stat = await Promise.resolve(fs.stat(uri)).catch(() => undefined);
    if (stat && stat.size <= largestNear) found.push({ name, uri, stat });
  });
  let left = mostReadBytes;
  return found.sort((a, b) => b.stat.mtime - a.stat.mtime).filter(({ stat }) => (left -= stat.size) >= 0);
}

function isInProject(file: vscode.Uri): boolean {
  return vscode.workspace.getWorkspaceFolder(file) !== undefined;
}

/**
 * The folders that the pictures of relatives are in: those of thumbnails, of new images, and of copies that were sent,
 * and the open ones.
 */
export function relativeFolders(memory: Memory): readonly vscode.Uri[] {
  const ours = [thumbnailsFolder, stagedFolder].map((name) => vscode.Uri.joinPath(memory.globalStorageUri, name));
  const open = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return [...ours, vscode.Uri.file(imagesOf(memory).folder), ...open];
}
