import * as vscode from 'vscode';
import { systemClock } from './base/clock';
import { Owned } from './base/disposable';
import { Lazy } from './base/lazy';
import { Session } from './catalog/session';
import { registerAccountCommands } from './host/account/accountCommands';
import { ApiKeys } from './host/account/apiKey';
import { refreshOnFocus } from './host/account/balanceRefresh';
import { Clients } from './host/account/clients';
import { lookForService } from './host/account/comeBack';
import { Connection } from './host/account/connection';
import { noticeKeys } from './host/account/keyNotice';
import { StatusBar } from './host/account/statusBar';
import { noticeWorkspaceAddress } from './host/account/workspaceNotice';
import { Commands } from './host/commands';
import type { OpenCompare } from './host/compare/comparedPicture';
import { followAccount, followRenders } from './host/contextKeys';
import { Countdown } from './host/countdown';
import type { OpenForm } from './host/form/openForm';
import { RenderDetails } from './host/generations/details';
import { GenerationsView } from './host/generations/generationsView';
import { registerResultCommands } from './host/generations/resultCommands';
import {
  answerWays,
  commands as ids,
  compareViewType,
  formViewType,
  galleryViewType,
  spendViewType,
  walkthrough,
} from './host/ids';
import { OutputLog } from './host/log';
import { registerMissingImages } from './host/missing/missingImageDoors';
import { registerModelCommands } from './host/models/modelCommands';
import { ModelList } from './host/models/modelList';
import { ModelShelf } from './host/models/modelShelf';
import { ModelsView } from './host/models/modelsView';
import { followFiles } from './host/origin/followFiles';
import { Origins } from './host/origin/origins';
import { placeName } from './host/placeName';
import type { PriceWish } from './host/prices/priceWish';
import type { WhatFits } from './host/prices/whatFits';
import { resumeRenders } from './host/renders/resume';
import { Settings } from './host/settings';
import { sentenceOf } from './host/words';

/** Makes the objects out of each other and returns; what is heavy loads on first use. */
export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, globalStorageUri, globalState, workspaceState, extensionMode } = context;
  const own = new Owned();
  context.subscriptions.push(own);
  const log = own.add(new OutputLog());
  const commands = own.add(new Commands(log));
  const settings = own.add(new Settings());
  const session = own.add(new Session(systemClock, sentenceOf));
  const keys = new ApiKeys(context.secrets, systemClock);
  const clients = own.add(new Clients(settings, globalStorageUri, log));
  const connection = own.add(new Connection(session, settings, keys, clients, globalStorageUri, log));

  /** Has panels come back when the window is loaded again. */
  const restore = (viewType: string, panels: Lazy<vscode.WebviewPanelSerializer>) =>
    own.add(
      vscode.window.registerWebviewPanelSerializer(viewType, {
        deserializeWebviewPanel: async (...panel) => (await panels.get()).deserializeWebviewPanel(...panel),
      }),
    );

  // The account.
  const account = new Lazy(async () => {
    const { Account } = await import('./host/account/account');
    return new Account(connection, settings, keys, clients, globalState, log);
  });
  const countdown = own.add(new Countdown(session, systemClock));
  const statusBar = own.add(new StatusBar(session, connection, settings, countdown));
  own.add(followAccount(session, connection, settings));
  own.add(noticeKeys(session));
  own.add(refreshOnFocus(session, systemClock));
  own.add(lookForService(session, systemClock, () => vscode.window.state.focused));
  commands.register(ids.showLog, () => log.show());
  commands.register(ids.getStarted, () =>
    vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough),
  );

  // The models.
  const shelf = own.add(new ModelShelf(globalState, () => session.state.place && placeName(session.state.place)));
  const keptModels = new Lazy(async () => {
    const { keptModelsIn } = await import('./host/models/keptModels');
    return keptModelsIn(globalStorageUri);
  });
  const list = new ModelList(session, keptModels, log);
  own.add(new ModelsView({ session, connection, list, shelf, countdown, log }));

  // The documents that name images.
  const documents = new Lazy(async () => {
    const { Documents } = await import('./host/documents/documents');
    return own.add(new Documents(session, settings, globalState, log));
  });
  own.add(registerMissingImages(documents, settings));

  // The renders: the ledger, and with it all that spends, loads with the first need of it.
  const renders = new Lazy(async () => {
    const [{ openRenders }, { RenderNotices }] = await Promise.all([
      import('./host/renders/renders'),
      import('./host/renders/renderNotices'),
    ]);
    const opened = own.add(await openRenders(session, settings, globalStorageUri, globalState, log));
    own.add(new RenderNotices(opened, settings, session));
    (await documents.get()).follow(opened);
    own.add(opened.ledger.onDidChange(({ state, place, modelId }) => state === 'sent' && shelf.use(modelId, place)));
    own.add(followRenders(opened.library));
    statusBar.follow(opened.library);
    return opened;
  });
  const testing = extensionMode === vscode.ExtensionMode.Test;
  const services = { session, connection, settings, keys, clients };
  own.add(registerAccountCommands(commands, { ...services, account, statusBar, renders, testing }));
  const generations = own.add(new GenerationsView(renders, connection, countdown, log));
  own.add(new RenderDetails(renders));
  commands.register(ids.refresh, () => generations.refresh());
  commands.register(ids.searchGenerations, async () => {
    const { askForSearch } = await import('./host/generations/searchBox');
    return askForSearch(await generations.contents);
  });
  commands.register(ids.clearSearch, async () => {
    (await generations.contents).search = '';
  });
  commands.register(ids.render, async (request) => {
    const { renderCommand } = await import('./host/renders/renderCommand');
    return renderCommand(request, renders, session, connection, openForm);
  });

  // The form.
  const forms = new Lazy(async () => {
    const { openForms } = await import('./host/form/forms');
    const { links } = await documents.get();
    return own.add(openForms(context, session, connection, await renders.get(), links, whatFits, log));
  });
  const openForm: OpenForm = async (...what) => (await forms.get()).open(...what);
  const whatFits: WhatFits = async (modelId, inputs) => {
    const fits = await import('./host/prices/whatFits');
    return fits.whatFits(modelId, inputs, { session, connection, list, atHand: shelf });
  };

  // The pictures of results, compared.
  const comparisons = new Lazy(async () => {
    const { ComparePanels } = await import('./host/compare/comparePanels');
    return own.add(new ComparePanels(extensionUri, workspaceState, globalStorageUri, renders, log));
  });
  const openCompare: OpenCompare = async (...what) => (await comparisons.get()).open(...what);
  restore(compareViewType, comparisons);

  // What can be done to results.
  const selection = () => generations.selection;
  const results = { renders, session, connection, selection, openForm, whatFits, openCompare };
  registerResultCommands(commands, results);
  own.add(new Origins(commands, results));
  own.add(followFiles(log));
  registerModelCommands(commands, { connection, list, shelf, openForm });

  // The quick render, and what else is done from a line of text.
  const dialog = async () => {
    const doors = { openForm, whatFits, comparePrices, list, atHand: shelf };
    return { renders: await renders.get(), session, connection, memory: globalState, doors, countdown };
  };
  const quick = new Lazy(async () => {
    const { QuickRender } = await import('./host/quickRender/quickRender');
    return own.add(new QuickRender(await dialog()));
  });
  const comparing = new Lazy(async () => {
    const { ComparePrices } = await import('./host/prices/comparePrices');
    return new ComparePrices(await dialog(), settings);
  });
  const comparePrices = async (wish: PriceWish) => (await comparing.get()).open(wish);
  const sending = new Lazy(async () => {
    const { SendSelection } = await import('./host/selection/sendSelection');
    return own.add(new SendSelection(await dialog(), settings));
  });
  commands.register(ids.quickRender, async () => (await quick.get()).open());
  commands.register(ids.renderAndInsert, async () => (await quick.get()).openToInsert());
  commands.register(ids.renderMissing, async (uri, offset) => {
    const { missingAt } = await import('./host/missing/missingAt');
    const link = await missingAt((await documents.get()).missing, uri, offset);
    return (await quick.get()).openFor(link);
  });
  commands.register(ids.renderMissingImages, async (where) => {
    const { renderMissingImages } = await import('./host/missing/renderMissingImages');
    return renderMissingImages(where, { documents, renders, settings, session, connection, list, atHand: shelf });
  });
  commands.register(ids.comparePrices, async () => {
    const wish = forms.ready?.wish;
    return wish ? comparePrices(wish) : (await quick.get()).openToCompare();
  });
  commands.register(ids.renderSelection, async () => (await quick.get()).openForSelection());
  commands.register(ids.sendSelection, async () => (await sending.get()).open());
  for (const way of answerWays)
    commands.register(ids[way], async (page) => (await sending.get()).answers.decide(way, page));
  commands.register(ids.renderHere, async (folder) => (await quick.get()).open(folder));

  restore(formViewType, forms);

  // The gallery.
  const gallery = new Lazy(async () => {
    const { GalleryPanel } = await import('./host/gallery/galleryPanel');
    return own.add(new GalleryPanel(extensionUri, (await renders.get()).library, globalStorageUri, log));
  });
  commands.register(ids.openGallery, async () => (await gallery.get()).open());
  restore(galleryViewType, gallery);

  // What was spent.
  const spend = new Lazy(async () => {
    const { SpendPanel } = await import('./host/spend/spendPanel');
    return own.add(new SpendPanel(extensionUri, await renders.get(), session, log));
  });
  commands.register(ids.showSpend, async () => (await spend.get()).open());
  restore(spendViewType, spend);

  void connection.startUnlessSandbox();
  void resumeRenders(renders, connection, globalStorageUri, log);
  void noticeWorkspaceAddress(workspaceState);
}
