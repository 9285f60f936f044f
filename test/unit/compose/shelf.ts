import { Emitter } from '../../../src/base/disposable';
import type { Json } from '../../../src/base/json';
import type { ProjectStyle, StyleSource } from '../../../src/compose/projectStyles';

/** The styles of a project, as a test sets them. */
export class TestShelf implements StyleSource {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  last: string | undefined;

  constructor(public styles: readonly ProjectStyle[] = []) {}

  keep(id: string | undefined): void {
    this.last = id;
  }

  become(styles: readonly ProjectStyle[]): void {
    this.styles = styles;
    this.changed.fire();
  }
}

/** A style of `renders.jsonc`. */
export function styleOf(name: string, words: Partial<ProjectStyle>, inputs: Record<string, Json> = {}): ProjectStyle {
  const id = `renders.jsonc#${name}`;
  return { id, label: name, before: '', after: '', ...words, inputs: new Map(Object.entries(inputs)) };
}
