import type { FieldValues } from '../catalog/fields';
import type { Model } from '../catalog/types';
import { appliedTo, ownPrompt, sentValues, takesStyles, type AppliedStyle } from './appliedStyle';
import type { ProjectStyle, StyleSource } from './projectStyles';

/** The style of what one form, or one box, orders. */
export class StyleChoice {
  private id: string | undefined;

  constructor(private readonly source: StyleSource) {
    this.id = source.last;
  }

  /** The ID of the chosen one, even while the project doesn’t have it; undefined for none. */
  get chosen(): string | undefined {
    return this.id;
  }

  /** Chooses it here only. */
  use(id: string | undefined): void {
    this.id = id;
  }

  /** The user chose it: the next form or box starts with it, too. */
  choose(id: string | undefined): void {
    this.id = id;
    this.source.keep(id);
  }

  /** Starts again with the one chosen last in this workspace. */
  startAgain(): void {
    this.id = this.source.last;
  }

  /** The styles to choose from for the model. */
  offeredFor(model: Model | undefined): readonly ProjectStyle[] {
    return model && takesStyles(model) ? this.source.styles : [];
  }

  /** The chosen one, applied to the model; undefined for none, and while it isn’t offered. */
  appliedTo(model: Model | undefined): AppliedStyle | undefined {
    const style = this.id === undefined ? undefined : this.offeredFor(model).find(({ id }) => id === this.id);
    return model && style && appliedTo(model.fields, style);
  }

  /** The values as they’re sent to the model. */
  sent(model: Model | undefined, values: FieldValues): FieldValues {
    return sentValues(this.appliedTo(model), values);
  }

  /**
   * Earlier prompts, as the user would write them: with a style, without the words of any, since its own are added.
   * Each once.
   */
  written(model: Model | undefined, prompts: readonly string[]): readonly string[] {
    const style = this.appliedTo(model);
    if (!style) return prompts;
    return [...new Set(prompts.map((prompt) => ownPrompt(prompt, [style, ...this.source.styles])))];
  }
}
