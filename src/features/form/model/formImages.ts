import type { GivenImage } from '../../../base/givenImage';
import { formatSize, formatNames } from '../../../base/numbers';
import {
  checkImage,
  type Field,
  type FieldIssue,
  type FieldValues,
  imageFor,
  type ImageItem,
  imageItems,
  issueText,
  valueOfImages,
} from '../../../catalog/fields';
import { fileNameOf } from '../../../files/names';
import { imageFacts } from '../../../files/imageSize';
import { sniff } from '../../../files/sniff';
import { imageInAddress } from '../../../files/recordedImages';
import type { FormStrings } from '../page/formMessages';

/** A file that may become an input. Nothing of it has been read. */
export interface ImageSource {
  /** Where it's from: a path in the workspace, or just a name. */
  readonly file: string;
  readonly bytes: number;
  readonly isFolder?: boolean;
  /** Rejects when it can't be read. */
  read(): Promise<Uint8Array>;
}

/** The images of a form, in files and in what is kept of them. */
export interface FormImageFiles {
  /** Lets the user pick files of these media types, one unless `several`; none when they cancel. */
  pick(types: readonly string[], several: boolean): Promise<readonly ImageSource[]>;
  /** A file of the open workspace by its URI; undefined for any other. Rejects when it doesn't exist. */
  find(uri: string): Promise<ImageSource | undefined>;
  /** Keeps bytes, so that they can be sent later. Throws when the disk doesn't take them. */
  keep(bytes: Uint8Array, file: string): GivenImage;
  /** The bytes that are kept; undefined when they aren't any more. */
  read(image: GivenImage): Uint8Array | undefined;
  has(image: GivenImage): boolean;
}

/** An image as its field takes it, or why it doesn't, in words. */
export type TakenImage = { readonly image: GivenImage } | { readonly problem: string };

/** Turns what a user gives a form into values of its fields for images. */
export class FormImages {
  constructor(
    private readonly port: FormImageFiles,
    private readonly strings: FormStrings,
    private readonly locale: string,
  ) {}

  /** The image of a file, which is read only if it fits the field. */
  async of(field: Field, source: ImageSource): Promise<TakenImage> {
    const { file, bytes, isFolder } = source;
    if (isFolder) return this.problem('imageIsFolder', file);
    const most = field.image?.maxBytes ?? 0;
    if (bytes > most) return this.issue({ code: 'imageTooLarge', bytes, maxBytes: most });
    try {
      return this.keep(field, await source.read(), file);
    } catch {
      return this.problem('imageUnreadable', file);
    }
  }

  /** The images in files that were dropped on the field. */
  dropped(field: Field, uris: readonly string[]): Promise<readonly TakenImage[]> {
    return Promise.all(uris.map((uri) => this.droppedOne(field, uri)));
  }

  private async droppedOne(field: Field, uri: string): Promise<TakenImage> {
    const name = fileNameOf(uri);
    try {
      const source = await this.port.find(uri);
      return source ? await this.of(field, source) : this.problem('imageElsewhere', name);
    } catch {
      return this.problem('imageUnreadable', name);
    }
  }

  /** Lets the user pick as many as `most`; none when they cancel. */
  async picked(field: Field, most: number): Promise<readonly TakenImage[]> {
    const sources = await this.port.pick(field.image?.types ?? [], most > 1);
    return Promise.all(sources.map((source) => this.of(field, source)));
  }

  /** Keeps an image for a field. */
  keep(field: Field, bytes: Uint8Array, file: string): TakenImage {
    const { mediaType: type } = sniff(bytes);
    if (!type.startsWith('image/')) return this.problem('imageIsNone', file);
    const issue = checkImage(field, { type, bytes: bytes.length, facts: imageFacts(bytes, type) });
    return issue ? this.issue(issue) : { image: imageFor(field, this.port.keep(bytes, file)) };
  }

  /** A kept image for a field. */
  kept(field: Field, image: GivenImage): TakenImage {
    const bytes = this.port.read(image);
    if (!bytes) return this.problem('imageGone', image.file);
    const issue = checkImage(field, { ...image, facts: imageFacts(bytes, image.type) });
    return issue ? this.issue(issue) : { image: imageFor(field, image) };
  }

  /**
   * Values from elsewhere as this form has them: images in data addresses are kept like any other, and those that are
   * no longer kept are left out, with why.
   */
  settled(
    fields: readonly Field[],
    values: FieldValues,
  ): { readonly values: FieldValues; readonly problems: readonly (readonly [field: string, problem: string])[] } {
    const problems: (readonly [string, string])[] = [];
    const byName = new Map(fields.map((field) => [field.name, field]));
    const settled = values.map(([name, value]) => {
      const field = byName.get(name);
      if (field?.kind !== 'image' || (typeof value === 'object' && 'json' in value)) return [name, value] as const;
      const items = imageItems(value).flatMap((item) => {
        const taken = this.settledItem(field, item);
        if (typeof taken === 'string' || 'image' in taken) return typeof taken === 'string' ? taken : taken.image;
        problems.push([name, taken.problem]);
        return [];
      });
      return [name, valueOfImages(items)] as const;
    });
    return { values: settled, problems };
  }

  private settledItem(field: Field, item: ImageItem): TakenImage | string {
    if (typeof item === 'string') {
      const sent = imageInAddress(item);
      return sent ? this.keep(field, sent.data, field.label) : item;
    }
    return this.port.has(item) ? { image: imageFor(field, item) } : this.problem('imageGone', item.file);
  }

  private issue(issue: FieldIssue): TakenImage {
    const [key, ...parts] = issueText(issue, {
      size: (bytes) => formatSize(bytes, this.locale),
      formats: (types) => formatNames(types, this.locale),
    });
    return this.problem(key, ...parts);
  }

  private problem(key: keyof FormStrings, ...parts: readonly (string | number)[]): TakenImage {
    return { problem: this.strings[key].replace(/\{(\d)\}/g, (_, index: string) => String(parts[Number(index)])) };
  }
}
