import * as z from 'zod/mini';
import type { Store } from '../../../base/store';
import type { FieldValues } from '../../../catalog/fields';
import { inputsSha256 } from '../../../files/recordedImages';
import { readKeptForm } from '../../../editor/formRequests';
import type { Target } from '../../../renders/record';

/** The content of a form, kept per model. */
export interface FormDraft {
  readonly values: FieldValues;
  /** When it was stored, ms since 1970. */
  readonly at: number;
  /** Ids of the renders started in it, newest first. */
  readonly results: readonly string[];
  /** Those of them that one press ordered together last, in their order. */
  readonly variants?: readonly string[];
  /** Only if the user chose one other than the settings'. */
  readonly target?: Target;
  /** The ID of the project's style that they're sent with. */
  readonly style?: string;
  /** The values as they're sent with it, so that they're forgotten by what was sent. */
  readonly sent?: FieldValues;
}

/** The content without its time. */
export type DraftContent = Omit<FormDraft, 'at'>;

const rest = z.object({
  results: z.array(z.string()),
  variants: z.optional(z.array(z.string())),
  target: z.optional(z.object({ root: z.optional(z.string()), folder: z.string(), fileName: z.string() })),
  style: z.optional(z.string()),
});

const forgottenShape = z.array(z.object({ hash: z.string(), at: z.number() }));

/** A form by the title of its tab. */
const openedForm = z.readonly(z.object({ modelId: z.string(), title: z.string() }));
export type OpenedForm = z.infer<typeof openedForm>;

const withSent = z.object({ sent: z.optional(z.array(z.tuple([z.string(), z.unknown()]))) });

/**
 * Keeps what is typed over hiding, crashes, and new windows: per workspace the draft with its renders, and globally the
 * values last rendered, which quick renders and links start with.
 */
export class Drafts {
  constructor(
    private readonly workspace: Store,
    private readonly everywhere: Store,
  ) {}

  /** The draft of this workspace: a prompt doesn't leave its project. */
  read(modelId: string): FormDraft | undefined {
    const here = this.workspace.get(draftKey(modelId));
    const kept = readKeptForm(here);
    if (!kept) return undefined;
    const draft = { values: kept.values, at: kept.at, ...(rest.safeParse(here).data ?? { results: [] }) };
    if (!this.isForgotten(modelId, [...kept.values, ...sentIn(here)], kept.at)) return draft;
    const emptied = { ...draft, values: [] };
    void this.keep(modelId, emptied);
    return emptied;
  }

  /** The values last rendered with the model in any workspace. */
  rendered(modelId: string): FieldValues | undefined {
    return readKeptForm(this.everywhere.get(lastKey(modelId)))?.values;
  }

  async keep(modelId: string, draft: FormDraft): Promise<void> {
    await this.workspace.update(draftKey(modelId), { modelId, ...draft });
  }

  /** `sent`: the values as they were sent with a style. */
  async keepRendered(modelId: string, values: FieldValues, at: number, sent?: FieldValues): Promise<void> {
    await this.everywhere.update(lastKey(modelId), { modelId, values, at, sent });
  }

  /**
   * Forgets the model's last typed and rendered values if they contain that text or the image with that hash. An empty
   * draft stays, as of now: the page of a form that isn't restored yet has kept an older one. The editor lets us at no
   * other workspace's drafts, so those go as soon as they're read: what is kept for that is a hash.
   */
  async forget(modelId: string, text: string, at: number): Promise<void> {
    const draft = this.read(modelId);
    if (draft && holds(this.workspace.get(draftKey(modelId)), text))
      await this.keep(modelId, { ...draft, values: [], at });
    if (holds(this.everywhere.get(lastKey(modelId)), text)) await this.everywhere.update(lastKey(modelId), undefined);
    const forgotten = [{ hash: hashOf(modelId, text), at }, ...this.forgotten()].slice(0, mostForgotten);
    await this.everywhere.update(forgottenKey, forgotten);
  }

  private forgotten(): readonly { readonly hash: string; readonly at: number }[] {
    return forgottenShape.safeParse(this.everywhere.get(forgottenKey)).data ?? [];
  }

  /** True if one of the texts or images was forgotten after it was kept. */
  private isForgotten(modelId: string, values: FieldValues, keptAt: number): boolean {
    const since = this.forgotten().filter(({ at }) => at >= keptAt);
    if (since.length === 0) return false;
    const hashes = new Set(since.map(({ hash }) => hash));
    return textsIn(values).some((text) => hashes.has(hashOf(modelId, text)));
  }

  /** The forms that were last open in this workspace. */
  open(): readonly OpenedForm[] {
    return z.array(openedForm).safeParse(this.workspace.get(openKey)).data ?? [];
  }

  async keepOpen(forms: readonly OpenedForm[]): Promise<void> {
    await this.workspace.update(openKey, [...forms]);
  }
}

function holds(kept: unknown, text: string): boolean {
  return hasText([...(readKeptForm(kept)?.values ?? []), ...sentIn(kept)], text);
}

function sentIn(kept: unknown): FieldValues {
  return (withSent.safeParse(kept).data?.sent ?? []) as FieldValues;
}

/** The texts among values, and the hashes of their images. */
function textsIn(values: FieldValues): readonly string[] {
  return values.flatMap(([, value]) => {
    if (typeof value === 'string') return [value.trim(), value];
    const images = typeof value === 'object' && 'images' in value ? value.images : [];
    return images.map((image) => (typeof image === 'string' ? image : image.sha256));
  });
}

function hashOf(modelId: string, text: string): string {
  return inputsSha256({ modelId, text });
}

/** True if one of the values contains that text. */
export function hasText(values: readonly (readonly [name: string, value: unknown])[], text: string): boolean {
  return values.some(([, value]) => JSON.stringify(value).includes(inJson(text)));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const openKey = 'form.open';
const forgottenKey = 'form.forgotten';
/** Older ones were read since, or never will be. */
const mostForgotten = 1000;

function draftKey(modelId: string): string {
  return `form.draft/${modelId}`;
}

function lastKey(modelId: string): string {
  return `form.lastRendered/${modelId}`;
}
