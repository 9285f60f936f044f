import type { Composer } from '../../../compose/composer';
import type { LinkPlace } from '../../../documents/link';
import { checkTemplate } from '../../../files/template';
import type { FormStrings, TargetView } from '../page/formMessages';
import type { Target } from '../../../renders/record';
import { oneLine } from '../../../base/plain';
import type { FormHost } from './formHost';

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
export interface FormTargetDeps {
  readonly host: Pick<FormHost, 'defaultTarget' | 'chooseTarget' | 'isRestricted' | 'linkPlace' | 'previewName'>;
  readonly strings: FormStrings;
  /** The target's folder, for display; undefined when no folder is open. */
  folder(target: Target): string | undefined;
}

/** The target of a form's results, as the form shows and changes it. */
export class FormTarget {
  private link: LinkTarget | undefined;
  private shownLink: string | undefined;

  constructor(
    private readonly deps: FormTargetDeps,
    private readonly draft: Composer,
  ) {}

  /** Makes the next result for this link; undefined for none. */
  forLink(link: LinkTarget | undefined): void {
    this.link = link;
    this.draft.target.once = link?.target;
  }

  /** The place for a link to a result: one for a link inserts no other. */
  get linkPlace(): LinkPlace | undefined {
    const { once, usual } = this.draft.target;
    return usual && !once ? this.deps.host.linkPlace(usual) : undefined;
  }

  /** Lets the user pick another folder. */
  async choose(): Promise<void> {
    const { target } = this.draft;
    const chosen = target.usual && (await this.deps.host.chooseTarget(target.usual));
    if (chosen) target.choose(chosen);
  }

  /**
   * Names results by a template; an empty one means the settings'. Returns what is wrong with it; then nothing changes.
   */
  rename(fileName: string): string | undefined {
    const { strings, host: port } = this.deps;
    const problem = checkTemplate(fileName);
    if (problem?.kind === 'separator') return strings.nameSeparator.replace('{0}', problem.character);
    if (problem) return strings.nameUnknown.replace('{0}', `\${${problem.variable}}`);
    const { target } = this.draft;
    const name = fileName.trim() === '' ? port.defaultTarget()?.fileName : fileName;
    if (target.usual && name !== undefined) target.choose({ ...target.usual, fileName: name });
    return undefined;
  }

  /** The target as the form shows it. */
  view(): TargetView {
    const { deps, draft } = this;
    const { usual, once } = draft.target;
    if (!usual || !draft.model) return { folder: '', hasFolder: false, fileName: '', preview: '' };
    const folder = deps.folder(usual);
    const link = this.linkView();
    const named = once && once === this.link?.target ? this.link : undefined;
    this.shownLink = JSON.stringify(link);
    return {
      folder: folder ?? '',
      hasFolder: folder !== undefined,
      fileName: usual.fileName,
      preview: deps.host.previewName(usual, draft.model, draft.typedInputs),
      ...(deps.host.isRestricted() && { isRestricted: true }),
      ...(link && { link }),
      ...(named && { named: { path: named.path, document: named.document } }),
    };
  }

  /** The cursor moves with every key: true when the text shown last has changed. */
  get isMoved(): boolean {
    return JSON.stringify(this.linkView()) !== this.shownLink;
  }

  private linkView(): TargetView['link'] {
    const { place, target } = this.draft;
    return place && { document: oneLine(place.name, 60), line: place.line, insert: target.inserts };
  }
}
