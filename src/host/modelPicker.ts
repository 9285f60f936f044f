import * as vscode from 'vscode';
import { Owned } from '../base/disposable';
import { isObject } from '../base/json';
import type { Session } from '../catalog/session';
import type { ModelSummary } from '../catalog/types';
import type { Connection } from './connection';
import { matchModels } from './modelGroups';
import { icons } from './modelsTree';
import { iconless } from './plain';

interface Pick extends vscode.QuickPickItem {
  readonly model: ModelSummary;
}

/** More picks than this are slow to draw; typing finds the others. */
const mostPicks = 200;

/** The model a command is meant for: an id, a node of the Models view, or the one the person picks now. */
export async function chooseModel(
  argument: unknown,
  session: Session,
  connection: Connection,
): Promise<string | undefined> {
  const named = modelIdOf(argument);
  if (named !== undefined) return named;
  const picked = await pickModel(async () => {
    await connection.start();
    return (await session.models()).items;
  });
  return picked?.id;
}

/** Puts the id of a node of the Models view on the clipboard. */
export async function copyModelId(argument: unknown): Promise<void> {
  const id = modelIdOf(argument);
  if (id !== undefined) await vscode.env.clipboard.writeText(id);
}

function modelIdOf(argument: unknown): string | undefined {
  if (typeof argument === 'string' && argument !== '') return argument;
  if (!isObject(argument) || !isObject(argument.model)) return undefined;
  return typeof argument.model.id === 'string' ? argument.model.id : undefined;
}

/** Lets the person choose a model; undefined when they choose none. Rejects when the models cannot be listed. */
async function pickModel(list: () => Promise<readonly ModelSummary[]>): Promise<ModelSummary | undefined> {
  const own = new Owned();
  try {
    const picker = own.add(vscode.window.createQuickPick<Pick>());
    picker.title = vscode.l10n.t('Open Model');
    picker.placeholder = vscode.l10n.t('Search by title, provider or family');
    picker.busy = true;
    picker.show();
    const chosen = new Promise<ModelSummary | undefined>((resolve) => {
      own.add(picker.onDidAccept(() => resolve(picker.selectedItems[0]?.model)));
      own.add(picker.onDidHide(() => resolve(undefined)));
    });
    const models = await Promise.race([list(), chosen.then(() => [])]);
    const show = () => (picker.items = matchModels(models, picker.value, mostPicks).map(pickOf));
    own.add(picker.onDidChangeValue(show));
    show();
    picker.busy = false;
    return await chosen;
  } finally {
    own.dispose();
  }
}

/** Shown whatever the editor's own filter thinks: `matchModels` has filtered already, over more than can be handed over. */
function pickOf(model: ModelSummary): Pick {
  return {
    label: iconless(model.title, 100),
    description: iconless(model.id, 200),
    detail: model.description === undefined ? undefined : iconless(model.description, 160),
    iconPath: new vscode.ThemeIcon(icons[model.kind]),
    alwaysShow: true,
    model,
  };
}
