import type { AppliedStyle } from '../../../compose/projectStyles';
import type { Composer } from '../../../compose/composer';
import type { StyleView } from '../page/formMessages';

/** The style of what a form orders, as the form shows it. */
export class FormStyle {
  private shown: string | undefined;
  /** What is applied, as text; the version counts its changes. */
  private applied = appliedText(undefined);
  private version = 0;

  constructor(private readonly draft: Composer) {}

  /** What the form has to show, or undefined when it shows that already. */
  news(): StyleView | undefined {
    const { applied: style, styles } = this.draft;
    const version = this.renewed();
    const view: StyleView = {
      options: styles.map(({ id, label }) => ({ id, label })),
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
  isShown(version = 0): boolean {
    return this.renewed() === version;
  }

  /** Forgets what was shown: the page is gone, or asks for it. */
  forgetShown(): void {
    this.shown = undefined;
  }

  private renewed(): number {
    const applied = appliedText(this.draft.applied);
    if (applied !== this.applied) this.version += 1;
    this.applied = applied;
    return this.version;
  }
}

function appliedText(style: AppliedStyle | undefined): string {
  return style ? JSON.stringify([style.before, style.after, [...style.fixed]]) : '';
}
