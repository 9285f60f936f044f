import type { JsonObject } from '../../../base/json';
import { mayMake } from '../../../catalog/kinds';
import type { Model } from '../../../catalog/types';
import { checkTemplate } from '../../../files/template';
import type { FormStrings, TargetView } from '../page/formMessages';
import { besides, type Target } from '../../../renders/record';
import type { LinkPlace } from '../../../documents/link';
import { oneLine } from '../../../base/plain';
import type { FormPort } from './formPort';

/** A missing file that a document names. */
export interface LinkTarget {
  /** Exactly that file. */
  readonly target: Target;
  /** Its path, for display. */
  readonly path: string;
  /** The name of an open document that links to it; undefined when there's none. */
  readonly document?: string;
}

/** Its dependencies on the editor. */
export interface TargetWorld {
  readonly port: Pick<FormPort, 'defaultTarget' | 'isOpen' | 'chooseTarget' | 'linkPlace' | 'previewName'>;
  readonly strings: Pick<FormStrings, 'nameSeparator' | 'nameUnknown'>;
  /** The target's folder, for display; undefined when no folder is open. */
  folder(target: Target): string | undefined;
}

/** The target of a form's results, and whether each gets a link where the person was writing last. */
export class FormTarget {
  private aimed: Target | undefined;
  private isChosen: boolean;
  private inserts = false;
  private link: LinkTarget | undefined;
  private shownLink: string | undefined;

  constructor(
    private readonly world: TargetWorld,
    chosen: Target | undefined,
  ) {
    this.aimed = chosen;
    this.isChosen = chosen !== undefined;
    this.renew();
  }

  /** The target of the next result. */
  get now(): Target {
    return this.link?.target ?? this.usual;
  }

  /** The target of results that aren't for a link. */
  get usual(): Target {
    return this.aimed ?? { folder: '', fileName: '' };
  }

  /** Undefined while it's the one from the settings. */
  get chosen(): Target | undefined {
    return this.isChosen ? this.aimed : undefined;
  }

  /** Makes the next result for this link; undefined for none. */
  forLink(link: LinkTarget | undefined): void {
    this.link = link;
  }

  /**
   * Something was ordered for that target: a link to that very file needs nothing more. True if the next result was for
   * it.
   */
  leave(target: Target): boolean {
    const isThat = !!this.link && JSON.stringify(besides(this.link.target)) === JSON.stringify(besides(target));
    if (isThat) this.link = undefined;
    return isThat;
  }

  /** Settings or the open folders changed: what was chosen in a folder that isn't open any more counts no longer. */
  renew(): void {
    const { port } = this.world;
    if (this.link && !port.isOpen(this.link.target)) this.link = undefined;
    if (this.aimed && !port.isOpen(this.aimed)) this.isChosen = false;
    if (!this.isChosen) this.aimed = port.defaultTarget();
  }

  /** Lets the person pick another folder. */
  async choose(): Promise<void> {
    const chosen = this.aimed && (await this.world.port.chooseTarget(this.aimed));
    if (chosen) this.aim(chosen);
  }

  /**
   * Names results by a template; an empty one means the settings'. Returns what is wrong with it; then nothing changes.
   */
  rename(fileName: string): string | undefined {
    const { strings, port } = this.world;
    const problem = checkTemplate(fileName);
    if (problem?.kind === 'separator') return strings.nameSeparator.replace('{0}', problem.character);
    if (problem) return strings.nameUnknown.replace('{0}', `\${${problem.variable}}`);
    const name = fileName.trim() === '' ? port.defaultTarget()?.fileName : fileName;
    if (this.aimed && name !== undefined) this.aim({ ...this.aimed, fileName: name });
    return undefined;
  }

  insertLink(inserts: boolean): void {
    this.inserts = inserts;
  }

  /** The place for the next order's link to a result of the model; undefined for no link. */
  insertsAt(model: Model | undefined): LinkPlace | undefined {
    return this.inserts ? this.linkPlace(model) : undefined;
  }

  /** True when the next result is for a link: that takes one. */
  isForOne(model: Model): boolean {
    return this.link !== undefined || this.insertsAt(model) !== undefined;
  }

  /** The target as the form shows it for a render of these inputs. */
  view(model: Model, inputs: JsonObject): TargetView {
    const { aimed, world, link: named } = this;
    if (!aimed) return { folder: '', hasFolder: false, fileName: '', preview: '' };
    const folder = world.folder(aimed);
    const link = this.linkView(model);
    this.shownLink = JSON.stringify(link);
    return {
      folder: folder ?? '',
      hasFolder: folder !== undefined,
      fileName: aimed.fileName,
      preview: world.port.previewName(aimed, model, inputs),
      ...(link && { link }),
      ...(named && { named: { path: named.path, document: named.document } }),
    };
  }

  /** The cursor moves with every key: true when the text shown last has changed. */
  isMoved(model: Model | undefined): boolean {
    return JSON.stringify(this.linkView(model)) !== this.shownLink;
  }

  private aim(target: Target): void {
    this.link = undefined;
    this.aimed = target;
    this.isChosen = true;
  }

  private linkView(model: Model | undefined): TargetView['link'] {
    const place = this.linkPlace(model);
    return place && { document: oneLine(place.name, 60), line: place.line, insert: this.inserts };
  }

  /** Only images get links, and a result for a link has one already. */
  private linkPlace(model: Model | undefined): LinkPlace | undefined {
    return this.aimed && !this.link && model && mayMake(model, 'image')
      ? this.world.port.linkPlace(this.aimed)
      : undefined;
  }
}
