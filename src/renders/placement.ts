import type { Clock } from '../base/clock';
import type { Log } from '../base/log';
import { promptOf } from '../catalog/fields';
import type { Calendar } from '../files/calendar';
import type { NameClaim, Sink } from '../files/sink';
import { endingFor } from '../files/sniff';
import { fillTemplate } from '../files/template';
import type { MetadataEmbedder } from './metadataEmbedder';
import type { Ledger } from './ledger';
import { find } from './library';
import type { Progress, RenderRecord, Spooled, Target } from './record';
import { Undelivered } from './undelivered';
import type { Hold } from './windowLease';

/** The folder for staged results, in the staging folder. */
export const stagedFolder = 'staged';

/** The folder for copies to look at. */
export const copiesFolder = 'compared';

/** The sink for a root folder; undefined while this window can't reach it. */
export type Sinks = (root: string) => Sink | undefined;

/** Moves results from the spool to the folder and name they were ordered for, each to its own file. */
export class Placement {
  constructor(
    private readonly ledger: Ledger,
    private readonly sinks: Sinks,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly embedder: MetadataEmbedder | undefined,
    /** URI; see Downloader. */
    private readonly staging: string | undefined,
  ) {}

  /**
   * Saves the result at its target and returns the change for its record. `earlier` is the name (URI) that a previous
   * attempt recorded for it; `mayInstruct` is as in NameClaim. Rejects with Undelivered `noFolder` or `folderGone`,
   * with LeaseLost before a window without its lease takes a name, or as Sink.
   */
  async place(
    record: RenderRecord & { spooled: Spooled },
    target: Target,
    earlier: string | undefined,
    hold: Hold,
    mayInstruct = false,
  ): Promise<Pick<Progress, 'file' | 'staged' | 'sidecar'>> {
    const isStaged = this.isStaged(target);
    const { root, folder } = isStaged ? { root: this.staging, folder: stagedFolder } : target;
    if (root === undefined) throw new Undelivered({ code: 'noFolder' });
    const sink = this.sinks(root);
    if (!sink) throw new Undelivered({ code: 'folderGone', detail: root });
    const { key, spooled } = record;
    const claim: NameClaim = {
      earlier: (await this.isAnothers(record, earlier)) ? undefined : earlier,
      // One commit for both: until it has a name, the result can be downloaded again.
      record: (claimed) => {
        hold.prove();
        return this.ledger.claim(key, claimed, spooled);
      },
      mayInstruct,
      prove: () => hold.prove(),
    };
    const named = { ...spooled, extension: endingFor(spooled.extension, target.ending) };
    const name = resultName(record, target, this.calendar);
    const companion = this.embedder?.companion(record);
    const { uri, companionProblem } = await sink.publish(named, root, folder, name, claim, companion);
    if (companionProblem)
      this.log.warn(`Couldn’t write the sidecar file for render ${key}: ${companionProblem.message}`);
    return { file: uri, staged: isStaged || undefined, sidecar: companion && companionProblem === undefined };
  }

  /** As Sink.free for a name that the ledger has recorded. Also rejects with LeaseLost. */
  async free(name: string, hold: Hold): Promise<boolean> {
    return (await this.sinks(name)?.free?.(name, () => hold.prove())) ?? false;
  }

  /** False while this window has no way to the folder that the result is to be saved in. */
  reaches(target: Target): boolean {
    return target.root === undefined || this.isStaged(target) || this.sinks(target.root) !== undefined;
  }

  private isStaged({ replaces }: Target): boolean {
    return replaces !== undefined && this.staging !== undefined;
  }

  /**
   * Results with equal bytes are still separate files, so one that another render was saved as isn't ours. A record
   * with other bytes is about an earlier file of that name, which is gone.
   */
  private async isAnothers({ key, spooled }: RenderRecord, earlier: string | undefined): Promise<boolean> {
    if (earlier === undefined) return false;
    const same = await find(
      this.ledger,
      this.clock,
      ({ file, sha256 }) => file === earlier && sha256 === spooled?.sha256,
    );
    return same.some((other) => other.key !== key);
  }
}

type Named = Pick<RenderRecord, 'plannedAt' | 'modelId' | 'inputs' | 'generationId' | 'index'>;

/** The file name of a render's result at this target, without extension, before other files are taken into account. */
export function resultName(record: Named, target: Target, calendar: Calendar): string {
  if (target.ending !== undefined) return target.fileName;
  const { plannedAt, modelId, inputs, generationId = '', index } = record;
  const facts = { time: plannedAt, modelId, prompt: promptOf(undefined, inputs), id: generationId, index };
  return fillTemplate(target.fileName, facts, calendar);
}
