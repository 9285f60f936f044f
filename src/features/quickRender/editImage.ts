import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { plain } from '../../base/plain';
import { showProblem } from '../../editor/commands';
import { nextColumn } from '../../editor/openBeside';
import { unfitIssue } from '../../catalog/fields';
import { fitWords, issueSentence, remedyOf, sentenceOf } from '../../editor/words';
import { UserError } from '../../editor/userError';
import { imageAt } from '../../editor/workspaceFiles';
import { imagesOf } from '../../files/givenImages';
import { displayedSize, imageFacts } from '../../files/imageSize';
import { fileNameOf } from '../../files/names';
import { sniff } from '../../files/sniff';
import type { LoadedFoundation, Verbs } from '../../foundation';
import type { LibraryEntry } from '../../renders/library';
import type { Target } from '../../renders/record';
import { openStaged } from '../compare/compareActions';
import { imageOf, type OpenCompare } from '../compare/comparePanels';
import { linkFit } from '../links/linkFit';
import { takingImages } from '../models/modelPicker';
import { OrderDialog } from './orderDialog';

/**
 * *Edit This Image…*: a box for what should change in an image. Its result has the image's size and format, and opens
 * in a comparison with it, where the user accepts it, keeps both, or discards it.
 */
export class EditImage implements Disposable {
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
