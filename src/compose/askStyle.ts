import * as vscode from 'vscode';
import type { AppliedStyle, ProjectStyle } from './projectStyles';
import { escapeForIcons } from '../base/plain';
import { type Around } from '../catalog/fields';
import { keepOrder, offerBack, untilLeft } from '../editor/boxes';

interface StylePick extends vscode.QuickPickItem {
  readonly id: string | undefined;
}

/** Lets the user choose one of the styles, or none. Undefined when they go back. */
export function askStyle(styles: readonly ProjectStyle[], chosen: string | undefined): Promise<StylePick | undefined> {
  const none = { label: vscode.l10n.t('None'), id: undefined };
  const rows = styles.map((style): StylePick => ({
    id: style.id,
    label: escapeForIcons(style.label, 160),
    detail: escapeForIcons(aroundWords(style), 300),
  }));
  return untilLeft((leave, own) => {
    const picker = own.add(vscode.window.createQuickPick<StylePick>());
    keepOrder(picker);
    picker.title = vscode.l10n.t('Project Style');
    picker.placeholder = vscode.l10n.t('Choose a style of your render files');
    picker.items = [none, ...rows];
    picker.activeItems = picker.items.filter(({ id }) => id === chosen);
    own.add(offerBack(picker, () => leave(undefined)));
    own.add(picker.onDidAccept(() => leave(picker.selectedItems[0])));
    return picker;
  });
}

/** A style’s words, with the place of the prompt. */
function aroundWords({ before, after }: Around): string {
  return before + after === '' ? '' : [before, '…', after].filter(Boolean).join(' ');
}

/** What the model doesn’t take of a style; undefined if it takes all of it. */
export function notTakenWords(style: AppliedStyle | undefined): string | undefined {
  const { leftOut = [] } = style ?? {};
  return leftOut.length > 0 ? vscode.l10n.t('Not supported by this model: {0}', leftOut.join(', ')) : undefined;
}
