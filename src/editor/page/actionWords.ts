import type { ActionView } from './actionView';
import { Words } from './words';

/** The texts of a page with actions on renders. */
export class ActionWords<Key extends string> extends Words<Key> {
  private readonly byId: ReadonlyMap<string, ActionView>;

  constructor(strings: Readonly<Record<Key, string>>, locale: string, actions: readonly ActionView[]) {
    super(strings, locale);
    this.byId = new Map(actions.map((action) => [action.id, action]));
  }

  /** These actions, in the given order, leaving out those that the page doesn't know. */
  actions(ids: readonly string[]): ActionView[] {
    return ids.flatMap((id) => this.byId.get(id) ?? []);
  }
}
