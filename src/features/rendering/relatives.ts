import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { GivenImage } from '../../base/givenImage';
import type { JsonObject } from '../../base/json';
import { formatNames } from '../../base/numbers';
import { oneLine } from '../../base/plain';
import { exists } from '../../editor/exists';
import { readUpTo } from '../../editor/workspaceFiles';
import { type GivenImages, imagesOf } from '../../files/givenImages';
import { fileNameOf } from '../../files/names';
import { sha256Of } from '../../files/sameFile';
import { ancestorsOf, childrenOf, type Parent, parentsOf } from '../../renders/lineage';
import type { RenderRecord } from '../../renders/record';
import { thumbnailsFolder } from '../../renders/thumbnails';
import { largestOrigin } from './fileOrigin';
import type { Memory, Renders } from './renders';

/** An image that another one was made from, or a result that was made from it. */
export interface Relative {
  readonly name: string;
  /** What a page shows of it, if it may load `relativeFolders`. */
  readonly picture?: vscode.Uri;
  readonly image?: GivenImage;
  /** The render of ours that saved it. */
  readonly record?: RenderRecord;
}

/** Finds and shows the images that others came from and led to, for one project. */
export class Relatives {
  private readonly images: GivenImages;

  constructor(
    private readonly renders: Renders,
    memory: Memory,
  ) {
    this.images = imagesOf(memory);
  }

  /** The images that inputs name. */
  async parents(inputs: JsonObject): Promise<readonly Relative[]> {
    return (await parentsOf(inputs, (isWanted) => this.renders.library.find(isWanted))).map((one) =>
      this.ofParent(one),
    );
  }

  /** These, and those that they were made from in turn. */
  async ancestors(inputs: JsonObject): Promise<readonly Relative[]> {
    const found = await ancestorsOf(inputs, (isWanted) => this.renders.library.find(isWanted));
    return found.map((one) => this.ofParent(one));
  }

  /** The results that were made from an image with one of these hashes, newest first. */
  async children(hashes: ReadonlySet<string>): Promise<readonly Relative[]> {
    const records = await childrenOf(hashes, this.renders.library.slices());
    return records.map((record) => ({
      name: oneLine(fileNameOf(record.file ?? '')),
      picture: this.thumbnailOf(record) ?? vscode.Uri.parse(record.file ?? '', true),
      record,
    }));
  }

  /** A file with exactly its bytes: where it was saved or taken from, else the copy that was sent. */
  async fileOf({ image, record }: Relative): Promise<vscode.Uri | undefined> {
    const sha256 = image?.sha256 ?? record?.spooled?.sha256;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const places = [
      ...(record?.file === undefined ? [] : [vscode.Uri.parse(record.file, true)]),
      ...(image?.file ? folders.map(({ uri }) => vscode.Uri.joinPath(uri, image.file)) : []),
    ];
    for (const place of places) {
      const bytes = (await exists(place)) ? await readUpTo(place, largestOrigin, this.renders.log) : undefined;
      if (bytes && (await sha256Of([bytes], systemClock)) === sha256) return place;
    }
    return image && this.images.has(image) ? vscode.Uri.file(this.images.pathOf(image)) : undefined;
  }

  private ofParent({ image, record }: Parent): Relative {
    const copy = this.images.has(image) ? vscode.Uri.file(this.images.pathOf(image)) : undefined;
    const picture = (record && this.thumbnailOf(record)) ?? copy;
    const name = record?.file === undefined ? fileNameOf(image.file) : fileNameOf(record.file);
    return { name: oneLine(name) || formatNames([image.type]), picture, image, record };
  }

  private thumbnailOf({ key }: RenderRecord): vscode.Uri | undefined {
    const path = this.renders.results.thumbnails.of(key);
    return path === undefined ? undefined : vscode.Uri.file(path);
  }
}

/** The folders that the pictures of relatives are in: those of thumbnails and of copies, and the open ones. */
export function relativeFolders(memory: Memory): readonly vscode.Uri[] {
  const { globalStorageUri } = memory;
  const open = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return [vscode.Uri.joinPath(globalStorageUri, thumbnailsFolder), vscode.Uri.file(imagesOf(memory).folder), ...open];
}
