import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../../base/json';
import { escapeForIcons, plain } from '../../base/plain';
import { formatCents, timeWords } from '../../base/format';
import type { Session } from '../../catalog/session';
import { initialValues, inputsOf, type ModelKind, type ModelSummary, promptField } from '../../catalog/fields';
import { asPrompt } from '../../compose/writing';
import { keepOrder, offerBack, separator, untilLeft, whileBusy } from '../../editor/boxes';
import { formViewType } from '../../editor/ids';
import { sentenceOf } from '../../editor/words';
import { type Among, type AtHand, type FoundModels, icons, ModelSearch, typedModel } from './model/modelGroups';
import { kindWords } from './kindWords';
import { firstModel, mostReadForImages } from './model/lastModel';
import type { ModelKinds, ShownModels } from './model/modelList';

interface ModelPick extends vscode.QuickPickItem {
  readonly model?: ModelSummary;
}

/** A few screens of rows: more would slow every key down, and typing finds the rest. */
const mostPicks = 40;

/**
 * The model of a form that a command opens, and inputs to begin with, if any: an id or a node of the Models view; for
 * `{ "example": true }`, the first model for images with a prompt that its service suggests; or the user's choice now.
 */
export async function chooseModel(
  argument: unknown,
  list: () => Promise<ShownModels>,
  { session, chosenModels }: { readonly session: Session; readonly chosenModels: AtHand },
): Promise<[modelId: string, inputs?: JsonObject] | undefined> {
  const named = modelIdOf(argument);
  if (named !== undefined) return [named];
  const example =
    isObject(argument) && argument.example === true ? await exampleOf(list, session, chosenModels.recent) : undefined;
  if (example) return example;
  const picked = await pickModel(list, chosenModels);
  return picked && [picked.id];
}

/** Undefined when no model needs only a prompt. */
async function exampleOf(
  list: () => Promise<ShownModels>,
  session: Session,
  recent: readonly string[],
): Promise<[modelId: string, inputs?: JsonObject] | undefined> {
  await list();
  const model = await firstModel(session, 'image', asPrompt, '');
  const field = model && promptField(model.fields);
  const [prompt] = field?.examples ?? [];
  // A form in use keeps what somebody typed.
  const isUsed = model && (recent.includes(model.id) || isFormOpen(model.title));
  if (!field || prompt === undefined || isUsed) return model && [model.id];
  return [model.id, { ...inputsOf(model.fields, initialValues(model.fields)), [field.name]: prompt }];
}

function isFormOpen(title: string): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(
      ({ label, input }) =>
        label === title && input instanceof vscode.TabInputWebview && input.viewType.endsWith(formViewType),
    ),
  );
}

/** Copies the id of a node of the Models view. */
export async function copyModelId(argument: unknown): Promise<void> {
  const id = modelIdOf(argument);
  if (id !== undefined) await vscode.env.clipboard.writeText(id);
}

/** The id that a command was given, alone or in a node of the Models view. */
export function modelIdOf(argument: unknown): string | undefined {
  if (typeof argument === 'string' && argument !== '') return argument;
  if (!isObject(argument) || !isObject(argument.model)) return undefined;
  return typeof argument.model.id === 'string' ? argument.model.id : undefined;
}

/** What a model is picked for, if not every model will do. */
export interface ModelPurpose {
  readonly title?: string;
  readonly placeholder?: string;
  /** Said when no model in the list will do. */
  readonly none?: string;
  /** Those of the list that will do, as far as that's known. */
  readonly among: (models: readonly ModelSummary[]) => readonly ModelSummary[] | Promise<readonly ModelSummary[]>;
  /** Why a model won't do, in a sentence; undefined if it will. Never rejects. */
  readonly objection?: (model: ModelSummary) => Promise<string | undefined>;
}

/** The models that take an image. Of a long list each is read only when it's picked. */
export function takingImages(session: Session): ModelPurpose {
  const takes = async ({ id }: ModelSummary) => (await session.model(id)).fields.some(({ kind }) => kind === 'image');
  return {
    none: vscode.l10n.t('No model accepts images.'),
    among: async (models) => {
      if (models.length > mostReadForImages) return models;
      const taking = await Promise.all(models.map((model) => takes(model).catch(() => true)));
      return models.filter((_, index) => taking[index]);
    },
    objection: async (model) => {
      try {
        if (await takes(model)) return undefined;
        return vscode.l10n.t('“{0}” doesn’t accept images. Choose another model.', plain(model.title, 80));
      } catch (error) {
        return sentenceOf(error);
      }
    },
  };
}

/**
 * Lets the user pick a model; undefined when they cancel, or go back to the previous step. With a purpose, the list has
 * only models for it, and the picker stays open until one is picked that will do. Rejects when the models can't be
 * listed.
 */
export async function pickModel(
  list: () => Promise<ShownModels>,
  atHand: AtHand,
  isStep = false,
  purpose?: ModelPurpose,
): Promise<ModelSummary | undefined> {
  const picker = vscode.window.createQuickPick<ModelPick>();
  try {
    const title = purpose?.title ?? (isStep ? vscode.l10n.t('Choose a Model') : vscode.l10n.t('Open Model Form'));
    picker.title = title;
    picker.placeholder =
      purpose?.placeholder ?? vscode.l10n.t('Search by name, description, or kind, or enter a model ID');
    keepOrder(picker);
    picker.busy = true;
    const chosen = untilLeft<ModelSummary>((leave, own) => {
      if (isStep) own.add(offerBack(picker, () => leave(undefined)));
      const accept = async () => {
        const model = picker.selectedItems[0]?.model;
        // Enter with nothing to pick does nothing yet.
        if (!model) return;
        const objection = await purpose?.objection?.(model);
        if (objection === undefined) return leave(model);
        picker.value = '';
        // The place in a picker for a sentence.
        picker.placeholder = objection;
      };
      own.add(picker.onDidAccept(() => void whileBusy(picker, accept)));
      return picker;
    });
    const listed = async () => {
      const models = await list();
      const { items } = models.listing;
      return { models, items: purpose ? await purpose.among(items) : items };
    };
    const read = await Promise.race([listed(), chosen.then(() => undefined)]);
    if (!read) return undefined;
    const { models, items } = read;
    if (models.kept) picker.title = keptTitle(title, models);
    const search = new ModelSearch(items, purpose ? amongThem(atHand, items) : atHand, kindWords);
    const show = () => {
      const found = search.find(picker.value, mostPicks);
      const known = [...items, ...found.found.map(({ model }) => model)];
      const typed = typedModel(picker.value, known);
      const picks = [...rows(found, models), ...(typed ? [unlistedPick(typed)] : [])];
      picker.items = picks.length === 0 ? [unchoosable(nothingWords(picker.value, purpose?.none))] : picks;
    };
    picker.onDidChangeValue(show);
    show();
    picker.busy = false;
    return await chosen;
  } finally {
    picker.dispose();
  }
}

function keptTitle(title: string, { at }: ShownModels): string {
  const when = timeWords(at, Date.now(), vscode.env.language);
  return vscode.l10n.t('{0} · offline, list from {1}', title, when);
}

/** With a separator above each part if there are several, and a row at the end for what is left out. */
function* rows({ found, more }: FoundModels, { costOf }: ShownModels): Generator<ModelPick> {
  const isParted = found[0]?.among !== found.at(-1)?.among;
  for (const [index, { model, among, isUnlisted, needsId }] of found.entries()) {
    if (isParted && among !== found[index - 1]?.among) yield separator(partWords(among));
    yield isUnlisted ? unlistedPick(model) : pickOf(model, needsId, costOf(model.id));
  }
  if (more > 0) yield unchoosable(notShownWords(more));
}

/** A row that can't be picked: Enter on it does nothing. */
function unchoosable(label: string): ModelPick {
  return { label, alwaysShow: true };
}

/** `none` is the sentence for a list that's empty for a reason of its own. */
function nothingWords(searched: string, none: string | undefined): string {
  if (searched.trim() !== '') return vscode.l10n.t('No matching models');
  return (
    none ??
    vscode.l10n.t(
      'The service doesn’t list any models for this account. Ask your service administrator which models the key can use.',
    )
  );
}

/** Those at hand that are in the list. */
function amongThem({ favourites, recent }: AtHand, models: readonly ModelSummary[]): AtHand {
  const ids = new Set(models.map(({ id }) => id));
  return { favourites: favourites.filter((id) => ids.has(id)), recent: recent.filter((id) => ids.has(id)) };
}

function notShownWords(more: number): string {
  const count = more.toLocaleString(vscode.env.language);
  return vscode.l10n.t('More models: {0}. Type to search.', count);
}

function partWords(among: Among): string {
  if (among === 'favourites') return vscode.l10n.t('favorites');
  return among === 'recent' ? vscode.l10n.t('recently used') : vscode.l10n.t('all models');
}

/** Opening it shows whether the service has it. */
function unlistedPick(model: ModelSummary): ModelPick {
  return {
    ...pickOf(model, false),
    label: escapeForIcons(model.id, 200),
    description: vscode.l10n.t('not in the list'),
  };
}

/** Always shown, since our search has filtered already. */
function pickOf(model: ModelSummary, needsId: boolean, costCents?: number): ModelPick {
  const price = costCents === undefined ? [] : [formatCents(costCents, vscode.env.language)];
  const id = needsId ? [escapeForIcons(model.id, 200)] : [];
  return {
    label: escapeForIcons(model.title, 100),
    description: [...price, ...id].join(' · '),
    detail: model.description === undefined ? undefined : escapeForIcons(model.description, 160),
    iconPath: new vscode.ThemeIcon(icons[model.kind ?? 'other']),
    alwaysShow: true,
    model,
  };
}

/**
 * The kind of a model: from the service, from its results, else from the user, who is asked once. Undefined when they
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
