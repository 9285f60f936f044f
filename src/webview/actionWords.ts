import type { ActionView } from '../pages/actionView';
import { Words } from './words';

/** The words of a page on which something can be done to renders. */
export class ActionWords<Key extends string> extends Words<Key> {
  private readonly byId: ReadonlyMap<string, ActionView>;

  constructor(strings: Readonly<Record<Key, string>>, locale: string, actions: readonly ActionView[]) {
    super(strings, locale);
    this.byId = new Map(actions.map((action) => [action.id, action]));
  }

  /** How these are shown, in the order they are given; what the page does not know is left out. */
  actions(ids: readonly string[]): ActionView[] {
    return ids.flatMap((id) => this.byId.get(id) ?? []);
  }
}
