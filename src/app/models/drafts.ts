import * as z from 'zod/mini';
import type { FieldValues } from '../../catalog/fields';
import { readKeptForm } from '../formRequests';
import type { Target } from '../../renders/record';

/** The part of the editor's Memento that is used. */
export interface Store {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** The content of a form, kept per model. */
export interface FormDraft {
  readonly values: FieldValues;
  /** When it was stored, ms since 1970. */
  readonly at: number;
  /** Ids of the renders started in it, newest first. */
  readonly results: readonly string[];
  /** Only if the person chose one other than the settings'. */
  readonly target?: Target;
  /** The ID of the project's style that they're sent with. */
  readonly style?: string;
  /** The values as they're sent with it, so that they're forgotten by what was sent. */
  readonly sent?: FieldValues;
}

const rest = z.object({
  results: z.array(z.string()),
  target: z.optional(z.object({ root: z.optional(z.string()), folder: z.string(), fileName: z.string() })),
  style: z.optional(z.string()),
});

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
    return kept && { values: kept.values, at: kept.at, ...(rest.safeParse(here).data ?? { results: [] }) };
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
   * Forgets the model's last typed and rendered values if they contain that text. An empty draft stays, as of now: the
   * page of a form that isn't restored yet has kept an older one.
   */
  async forget(modelId: string, text: string, at: number): Promise<void> {
    const draft = this.read(modelId);
    if (draft && holds(this.workspace.get(draftKey(modelId)), text))
      await this.keep(modelId, { ...draft, values: [], at });
    if (holds(this.everywhere.get(lastKey(modelId)), text)) await this.everywhere.update(lastKey(modelId), undefined);
  }

  /** The models whose forms were last open in this workspace. */
  open(): readonly string[] {
    return z.array(z.string()).safeParse(this.workspace.get(openKey)).data ?? [];
  }

  async keepOpen(modelIds: readonly string[]): Promise<void> {
    await this.workspace.update(openKey, [...modelIds]);
  }
}

function holds(kept: unknown, text: string): boolean {
  const { sent = [] } = withSent.safeParse(kept).data ?? {};
  return hasText([...(readKeptForm(kept)?.values ?? []), ...sent], text);
}

/** True if one of the values contains that text. */
export function hasText(values: readonly (readonly [name: string, value: unknown])[], text: string): boolean {
  return values.some(([, value]) => JSON.stringify(value).includes(inJson(text)));
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const openKey = 'form.open';

function draftKey(modelId: string): string {
  return `form.draft/${modelId}`;
}

function lastKey(modelId: string): string {
  return `form.lastRendered/${modelId}`;
}
