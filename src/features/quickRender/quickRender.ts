import * as vscode from 'vscode';
import { type Disposable, Disposables, type Lazy } from '../../base/disposable';
import { promptOfLink, shapeOf } from '../../documents/prompt';
import type { LibraryEntry } from '../../renders/library';
import type { PricedOrder, RenderRecord, Target } from '../../renders/record';
import type { DocumentLink } from '../links/documentLinks';
import { linkPlace } from '../links/linkPlace';
import { renderAndInsert } from '../links/renderAndInsert';
import { fileNameOf } from '../../files/names';
import { openBeside, nextColumn } from '../../editor/openBeside';
import { promptsBefore } from '../../compose/promptsBefore';
import { plain } from '../../base/plain';
import { fitWords, issueSentence, remedyOf, sentenceOf } from '../../editor/words';
import { linkFit } from '../links/linkFit';
import { modelIdOf, takingImages } from '../models/modelPicker';
import { renderVariants, openStaged } from '../compare/compareActions';
import { StillWanted } from '../rendering/stillWanted';
import { folderWords } from '../rendering/targets';
import { selectedNow, selectedText } from '../../editor/selected';
import { requireTrust } from '../../editor/trust';
import { UserError } from '../../editor/userError';
import type { LoadedFoundation, Verbs } from '../../foundation';
import { OrderDialog } from './orderDialog';
import type { BoxOpening } from './model/quickRenderState';
import type { Documents } from '../links/documents';
import { showProblem } from '../../editor/commands';
import { unfitIssue } from '../../catalog/fields';
import { imageAt } from '../../editor/workspaceFiles';
import { imagesOf } from '../../files/givenImages';
import { displayedSize, imageFacts } from '../../files/imageSize';
import { sniff } from '../../files/sniff';
import { imageOf, type OpenCompare } from '../compare/comparePanels';

/** What applies to the orders of one opening of the box. */
interface Ordering {
  /** As in `Renders.shows`, unless a link shows the result. */
  readonly show?: (entry: LibraryEntry) => boolean;
  /** Leaves out what is ordered already by the time that it's chosen. */
  readonly still?: StillWanted;
}

/** A box for a prompt that Enter renders. The typed text is kept as long as the window is open. */
export class QuickRender implements Disposable {
  private readonly own = new Disposables();
  private readonly dialog: OrderDialog;
  private editing: EditImage | undefined;

  constructor(
    private readonly foundation: LoadedFoundation,
    private readonly documents: Lazy<Documents>,
    private readonly verbs: Verbs,
  ) {
    const typedBefore = () => promptsBefore(foundation.renders.library, 'image');
    this.dialog = this.own.add(new OrderDialog(foundation, verbs, { purpose: 'render', kind: 'image', typedBefore }));
  }

  /**
   * Asks for a prompt and renders it, into `folder` if the Explorer gives one, starting with `model` if that is an ID,
   * or a row of the Models view. Resolves when the render is ordered or the user canceled. Rejects with UserError when
   * nothing can be saved in the folder, or nothing was ordered.
   */
  async open(folder?: unknown, model?: unknown): Promise<void> {
    const target = folder instanceof vscode.Uri ? this.foundation.renders.targets.at(folder) : undefined;
    const title = target
      ? vscode.l10n.t('Quick Render to {0}', plain(folderWords(target) || '.', 80))
      : vscode.l10n.t('Quick Render');
    const show = (entry: LibraryEntry) => {
      const isOpened = this.foundation.settings.openBeside;
      if (isOpened) void openBeside(entry);
      return isOpened;
    };
    const modelId = modelIdOf(model);
    await this.order(title, { modelId, selection: selectedText(), target, place: linkPlace() }, { show });
  }

  /**
   * The same, and inserts a link to the result at the cursor. Rejects with UserError when the active editor can't hold
   * one.
   */
  async openToInsert(): Promise<void> {
    const place = linkPlace();
    if (!place) {
      throw new UserError(
        vscode.l10n.t(
          'Place the cursor where the image should go, in a file of an open folder. Markdown, HTML, JSX, Vue, Svelte, Astro, CSS, LaTeX, Typst, reStructuredText, and AsciiDoc can show images.',
        ),
      );
    }
    await this.order(vscode.l10n.t('Render Image and Insert Link'), {
      selection: selectedText(),
      place,
      inserting: true,
    });
  }

  /**
   * The same with the selected text as the prompt, and opens the result next to its document. Rejects with UserError
   * when none is selected.
   */
  async openForSelection(): Promise<void> {
    const { document, passage } = selectedNow();
    const opening = { selection: passage.text, place: linkPlace() };
    const record = await this.order(vscode.l10n.t('Render Image from Selection'), opening);
    if (!record) return;
    this.foundation.renders.shows.set(record.key, (entry) => {
      void openBeside(entry, document);
      return false;
    });
  }

  /** Asks for a prompt, and compares prices of models for it. Otherwise as `open`. */
  async openToCompare(modelId?: string): Promise<void> {
    await this.order(vscode.l10n.t('Compare Prices'), { modelId, selection: selectedText(), comparing: true });
  }

  /**
   * The same for a link to a missing image: its words are the prompt, its file the target. Rejects as `open`, and with
   * UserError in Restricted Mode.
   */
  async openFor({ link, file }: DocumentLink): Promise<void> {
    requireTrust();
    const { renders, settings } = this.foundation;
    const still = new StillWanted(renders);
    const size = shapeOf(link);
    const fit = linkFit(file, size, settings);
    const target = { ...renders.targets.file(file), fit };
    const name = vscode.l10n.t('Render {0}', plain(fileNameOf(file.toString()), 80));
    const title = [name, size && fitWords(fit)].filter((words) => words !== undefined).join(' · ');
    await this.order(title, { selection: promptOfLink(link), target, size }, { still });
  }

  /** See `Verbs.editImage`. */
  edit(file: vscode.Uri, replaced?: vscode.Uri): Promise<void> {
    this.editing ??= this.own.add(new EditImage(this.foundation, this.verbs));
    return this.editing.open(file, replaced);
  }

  dispose(): void {
    this.own.dispose();
  }

  /** Undefined when nothing was ordered. */
  private async order(
    title: string,
    opening: BoxOpening,
    { show, still }: Ordering = {},
  ): Promise<RenderRecord | undefined> {
    const { dialog } = this;
    const { renders } = this.foundation;
    const chosen = await dialog.ask(title, opening);
    const { initiator, draft } = dialog.state;
    const { insertsAt: place, typedInputs } = draft;
    const orders = chosen && (still ? await still.among(chosen) : chosen);
    const [order, ...others] = orders ?? [];
    if (!orders || !order) {
      still?.tell();
      return undefined;
    }
    if (others.length > 0) return this.orderVariants(orders, still);
    // The price was on the chosen row.
    const record = await (place
      ? renderAndInsert(order, place, renders, (await this.documents.get()).links, initiator, typedInputs)
      : renders.orders.render(order, initiator, still?.isWanted));
    still?.tell();
    if (record) dialog.state.ordered(order);
    if (record && show && !place) renders.shows.set(record.key, show);
    return record;
  }

  /** Their images are shown together, so none is shown on its own. */
  private async orderVariants(orders: readonly PricedOrder[], still: StillWanted | undefined): Promise<undefined> {
    const { state } = this.dialog;
    const [order] = orders;
    if ((await renderVariants(orders, state.initiator, this.foundation, this.verbs.openCompare, still)) && order)
      state.ordered(order);
  }
}

/**
 * *Edit This Image…*: a box for what should change in an image. Its result has the image's size and format, and opens
 * in a comparison with it, where the user accepts it, keeps both, or discards it.
 */
class EditImage implements Disposable {
  private readonly own = new Disposables();
  private readonly dialog: OrderDialog;

  constructor(
    private readonly foundation: LoadedFoundation,
    private readonly verbs: Verbs,
  ) {
    this.dialog = this.own.add(
      new OrderDialog(foundation, verbs, {
        purpose: 'edit',
        kind: 'image',
        lastModelKey: 'editImage.lastModel',
        models: takingImages(foundation.session),
      }),
    );
  }

  /** See `Verbs.editImage`. */
  async open(file: vscode.Uri, replaced: vscode.Uri = file): Promise<void> {
    const { context, renders, settings } = this.foundation;
    const { state } = this.dialog;
    const { bytes, name } = await imageAt(file);
    const unfit = unfitIssue(imageFacts(bytes, sniff(bytes).mediaType));
    if (unfit) throw new UserError(issueSentence(unfit));
    const image = imagesOf(context).keep(bytes, name);
    const size = displayedSize(bytes);
    const fit = linkFit(replaced, size, settings);
    const target = vscode.workspace.getWorkspaceFolder(replaced)
      ? { ...(await renders.targets.replacing(replaced)), fit }
      : renders.targets.shown();
    const [order] = (await this.dialog.ask(titleOf(target, file), { image, size, target })) ?? [];
    if (!order) return;
    // The price was on the chosen row.
    const record = await renders.orders.render(order, state.initiator);
    if (!record) return;
    state.ordered(order);
    renders.shows.set(record.key, (entry) => this.show(entry, file));
  }

  dispose(): void {
    this.own.dispose();
  }

  /** False when nothing was saved: then the user is told in the usual way. Who is writing goes on writing. */
  private show(entry: LibraryEntry, before: vscode.Uri): boolean {
    if (entry.file === undefined) return false;
    const where = vscode.window.activeTextEditor ? { viewColumn: nextColumn(), preserveFocus: true } : undefined;
    const openCompare: OpenCompare = (images, mode, decides) => this.verbs.openCompare(images, mode, decides, where);
    const after = imageOf(vscode.Uri.parse(entry.file, true), entry);
    const opened = entry.record?.staged
      ? openStaged(entry, openCompare)
      : openCompare([imageOf(before), after], 'slider');
    opened.catch((error: unknown) => showProblem(sentenceOf(error), remedyOf(error)));
    return true;
  }
}

function titleOf({ replaces, fit }: Target, file: vscode.Uri): string {
  const name = plain(fileNameOf(replaces?.uri ?? file.toString()), 80);
  return [vscode.l10n.t('Edit {0}', name), fitWords(fit)].filter((words) => words !== undefined).join(' · ');
}
