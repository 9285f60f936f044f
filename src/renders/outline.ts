import type { Problem, RenderRecord, Target } from './record';

/** A render without its words, for sums. Every record is one. The end time of a saved one may be missing. */
export type Outline = Pick<
  RenderRecord,
  | 'index'
  | 'state'
  | 'due'
  | 'attempt'
  | 'place'
  | 'account'
  | 'modelId'
  | 'by'
  | 'agent'
  | 'realRoot'
  | 'plannedAt'
  | 'firstSentAt'
  | 'acceptedAt'
  | 'endedAt'
  | 'costCents'
  | 'shownCents'
  | 'otherIds'
  | 'settled'
  | 'deleted'
  | 'forgotten'
  | 'file'
> & {
  readonly target: Pick<Target, 'root'>;
  readonly problem?: Pick<Problem, 'code'>;
};

/** The outlines of all renders of a ledger, stored compactly: there may be a hundred thousand. */
export class Outlines implements Iterable<Outline> {
  private readonly byIndex: (Outline | undefined)[];
  private readonly texts = new Map<string | undefined, string | undefined>();
  private readonly targets = new Map<string | undefined, Outline['target']>();
  private readonly problems = new Map<string, Outline['problem']>();

  /** `last`: the highest index so far. */
  constructor(last: number) {
    this.byIndex = new Array<Outline | undefined>(last + 1);
  }

  get(index: number): Outline | undefined {
    return this.byIndex[index];
  }

  put(record: RenderRecord): void {
    this.byIndex[record.index] = this.outlineOf(record);
  }

  *[Symbol.iterator](): Iterator<Outline> {
    for (const outline of this.byIndex) if (outline) yield outline;
  }

  /** Rarely present or rarely needed values take up no room where they're missing. */
  private outlineOf(record: RenderRecord): Outline {
    const { index, state, attempt, plannedAt, firstSentAt, acceptedAt, endedAt, costCents, shownCents, file } = record;
    const { otherIds, settled, deleted, forgotten, problem, target, due } = record;
    const outline = {
      index,
      state: this.one(state),
      attempt,
      place: this.one(record.place),
      account: this.one(record.account),
      modelId: this.one(record.modelId),
      by: this.one(record.by),
      target: one(this.targets, target.root, { root: target.root }),
      realRoot: this.one(record.realRoot),
      plannedAt,
      firstSentAt,
      acceptedAt,
      costCents,
      shownCents,
      file,
    };
    const isSeldom = state !== 'saved' || otherIds || settled || deleted || forgotten || problem || record.agent;
    if (!isSeldom) return outline;
    const agent = this.one(record.agent);
    const rest = { agent, endedAt, otherIds, settled, deleted, forgotten, due };
    return { ...outline, ...rest, problem: this.problemOf(record) };
  }

  private problemOf({ problem }: RenderRecord): Outline['problem'] {
    return problem && one(this.problems, problem.code, { code: problem.code });
  }

  private one<T extends string | undefined>(text: T): T {
    return one(this.texts, text, text) as T;
  }
}

/** One instance of equal values, shared by all outlines. */
function one<K, T>(shared: Map<K, T>, name: K, value: T): T {
  if (!shared.has(name)) shared.set(name, value);
  return shared.get(name) as T;
}
