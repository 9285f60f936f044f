import type * as vscode from 'vscode';
import { type Disposables, Lazy } from './base/disposable';
import { usesEarlierNames } from './editor/settings';
import { openFoundation, type LoadedFoundation, type Verbs } from './foundation';
import * as account from './features/account/register';
import * as agents from './features/agents/register';
import * as compare from './features/compare/register';
import * as form from './features/form/register';
import * as gallery from './features/gallery/register';
import { GenerationsView } from './features/generations/generationsView';
import * as generations from './features/generations/register';
import * as missing from './features/links/register';
import * as models from './features/models/register';
import * as origin from './features/origin/register';
import * as prices from './features/comparePrices/register';
import * as quickRender from './features/quickRender/register';
import * as renderFiles from './features/renderFiles/register';
import * as renders from './features/rendering/register';
import * as selection from './features/selection/register';
import * as spend from './features/spending/register';
import type { Documents } from './features/links/documents';
import type { OpenedRenderFiles } from './features/renderFiles/openRenderFiles';

/** Registers every feature, and hands each what it uses of others: the only place that knows them all. */
export function openApp(own: Disposables, context: vscode.ExtensionContext): void {
  const foundation = openFoundation(own, context, async (opened) => {
    const [{ RenderNotices }, shown] = await Promise.all([
      import('./features/rendering/renderNotices'),
      documents.get(),
    ]);
    own.add(new RenderNotices(opened, foundation.settings, foundation.session));
    shown.follow(opened);
  });
  const { connection, countdown, log } = foundation;
  const loaded = async (): Promise<LoadedFoundation> => {
    const [opened, quotes, { styles }] = await Promise.all([
      foundation.renders.get(),
      foundation.quotes.get(),
      files.get(),
    ]);
    return { ...foundation, renders: opened, quotes, styles };
  };

  const documents: Lazy<Documents> = new Lazy(async () => {
    const { Documents } = await import('./features/links/documents');
    return own.add(new Documents(foundation, async () => (await files.get()).styles));
  });
  const files: Lazy<OpenedRenderFiles> = new Lazy(async () => {
    const { openRenderFiles } = await import('./features/renderFiles/openRenderFiles');
    return openRenderFiles(own, foundation, documents, verbs.openCompare, () => forms.ready?.next);
  });
  const forms = new Lazy(async () => {
    const { openForms } = await import('./features/form/forms');
    const { links } = await documents.get();
    return own.add(openForms(await loaded(), links, verbs));
  });
  const comparisons = new Lazy(async () => {
    const { ComparePanels } = await import('./features/compare/comparePanels');
    const { extensionUri, workspaceState, globalStorageUri } = context;
    return own.add(
      new ComparePanels(extensionUri, workspaceState, globalStorageUri, foundation.renders, verbs.editImage, log),
    );
  });
  const boxes = new Lazy(async () => {
    await connection.begin();
    const { QuickRender } = await import('./features/quickRender/quickRender');
    return own.add(new QuickRender(await loaded(), documents, verbs));
  });
  const comparedPrices = new Lazy(async () => {
    const { ComparePrices } = await import('./features/comparePrices/priceBox');
    return new ComparePrices(await loaded());
  });
  const sent = new Lazy(async () => {
    const { SendSelection } = await import('./features/selection/sendSelection');
    return own.add(new SendSelection(await loaded(), verbs));
  });
  const agentTools = new Lazy(async () => {
    const { Tools } = await import('./features/agents/tools');
    return own.add(new Tools(await loaded(), documents));
  });
  const verbs: Verbs = {
    openForm: async (...what) => {
      await connection.begin();
      return (await import('./features/form/forms')).openForm(forms, context, ...what);
    },
    openCompare: async (...what) => (await comparisons.get()).open(...what),
    editImage: async (...what) => (await boxes.get()).edit(...what),
    whatFits: async (modelId, inputs) =>
      (await import('./features/comparePrices/whatFits')).whatFits(modelId, inputs, foundation),
    comparePrices: async (wish) => (await comparedPrices.get()).open(wish),
  };

  const view = own.add(new GenerationsView(foundation.renders, connection, countdown, log));
  account.register(own, foundation);
  models.register(own, foundation, verbs.openForm);
  missing.register(own, foundation, documents, files, boxes);
  renderFiles.register(own, foundation, files);
  generations.register(foundation, documents, view, forms, verbs);
  form.register(own, forms);
  compare.register(own, foundation, comparisons, verbs.openCompare);
  origin.register(own, foundation, documents, verbs.openForm);
  quickRender.register(foundation.commands, boxes);
  prices.register(foundation.commands, verbs.comparePrices, () => forms.ready?.request, boxes);
  selection.register(foundation.commands, sent);
  gallery.register(own, foundation);
  spend.register(own, foundation);
  agents.register(own, foundation, agentTools);
  void connection.startUnlessSandbox();
  void foundation.registered.then(async () => {
    if (usesEarlierNames()) await (await import('./editor/carryOver')).carryOver(log);
  });
  renders.register(foundation);
}
