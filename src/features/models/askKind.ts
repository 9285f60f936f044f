import * as vscode from 'vscode';
import type { Session } from '../../catalog/session';
import type { ModelKind } from '../../catalog/types';
import { plain } from '../../base/plain';
import { icons } from './model/modelIcons';
import type { ModelKinds } from './model/modelKinds';

/**
 * The kind of a model: from the service, from its results, else from the person, who is asked once. Undefined when they
 * don't say. Rejects with ServiceError when the model can't be read.
 */
export async function askKind(session: Session, kinds: ModelKinds, modelId: string): Promise<ModelKind | undefined> {
  const { kind, title } = await session.model(modelId);
  const { place } = session.state;
  if (kind !== undefined || !place) return kind;
  const items: readonly (vscode.QuickPickItem & { readonly kindMade: ModelKind })[] = [
    { label: vscode.l10n.t('Image'), iconPath: new vscode.ThemeIcon(icons.image), kindMade: 'image' },
    { label: vscode.l10n.t('Text'), iconPath: new vscode.ThemeIcon(icons.text), kindMade: 'text' },
    { label: vscode.l10n.t('Other'), iconPath: new vscode.ThemeIcon(icons.other), kindMade: 'other' },
  ];
  const answer = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('What does {0} generate?', plain(title, 80)),
    placeHolder: vscode.l10n.t('The service doesn’t say. You’re asked once per model.'),
    ignoreFocusOut: true,
  });
  if (answer) await kinds.say(place, modelId, answer.kindMade);
  return answer?.kindMade;
}
