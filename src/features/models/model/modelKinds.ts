import type { Disposable } from '../../../base/disposable';
import { Emitter } from '../../../base/event';
import type { KnownKinds } from '../../../catalog/kinds';
import type { Place } from '../../../catalog/session';
import type { ModelKind } from '../../../catalog/types';
import { madeKind } from '../../../renders/madeKind';
import type { RenderRecord } from '../../../renders/record';
import { placeName } from '../../../catalog/placeName';
import type { Store } from '../../../base/store';

const key = 'models.kinds';
/** Beyond this, the oldest are dropped. */
const mostKept = 500;

type KindRow = readonly [place: string, modelId: string, kind: ModelKind];

/**
 * The kinds of models whose service doesn't state them: learned from their results, else from the person, who is asked
 * once.
 */
export class ModelKinds implements KnownKinds, Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private known: ReadonlyMap<string, ModelKind>;

  constructor(private readonly store: Store) {
    this.known = mapOf(this.kept());
  }

  of(place: Place, modelId: string): ModelKind | undefined {
    return this.known.get(nameOf(placeName(place), modelId));
  }

  /** Records the person's answer. */
  async say(place: Place, modelId: string, kind: ModelKind): Promise<void> {
    await this.keep([[placeName(place), modelId, kind]]);
  }

  /** Learns from results, oldest first; they override the person's answer. */
  async learn(records: Iterable<Pick<RenderRecord, 'place' | 'modelId' | 'spooled' | 'textOutput'>>): Promise<void> {
    const learned = new Map<string, KindRow>();
    for (const { place, modelId, spooled, textOutput } of records) {
      const kind = madeKind({ mediaType: spooled?.mediaType, textOutput });
      if (kind) learned.set(nameOf(place, modelId), [place, modelId, kind]);
    }
    const news = [...learned].filter(([name, [, , kind]]) => this.known.get(name) !== kind);
    if (news.length > 0) await this.keep(news.map(([, row]) => row));
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async keep(rows: readonly KindRow[]): Promise<void> {
    const names = new Set(rows.map(([place, modelId]) => nameOf(place, modelId)));
    // Keep what other windows have learned meanwhile.
    const others = this.kept().filter(([place, modelId]) => !names.has(nameOf(place, modelId)));
    const all = [...others, ...rows].slice(-mostKept);
    this.known = mapOf(all);
    await this.store.update(key, all);
    this.changed.fire();
  }

  private kept(): readonly KindRow[] {
    const kept = this.store.get(key);
    return Array.isArray(kept) ? kept.filter(isRow) : [];
  }
}

function mapOf(rows: readonly KindRow[]): ReadonlyMap<string, ModelKind> {
  return new Map(rows.map(([place, modelId, kind]) => [nameOf(place, modelId), kind]));
}

/** The stored value may come from another version. */
function isRow(row: unknown): row is KindRow {
  if (!Array.isArray(row)) return false;
  const [place, modelId, kind] = row as readonly unknown[];
  const isKind = kind === 'image' || kind === 'text' || kind === 'other';
  return typeof place === 'string' && typeof modelId === 'string' && isKind;
}

/** A URL can't contain a line break. */
function nameOf(place: string, modelId: string): string {
  return `${place}\n${modelId}`;
}
