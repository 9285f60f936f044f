import type { ResultView } from '../page/formMessages';
import type { Library } from '../../../renders/library';
import { resultView, type ResultViewWorld } from './resultView';

/** How many renders a form shows: all of one press. */
const mostResults = 8;

/** The renders started in a form, the newest first. */
export class FormResults {
  private shown: string | undefined;

  constructor(
    private readonly library: Pick<Library, 'get'>,
    private newestFirst: readonly string[],
  ) {}

  /** Ids of the library. */
  get ids(): readonly string[] {
    return this.newestFirst;
  }

  add(key: string): void {
    this.newestFirst = [key, ...this.newestFirst.filter((other) => other !== key)].slice(0, mostResults);
  }

  /** Forgets what was shown: the page is gone. */
  forgetShown(): void {
    this.shown = undefined;
  }

  /** All results; undefined when they're shown already. Elapsed time is no change: the form counts it itself. */
  news(world: ResultViewWorld): ResultView[] | undefined {
    const views = this.newestFirst.flatMap((id) => {
      const entry = this.library.get(id);
      return entry ? [resultView(entry, world)] : [];
    });
    const shown = JSON.stringify(views.map((view) => ({ ...view, elapsedMs: undefined })));
    if (shown === this.shown) return undefined;
    this.shown = shown;
    return views;
  }
}
