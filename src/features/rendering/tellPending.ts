import * as vscode from 'vscode';
import { canDo } from './model/actions';
import { views, type ActionId } from '../../editor/ids';
import { plain } from '../../base/plain';
import type { LibraryEntry } from '../../renders/library';
import type { Renders } from './renders';
import { offer } from './renderNotices';
import { standing, story } from './renderWords';

/** An image that isn't ordered, since it has a render that isn't over. */
export interface PendingImage {
  /** The name of its file. */
  readonly name: string;
  /** The ID of that render. */
  readonly id: string;
}

/** Says what these images wait for, and offers what can be done about it. */
export async function tellPending(
  images: readonly PendingImage[],
  { library }: Pick<Renders, 'library'>,
): Promise<void> {
  const [first, ...others] = images;
  if (!first) return;
  if (others.length > 0) return tellSeveral(images.length);
  const entry = library.get(first.id);
  const sentence = pendingSentence(first.name, entry);
  if (!entry || entry.group === 'active') return void vscode.window.showInformationMessage(sentence);
  const ways: ActionId[] = ['reviewStaged', 'sendPlanned', 'discardPlanned', 'saveAs', 'downloadAgain'];
  const possible = [...ways, 'compareWithService' as const].filter((action) => canDo(action, entry));
  const { showInformationMessage, showWarningMessage } = vscode.window;
  await offer(entry.record?.staged ? showInformationMessage : showWarningMessage, sentence, entry, possible);
}

/** What the image of a file with this name waits for; without an entry, a render that is hidden by now. */
export function pendingSentence(name: string, entry: LibraryEntry | undefined): string {
  const shown = plain(name, 60);
  if (!entry || entry.group === 'active') return vscode.l10n.t('“{0}” is already in progress.', shown);
  return entry.record?.staged
    ? vscode.l10n.t('The new image for “{0}” is ready to review.', shown)
    : vscode.l10n.t('“{0}”: {1}', shown, story(entry) ?? standing(entry));
}

async function tellSeveral(count: number): Promise<void> {
  const show = vscode.l10n.t('Show Generations View');
  const sentence = vscode.l10n.t('{0} images are in progress or waiting for your decision.', count);
  if ((await vscode.window.showInformationMessage(sentence, show)) === show)
    await vscode.commands.executeCommand(`${views.generations}.focus`);
}
