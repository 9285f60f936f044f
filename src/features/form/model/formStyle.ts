import type { FieldValues } from '../../../catalog/fields';
import type { Field, Model } from '../../../catalog/types';
import type { StyleView } from '../page/formMessages';
import type { Target } from '../../../renders/record';
import { namedByOwn, type AppliedStyle } from '../../../compose/appliedStyle';
import type { StyleShelf } from '../../../compose/projectStyles';
import { StyleChoice } from '../../../compose/styleChoice';

/** The style of what a form orders. */
export class FormStyle {
  private readonly choice: StyleChoice;
  private shown: string | undefined;
  /** What is applied, as text; the version counts its changes. */
  private applied = appliedText(undefined);
  private version = 0;

  /** `draft`: what the form was left with; undefined for a new form, which starts with the style chosen last. */
  constructor(shelf: StyleShelf, draft: { readonly style?: string } | undefined) {
    this.choice = new StyleChoice(shelf);
    if (draft) this.choice.use(draft.style);
  }

  /** As `StyleChoice.chosen`. */
  get chosen(): string | undefined {
    return this.choice.chosen;
  }

  /** The person chose a style, or none. */
  choose(id: string | undefined): void {
    this.choice.choose(id);
    // Even where it isn't offered any more, the form has to learn so.
    this.shown = undefined;
  }

  /** As `StyleChoice.use`. */
  use(id: string | undefined): void {
    this.choice.use(id);
  }

  /** As `StyleChoice.sent`. */
  sent(model: Model, values: FieldValues): FieldValues {
    return this.choice.sent(model, values);
  }

  /** The fields that the style leaves to the person. */
  free(model: Model): readonly Field[] {
    const { fixed } = this.choice.appliedTo(model) ?? {};
    return model.fields.filter(({ name }) => !fixed?.has(name));
  }

  /** As `StyleChoice.written`. */
  written(model: Model, prompts: readonly string[]): readonly string[] {
    return this.choice.written(model, prompts);
  }

  /** As `namedByOwn`. */
  named(target: Target, model: Model | undefined, values: FieldValues = []): Target {
    return namedByOwn(target, this.choice.appliedTo(model), values);
  }

  /** What the form has to show, or undefined when it shows that already. */
  news(model: Model): StyleView | undefined {
    const style = this.choice.appliedTo(model);
    const version = this.versionFor(model);
    const view: StyleView = {
      options: this.choice.offeredFor(model).map(({ id, label }) => ({ id, label })),
      version,
      ...(style && {
        chosen: { ...style, fixed: [...style.fixed], leftOut: [...style.leftOut] },
      }),
    };
    const text = JSON.stringify(view);
    // A page starts with no style, at the first version.
    const isStart = this.shown === undefined && version === 0 && view.options.length === 0;
    if (text === this.shown || isStart) return undefined;
    this.shown = text;
    return view;
  }

  /** True if the form shows what would be sent now: a press on a price counts for nothing else. */
  isShown(model: Model | undefined, version = 0): boolean {
    return this.versionFor(model) === version;
  }

  /** Forgets what was shown: the page is gone. */
  forgetShown(): void {
    this.shown = undefined;
  }

  private versionFor(model: Model | undefined): number {
    const applied = appliedText(this.choice.appliedTo(model));
    if (applied !== this.applied) this.version += 1;
    this.applied = applied;
    return this.version;
  }
}

function appliedText(style: AppliedStyle | undefined): string {
  return style ? JSON.stringify([style.before, style.after, [...style.fixed]]) : '';
}
